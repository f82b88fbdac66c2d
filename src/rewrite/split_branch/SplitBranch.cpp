// SPDX-License-Identifier: Apache-2.0
#include "rewrite/split_branch/SplitBranch.h"

#include "rewrite/launches/KernelLaunches.h"
#include "rewrite/split_branch/KernelBranch.h"
#include "rewrite/split_branch/PartitionKernel.h"
#include "rewrite/split_branch/Price.h"
#include "rewrite/split_branch/Refusals.h"
#include "rewrite/split_branch/WayGates.h"

#include <clang/AST/DeclTemplate.h>
#include <clang/Basic/SourceManager.h>

namespace heddle::rewrite::split_branch {
namespace {

constexpr const char* remark = " // which way of the branch below a launch runs";

/// A declaration of the kernel gets one template parameter more, the first.
Legal<Edits> addParameter(const Source& source, const clang::FunctionDecl& declaration,
                          const std::string& way) {
  const clang::FunctionTemplateDecl* made = declaration.getDescribedFunctionTemplate();
  const clang::SourceLocation begin = made != nullptr
                                          ? made->getTemplateParameters()->getLAngleLoc()
                                          : declaration.getOuterLocStart();
  const auto range =
      source.rangeOf(source.ast().getSourceManager().getExpansionRange(begin).getAsRange());
  if (!range)
    return refuse(refusals["macro-in-the-way"], "the declaration in line {} begins in a macro",
                  source.lineOf(begin));
  Edits edits;
  if (made != nullptr)
    edits.insert(range->end, "int " + way + ", ");
  else
    edits.insert(range->begin, fmt::format("template <int {}>{}\n{}", way,
                                           declaration.isThisDeclarationADefinition() ? remark : "",
                                           source.indentAt(range->begin)));
  return edits;
}

/// "k<0, float>" for "k<float>".
void nameWay(const Launch& launch, std::size_t way, Edits& edits) {
  if (!launch.arguments)
    edits.insert(launch.name.end, fmt::format("<{}>", way));
  else
    edits.insert(
        launch.arguments->begin,
        fmt::format("{}{}", way, launch.arguments->begin == launch.arguments->end ? "" : ", "));
}

/// One launch a way, in the place of one.
void repeatLaunch(const Source& source, const Launch& launch, std::size_t ways, Edits& edits) {
  const std::string outer = source.indentAt(launch.bodyOf.value_or(launch.statement.begin));
  const std::string indent = outer + (launch.bodyOf ? source.indentUnit() : "");
  const std::size_t code =
      source.text().find_first_not_of(" \t", source.lineBegin(launch.statement.begin));
  const bool opensLine = code == launch.statement.begin || launch.bodyOf.has_value();
  std::string text;
  for (std::size_t way = 0; way < ways; ++way) {
    Edits one;
    nameWay(launch, way, one);
    text += way == 0 ? "" : opensLine ? "\n" + indent : " ";
    text += one.apply(source.text(), launch.statement);
  }
  if (!launch.bodyOf)
    return edits.replace(launch.statement, text);
  const std::size_t head =
      source.text().find_last_not_of(" \t\r\n", launch.statement.begin - 1) + 1;
  const std::size_t line = source.lineBegin(head);
  const bool behindComment =
      source.text().substr(line, head - line).find("//") != std::string::npos;
  edits.replace({behindComment ? launch.statement.begin : head, launch.statement.end},
                (behindComment ? "{\n" : " {\n") + indent + text + "\n" + outer + "}");
}

/// The kernel as a template over the way, launched once for each.
Legal<Edits> splitByTest(const Source& source, const Target& target, const KernelBranch& cut,
                         const std::vector<Launch>& launches) {
  for (const Placed& instance : target.branch->instances)
    if (auto alike = checkDecidesAlike(source, instance); !alike)
      return tl::unexpected(alike.error());
  const auto declarations = declarationsOf(source, *target.kernel);
  if (!declarations)
    return tl::unexpected(declarations.error());
  const std::string way = wayName(source, *target.kernel);
  auto edits = gateWays(source, cut, way, [](std::size_t) { return ""; });
  if (!edits)
    return edits;
  for (const clang::FunctionDecl* declaration : *declarations) {
    auto added = addParameter(source, *declaration, way);
    if (!added)
      return added;
    edits->add(*added);
  }
  for (const Launch& launch : launches)
    repeatLaunch(source, launch, cut.ways(), *edits);
  return edits;
}

/// A partition is of one index; in blocks of two dimensions several threads would have the same.
Legal<Edits> splitByPartition(const Source& source, const Target& target, const KernelBranch& cut,
                              const std::vector<Launch>& launches) {
  const auto& block = target.measured.block;
  if (block[1] > 1 || block[2] > 1)
    return refuse(refusals["not-one-index"], "{} is launched with blocks of {} x {} x {} threads",
                  target.kernel->getNameAsString(), block[0], block[1], block[2]);
  return partitionKernel(source, *target.kernel, cut, launches);
}

constexpr std::string_view forms[] = {"by test", "by partition"};

} // namespace

Legal<std::vector<Proposal>> proposeSplitBranch(const Source& source, const Target& target) {
  const BranchStatement& branch = *target.branch;
  if (target.kernel == nullptr || branch.function != target.kernel)
    return refuse(refusals["not-in-kernel"],
                  "the branch is part of a function, not of the kernel itself");
  const auto cut = cutKernel(source, branch);
  if (!cut)
    return tl::unexpected(cut.error());
  const auto launches = findLaunches(source, *target.kernel);
  if (!launches)
    return tl::unexpected(launches.error());
  for (const Placed& instance : branch.instances)
    if (auto again = checkRunsAgain(source, instance); !again)
      return tl::unexpected(again.error());
  auto partitioned = splitByPartition(source, target, *cut, *launches);
  if (cut->ways() < 2) { // a way with nothing to do needs no kernel that tests for it
    if (!partitioned)
      return tl::unexpected(partitioned.error());
    return std::vector<Proposal>{{"by partition", std::move(*partitioned)}};
  }
  auto tested = splitByTest(source, target, *cut, *launches);
  if (!tested && !partitioned)
    return tl::unexpected(tested.error());
  std::vector<Proposal> proposals;
  if (partitioned)
    proposals.push_back({"by partition", std::move(*partitioned)});
  if (tested)
    proposals.push_back({"by test", std::move(*tested)});
  return proposals;
}

const Rewrite room{
    .name = "split-branch",
    .summary = "one kernel for each way of a kernel's branch, with that way's registers",
    .forms = forms,
    .needsIndependence = true,
    .refusals = refusals,
    .refusesCommunication = true,
    .propose = proposeSplitBranch,
    .price = priceSplitting,
};

} // namespace heddle::rewrite::split_branch
