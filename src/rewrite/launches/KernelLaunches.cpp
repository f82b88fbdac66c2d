// SPDX-License-Identifier: Apache-2.0
#include "rewrite/launches/KernelLaunches.h"

#include "rewrite/code/CommonRefusals.h"
#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <array>
#include <map>

namespace heddle::rewrite {
namespace {

using clang::Expr;
using clang::SourceLocation;
using clang::Stmt;

const clang::FunctionDecl* patternOf(const clang::FunctionDecl* function) {
  if (const clang::FunctionDecl* pattern = function->getTemplateInstantiationPattern())
    function = pattern;
  return function->getCanonicalDecl();
}

bool isBodyOf(const Stmt& statement, const Stmt& parent) {
  if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(&parent))
    return branch->getThen() == &statement || branch->getElse() == &statement;
  if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(&parent))
    return loop->getBody() == &statement;
  if (const auto* loop = llvm::dyn_cast<clang::WhileStmt>(&parent))
    return loop->getBody() == &statement;
  const auto* loop = llvm::dyn_cast<clang::CXXForRangeStmt>(&parent);
  return loop != nullptr && loop->getBody() == &statement;
}

/// Whether an expression does the same when it is evaluated again. A call is trusted that gets
/// nothing to change.
class Repeatable final : public TreeVisitor {
public:
  bool VisitBinaryOperator(clang::BinaryOperator* operation) override {
    return !operation->isAssignmentOp();
  }
  bool VisitUnaryOperator(clang::UnaryOperator* operation) override {
    return !operation->isIncrementDecrementOp();
  }
  bool VisitCXXNewExpr(clang::CXXNewExpr*) override { return false; }
  bool VisitLambdaExpr(clang::LambdaExpr*) override { return false; }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr)
      return call->isTypeDependent();
    if (const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee))
      return method->isConst() || isAccess(*method);
    return callee->getNumParams() > 0 &&
           std::ranges::none_of(callee->parameters(), [](const clang::ParmVarDecl* each) {
             const clang::QualType type = each->getType();
             return (type->isPointerType() || type->isReferenceType()) &&
                    !type->getPointeeType().isConstQualified();
           });
  }

private:
  /// Containers and smart pointers give their insides away without changing.
  static bool isAccess(const clang::CXXMethodDecl& method) {
    static constexpr std::array<llvm::StringRef, 5> names = {"data", "get", "begin", "end", "at"};
    if (method.getOverloadedOperator() != clang::OO_None)
      return method.getOverloadedOperator() == clang::OO_Subscript ||
             method.getOverloadedOperator() == clang::OO_Star ||
             method.getOverloadedOperator() == clang::OO_Arrow;
    return method.getIdentifier() != nullptr && llvm::is_contained(names, method.getName());
  }
};

bool isRepeatable(const Expr* expression) {
  return Repeatable().TraverseStmt(const_cast<Expr*>(expression));
}

class LaunchFinder final : public TreeVisitor {
public:
  LaunchFinder(const Source& source, const clang::FunctionDecl& kernel)
      : source_(source), files_(source.ast().getSourceManager()), kernel_(patternOf(&kernel)) {}

  bool shouldVisitTemplateInstantiations() const override { return true; }

  bool aroundStatement(Stmt* statement, Walk inside) override {
    around_.push_back(statement);
    const bool goOn = inside();
    around_.pop_back();
    return goOn;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(name->getDecl());
    return function == nullptr || patternOf(function) != kernel_ || add(*name, *name);
  }
  bool VisitUnresolvedLookupExpr(clang::UnresolvedLookupExpr* name) override {
    for (const clang::NamedDecl* each : name->decls())
      if (const clang::FunctionDecl* function = each->getAsFunction();
          function != nullptr && patternOf(function) == kernel_)
        return add(*name, *name);
    return true;
  }

  std::map<std::size_t, Launch> found; ///< by place: an instance of a template has the same
  std::optional<Refusal> refusal;

private:
  bool stop(const RefusalKind& kind, SourceLocation where, const std::string& what) {
    refusal = Refusal{kind, fmt::format("line {} {}", source_.lineOf(where), what)};
    return false;
  }
  std::string name() const { return kernel_->getNameAsString(); }

  /// Where a token is written, in the argument of a macro too.
  std::optional<std::size_t> offsetOf(SourceLocation location) const {
    if (location.isMacroID() && !files_.isMacroArgExpansion(location))
      return std::nullopt;
    const SourceLocation written = files_.getFileLoc(location);
    if (files_.getFileID(written) != source_.id())
      return std::nullopt;
    return files_.getFileOffset(written);
  }

  template <class Name> bool add(const Expr& expression, const Name& written);
  const clang::CallExpr* launchOf(const Expr& kernel, std::size_t& depth) const;
  bool place(const Stmt& launch, std::size_t depth, Launch& to);
  std::optional<Range> statementOf(const Stmt& statement) const;

  /// Whether both come from one use of a macro.
  bool shareMacro(const Stmt& inner, const Stmt& outer) const {
    return inner.getBeginLoc().isMacroID() && outer.getBeginLoc().isMacroID() &&
           files_.getExpansionLoc(inner.getBeginLoc()) ==
               files_.getExpansionLoc(outer.getBeginLoc());
  }

  const Source& source_;
  const clang::SourceManager& files_;
  const clang::FunctionDecl* kernel_;
  std::vector<const Stmt*> around_;
};

/// The call that launches, if the kernel is named for that; its place in around_.
const clang::CallExpr* LaunchFinder::launchOf(const Expr& kernel, std::size_t& depth) const {
  for (depth = around_.size(); depth-- > 0;) {
    const auto* call = llvm::dyn_cast<clang::CallExpr>(around_[depth]);
    if (call == nullptr)
      continue;
    if (llvm::isa<clang::CUDAKernelCallExpr>(call))
      return call->getCallee()->IgnoreParenImpCasts() == &kernel ? call : nullptr;
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr || callee->getIdentifier() == nullptr)
      return nullptr;
    const bool isPlain = callee->getName() == "cudaLaunchKernel";
    const bool isExtended =
        callee->getName() == "cudaLaunchKernelEx" || callee->getName() == "cudaLaunchKernelExC";
    const unsigned at = isPlain ? 0 : 1;
    if ((!isPlain && !isExtended) || call->getNumArgs() <= at)
      return nullptr;
    const Expr* argument = call->getArg(at)->IgnoreParenCasts();
    if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument))
      argument = address->getSubExpr()->IgnoreParenCasts();
    return argument == &kernel ? call : nullptr;
  }
  return nullptr;
}

std::optional<Range> LaunchFinder::statementOf(const Stmt& statement) const {
  const SourceLocation begin = files_.getExpansionLoc(statement.getBeginLoc());
  const SourceLocation last = files_.getExpansionRange(statement.getEndLoc()).getEnd();
  const SourceLocation end =
      clang::Lexer::getLocForEndOfToken(last, 0, files_, source_.ast().getLangOpts());
  if (files_.getFileID(begin) != source_.id() || end.isInvalid())
    return std::nullopt;
  Range range{files_.getFileOffset(begin), files_.getFileOffset(end)};
  const std::size_t next = source_.text().find_first_not_of(" \t\n", range.end);
  if (next != std::string::npos && source_.text()[next] == ';')
    range.end = next + 1;
  return range;
}

/// The whole statement that a launch is, and whether one can stand beside it.
bool LaunchFinder::place(const Stmt& launch, std::size_t depth, Launch& to) {
  const Stmt* statement = &launch;
  while (depth-- > 0) {
    const Stmt* around = around_[depth];
    if (!shareMacro(*statement, *around) &&
        !llvm::isa<clang::ExprWithCleanups, clang::ParenExpr, clang::CastExpr, clang::CallExpr>(
            around))
      break;
    statement = around;
  }
  const Stmt* parent = depth < around_.size() ? around_[depth] : nullptr;
  const auto range = statementOf(*statement);
  const bool isBody = parent != nullptr && isBodyOf(*statement, *parent);
  const bool isBeside =
      parent != nullptr &&
      llvm::isa<clang::CompoundStmt, clang::SwitchCase, clang::LabelStmt>(parent) &&
      !llvm::isa<clang::DeclStmt>(statement);
  if (!range || (!isBody && !isBeside))
    return stop(common["launch-in-expression"], launch.getBeginLoc(),
                fmt::format("launches {} inside a larger statement", name()));
  to.statement = *range;
  if (isBody)
    to.bodyOf = offsetOf(parent->getBeginLoc());
  return true;
}

template <class Name> bool LaunchFinder::add(const Expr& expression, const Name& written) {
  std::size_t depth = 0;
  const clang::CallExpr* call = launchOf(expression, depth);
  const SourceLocation where = written.getNameInfo().getLoc();
  if (call == nullptr)
    return stop(common["address-taken"], where,
                fmt::format("names {} other than to launch it", name()));
  const auto begin = offsetOf(where);
  if (!begin)
    return stop(common["launch-in-macro"], where,
                fmt::format("launches {} in a macro or another file", name()));
  Launch launch;
  launch.name = {*begin, *begin + name().size()};
  launch.call = call;
  if (written.hasExplicitTemplateArgs()) {
    const auto left = offsetOf(written.getLAngleLoc()), right = offsetOf(written.getRAngleLoc());
    if (!left || !right)
      return stop(common["launch-in-macro"], where, "has template arguments in a macro");
    launch.arguments = Range{*left + 1, *right};
  }
  if (!place(*call, depth, launch))
    return false;
  if (!launch.statement.contains(launch.name))
    return stop(common["launch-in-macro"], where, fmt::format("launches {} in a macro", name()));
  std::vector<const Expr*> evaluated(call->arg_begin(), call->arg_end());
  if (const auto* kernelCall = llvm::dyn_cast<clang::CUDAKernelCallExpr>(call))
    evaluated.insert(evaluated.end(), kernelCall->getConfig()->arg_begin(),
                     kernelCall->getConfig()->arg_end());
  if (!std::ranges::all_of(evaluated, isRepeatable))
    return stop(common["side-effects-in-launch"], where,
                "computes an argument that may not be the same when it is computed again");
  found.emplace(*begin, launch);
  return true;
}

/// A launch that the preprocessor hides from the device pass: the place of the name.
std::optional<std::size_t> findHidden(const Source& source, const std::string& name,
                                      const std::map<std::size_t, Launch>& known) {
  const clang::SourceManager& files = source.ast().getSourceManager();
  const llvm::StringRef text = source.text();
  clang::Lexer lexer(files.getLocForStartOfFile(source.id()), source.ast().getLangOpts(),
                     text.begin(), text.begin(), text.end());
  std::optional<std::size_t> named;
  clang::Token token;
  while (!lexer.LexFromRawLexer(token)) {
    const std::size_t at = files.getFileOffset(token.getLocation());
    if (token.is(clang::tok::raw_identifier) && token.getRawIdentifier() == name)
      named = at;
    else if (token.is(clang::tok::lesslessless) && named && !known.contains(*named))
      return named;
    else if (token.isOneOf(clang::tok::semi, clang::tok::l_brace, clang::tok::r_brace,
                           clang::tok::l_paren))
      named.reset();
  }
  return std::nullopt;
}

} // namespace

Legal<std::vector<Launch>> findLaunches(const Source& source, const clang::FunctionDecl& kernel) {
  LaunchFinder finder(source, kernel);
  finder.TraverseDecl(source.ast().getTranslationUnitDecl());
  if (finder.refusal)
    return tl::unexpected(*finder.refusal);
  const std::string name = kernel.getNameAsString();
  if (const auto hidden = findHidden(source, name, finder.found))
    return refuse(common["launch-in-macro"],
                  "a macro or a condition of the preprocessor hides '{}' from us",
                  source.text().substr(*hidden, source.text().find('\n', *hidden) - *hidden));
  if (finder.found.empty())
    return refuse(common["no-launch"], "{} is not launched in this file", name);
  std::vector<Launch> launches;
  for (const auto& [place, launch] : finder.found)
    launches.push_back(launch);
  return launches;
}

Legal<std::vector<const clang::FunctionDecl*>> declarationsOf(const Source& source,
                                                              const clang::FunctionDecl& kernel) {
  const std::string name = kernel.getNameAsString();
  if (kernel.isExternC())
    return refuse(common["c-linkage"], "{} is extern \"C\": others may know it by its name", name);
  if (const clang::FunctionTemplateDecl* made = kernel.getDescribedFunctionTemplate())
    for (const clang::FunctionDecl* each : made->specializations())
      if (each->getTemplateSpecializationKind() != clang::TSK_ImplicitInstantiation)
        return refuse(common["explicit-instance"], "line {} names an instance of {} for itself",
                      source.lineOf(each->getPointOfInstantiation().isValid()
                                        ? each->getPointOfInstantiation()
                                        : each->getLocation()),
                      name);
  std::vector<const clang::FunctionDecl*> declarations;
  for (const clang::FunctionDecl* each : kernel.redecls()) {
    if (!source.isHere(each->getLocation()) || each->getStorageClass() == clang::SC_Extern)
      return refuse(common["declared-elsewhere"],
                    "{} is declared outside this file, where it may be launched", name);
    declarations.push_back(each);
  }
  return declarations;
}

} // namespace heddle::rewrite
