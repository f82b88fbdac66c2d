// SPDX-License-Identifier: Apache-2.0
//
//   1. The kernel's parameters and its thread's index become members and an argument.
//   2. Its body becomes the functor of a way.
//   3. A function of its name takes its place, and calls that of the launches.
#include "rewrite/split_branch/PartitionKernel.h"

#include "rewrite/code/Flow.h"
#include "rewrite/code/Indentation.h"
#include "rewrite/code/Modified.h"
#include "rewrite/split_branch/GlobalIndex.h"
#include "rewrite/split_branch/Refusals.h"
#include "rewrite/split_branch/WayGates.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

namespace heddle::rewrite::split_branch {
namespace {

constexpr std::size_t lineWidth = 100;

/// Items behind an open parenthesis, in as many lines as they need: below the first one where they
/// fit there.
std::string filled(const std::string& head, const std::vector<std::string>& items,
                   const std::string& tail) {
  const bool fits = std::ranges::all_of(items, [&](const std::string& item) {
    return head.size() + item.size() + tail.size() <= lineWidth;
  });
  const std::size_t indent = fits ? head.size() : head.find_first_not_of(' ') + 4;
  std::string text = head + (fits ? "" : "\n" + std::string(indent, ' '));
  std::size_t column = indent;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : tail);
    const bool breaks = i > 0 && column + 1 + item.size() > lineWidth;
    text += i == 0 ? item : (breaks ? "\n" + std::string(indent, ' ') : " ") + item;
    column = (breaks ? indent : column + (i > 0)) + item.size();
  }
  return text;
}

class Partitioner {
public:
  Partitioner(const Source& source, const clang::FunctionDecl& kernel, const KernelBranch& cut)
      : source_(source), kernel_(kernel), cut_(cut), unit_(source.indentUnit()),
        name_(kernel.getNameAsString()), way_(wayName(source, kernel)), functor_(freeName()) {}

  Legal<Edits> build(const std::vector<Launch>& launches);

private:
  Legal<void> checkParameters() const;
  Legal<void> readParameters();
  Legal<void> readTemplate();
  Legal<std::string> functorText();
  std::string functionText() const;
  Legal<void> call(const Launch& launch);
  void removeIndex(const GlobalIndex& index, Edits& edits) const;
  std::string freeName() const;
  std::string last() const { return fmt::format("{}", cut_.arms.size() - 1); }

  const Source& source_;
  const clang::FunctionDecl& kernel_;
  const KernelBranch& cut_;
  const std::string& unit_;
  std::string name_, way_, functor_;
  std::string templateParameters_; ///< "typename T"
  std::string templateArguments_;  ///< ", T"
  std::vector<std::string> parameters_, arguments_;
  Edits edits_;
};

/// The kernel, or where it is a template its instances: there it is known what names mean.
std::vector<const clang::FunctionDecl*> instancesOf(const clang::FunctionDecl& kernel) {
  std::vector<const clang::FunctionDecl*> instances;
  if (const clang::FunctionTemplateDecl* made = kernel.getDescribedFunctionTemplate())
    for (const clang::FunctionDecl* each : made->specializations())
      if (each->hasBody())
        instances.push_back(each);
  if (instances.empty())
    instances.push_back(&kernel);
  return instances;
}

/// Step 1.
Legal<void> Partitioner::checkParameters() const {
  for (const clang::FunctionDecl* instance : instancesOf(kernel_)) {
    const auto modified = modifiedIn(*instance->getBody());
    for (const clang::ParmVarDecl* each : instance->parameters())
      if (modified.contains(each))
        return refuse(refusals["parameter-unfit"], "{} changes its parameter {}", name_,
                      each->getNameAsString());
    if (auto index = findGlobalIndex(source_, *instance->getBody()); !index)
      return tl::unexpected(index.error());
  }
  return {};
}

Legal<void> Partitioner::readParameters() {
  for (const clang::ParmVarDecl* each : kernel_.parameters()) {
    const auto range = source_.rangeOf(each->getSourceRange());
    if (!range || each->getName().empty() || each->isParameterPack() ||
        each->getOriginalType()->isArrayType() || each->hasDefaultArg())
      return refuse(refusals["parameter-unfit"],
                    "parameter {} of {} has no name, has a default, or is an array or a pack",
                    parameters_.size() + 1, name_);
    parameters_.push_back(source_.textOf(*range));
    arguments_.push_back(each->getNameAsString());
  }
  return {};
}

Legal<void> Partitioner::readTemplate() {
  const clang::FunctionTemplateDecl* made = kernel_.getDescribedFunctionTemplate();
  if (made == nullptr)
    return {};
  const clang::TemplateParameterList& list = *made->getTemplateParameters();
  const auto range = source_.rangeOf(clang::SourceRange(list.getLAngleLoc(), list.getRAngleLoc()));
  if (!range)
    return refuse(refusals["macro-in-the-way"], "the template parameters of {} come from a macro",
                  name_);
  templateParameters_ = source_.textOf({range->begin + 1, range->end - 1});
  for (const clang::NamedDecl* each : list) {
    if (each->getName().empty())
      return refuse(refusals["parameter-unfit"], "a template parameter of {} has no name", name_);
    templateArguments_ += ", " + each->getNameAsString() + (each->isParameterPack() ? "..." : "");
  }
  return {};
}

/// A name for the functor that nothing has where the kernel is declared.
std::string Partitioner::freeName() const {
  std::string name = name_ + "Way";
  while (!kernel_.getDeclContext()->lookup(&source_.ast().Idents.get(name)).empty())
    name += "_";
  return name;
}

/// With its line, where there is nothing else in it but a remark.
void Partitioner::removeIndex(const GlobalIndex& index, Edits& edits) const {
  Range range = *source_.rangeOf(*index.statement);
  const std::string& text = source_.text();
  const std::size_t line = source_.lineBegin(range.begin);
  const std::size_t end = std::min(text.find('\n', range.end), text.size() - 1);
  const std::size_t rest = text.find_first_not_of(" \t\r", range.end);
  const bool alone = text.find_first_not_of(" \t", line) == range.begin &&
                     (rest >= end || text.compare(rest, 2, "//") == 0);
  edits.remove(alone ? Range{line, end + 1} : range);
}

/// Step 2.
Legal<std::string> Partitioner::functorText() {
  const auto index = findGlobalIndex(source_, *kernel_.getBody());
  if (!index)
    return tl::unexpected(index.error());
  const auto body = source_.insideOf(*kernel_.getBody());
  const auto declared = source_.rangeOf(
      clang::SourceRange(index->variable->getBeginLoc(), index->variable->getLocation()));
  auto edits =
      gateWays(source_, cut_, way_, [](std::size_t arm) { return fmt::format("{}", arm); });
  if (!edits)
    return tl::unexpected(edits.error());
  if (!body || !declared || !source_.rangeOf(*index->statement))
    return refuse(refusals["macro-in-the-way"], "the body of {} comes in part from a macro", name_);
  for (const clang::ReturnStmt* exit : findExits(*kernel_.getBody()).returns) {
    const auto range = source_.rangeOf(*exit);
    if (!range)
      return refuse(refusals["macro-in-the-way"], "line {} returns in a macro",
                    source_.lineOf(exit->getBeginLoc()));
    edits->replace(*range, "return " + last() + ";");
  }
  removeIndex(*index, *edits);
  const bool isAuto = index->variable->getType()->getContainedAutoType() != nullptr;
  const std::string argument =
      isAuto ? index->variable->getType().getAsString() + " " + index->variable->getNameAsString()
             : source_.textOf(*declared);
  std::string text = fmt::format(
      "template <int {}{}> // -1 says which way thread {} takes; the others go it\nstruct {} {{\n",
      way_, templateParameters_.empty() ? "" : ", " + templateParameters_,
      index->variable->getNameAsString(), functor_);
  for (const std::string& parameter : parameters_)
    text += unit_ + parameter + ";\n";
  text += fmt::format("\n{}__device__ int operator()({}) const {{\n", unit_, argument);
  text += indented(edits->apply(source_.text(), *body), unit_ + unit_);
  return text + fmt::format("\n{}return {};\n{}}}\n}};\n\n", unit_ + unit_, last(), unit_);
}

/// Step 3.
std::string Partitioner::functionText() const {
  std::string text = templateParameters_.empty() ? "" : "template <" + templateParameters_ + ">\n";
  const std::string isStatic = kernel_.getStorageClass() == clang::SC_Static ? "static " : "";
  std::vector<std::string> parameters = {"dim3 grid", "dim3 block", "cudaStream_t stream"};
  parameters.insert(parameters.end(), parameters_.begin(), parameters_.end());
  text += filled(isStatic + "cudaError_t " + name_ + "(", parameters, ") {\n");
  std::vector<std::string> functors = {"stream", "std::size_t{grid.x} * block.x"};
  for (int way = -1; way < int(cut_.arms.size()); ++way)
    functors.push_back(fmt::format("{}<{}{}>{{{}}}", functor_, way, templateArguments_,
                                   fmt::join(arguments_, ", ")));
  return text + filled(unit_ + "return heddle::split_by_partition(", functors, ");\n") + "}";
}

/// k<<<grid, block, shared, stream>>>(a) becomes k(grid, block, stream, a).
Legal<void> Partitioner::call(const Launch& launch) {
  const auto* call = llvm::dyn_cast<clang::CUDAKernelCallExpr>(launch.call);
  if (call == nullptr)
    return refuse(refusals["launch-by-runtime"],
                  "line {} launches {} with arguments that are not written there",
                  source_.lineOf(launch.call->getBeginLoc()), name_);
  const auto name = source_.rangeOf(call->getCallee()->getSourceRange());
  const auto whole = source_.rangeOf(call->getSourceRange());
  if (!name || !whole)
    return refuse(refusals["macro-in-the-way"], "line {} launches {} in a macro",
                  source_.lineOf(launch.call->getBeginLoc()), name_);
  std::string text = "(";
  std::size_t end = name->end;
  for (unsigned i = 0; i < 4; ++i) {
    const clang::Expr* argument = call->getConfig()->getArg(i);
    const bool isGiven = !llvm::isa<clang::CXXDefaultArgExpr>(argument);
    const auto range = source_.rangeOf(argument->getSourceRange());
    if (isGiven && !range)
      return refuse(refusals["macro-in-the-way"],
                    "line {} launches {} with a configuration from a macro",
                    source_.lineOf(launch.call->getBeginLoc()), name_);
    end = isGiven ? range->end : end;
    if (i != 2) // no shared memory is used
      text += (i > 0 ? ", " : "") + (isGiven ? source_.textOf(*range) : "nullptr");
  }
  const std::size_t open = source_.text().find('(', source_.text().find(">>>", end));
  edits_.replace({name->end, open + 1}, text + (call->getNumArgs() > 0 ? ", " : ""));
  return {};
}

Legal<Edits> Partitioner::build(const std::vector<Launch>& launches) {
  if (auto checked = checkParameters(); !checked)
    return tl::unexpected(checked.error());
  if (auto read = readParameters(); !read)
    return tl::unexpected(read.error());
  if (auto read = readTemplate(); !read)
    return tl::unexpected(read.error());
  const auto functor = functorText();
  if (!functor)
    return tl::unexpected(functor.error());
  for (const Launch& launch : launches)
    if (auto made = call(launch); !made)
      return tl::unexpected(made.error());
  const clang::FunctionTemplateDecl* made = kernel_.getDescribedFunctionTemplate();
  const clang::SourceLocation begin =
      made != nullptr ? made->getBeginLoc() : kernel_.getOuterLocStart();
  const auto first =
      source_.rangeOf(source_.ast().getSourceManager().getExpansionRange(begin).getAsRange());
  const auto body = source_.rangeOf(*kernel_.getBody());
  if (!first || !body)
    return refuse(refusals["macro-in-the-way"], "{} begins or ends in a macro", name_);
  edits_.replace({first->begin, body->end}, *functor + functionText());
  edits_.add(source_.include("heddle/split.cuh"));
  return std::move(edits_);
}

} // namespace

Legal<Edits> partitionKernel(const Source& source, const clang::FunctionDecl& kernel,
                             const KernelBranch& cut, const std::vector<Launch>& launches) {
  const auto declarations = declarationsOf(source, kernel);
  if (!declarations)
    return tl::unexpected(declarations.error());
  if (declarations->size() > 1)
    return refuse(refusals["declared-elsewhere"], "{} is declared more than once",
                  kernel.getNameAsString());
  return Partitioner(source, kernel, cut).build(launches);
}

} // namespace heddle::rewrite::split_branch
