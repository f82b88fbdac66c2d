// SPDX-License-Identifier: Apache-2.0
#include "rewrite/launch_bounds/LaunchBounds.h"

#include "machine/ResidentBlocks.h"
#include "rewrite/code/FormNumbers.h"
#include "rewrite/launch_bounds/Refusals.h"

#include <clang/AST/Attr.h>

#include <algorithm>

namespace heddle::rewrite::launch_bounds {
namespace {

/// One block more than fit now; 0: the registers are not known, or no more than fit.
int moreBlocks(const machine::SmLimits& limits, int registers, int threads) {
  if (registers == 0)
    return 0;
  const auto fitting = [&](int each) {
    return machine::activeBlocks(limits, {.threads = threads, .registers = each},
                                 machine::RegisterCount::Fixed);
  };
  const int blocks = fitting(registers) + 1;
  return blocks <= fitting(1) ? blocks : 0;
}

} // namespace

Legal<std::vector<Proposal>> proposeLaunchBounds(const Source& source, const Target& target) {
  const clang::FunctionDecl& kernel = *target.kernel;
  const std::string name = kernel.getNameAsString();
  const Measured& measured = target.measured;
  const int threads = measured.block[0] * measured.block[1] * measured.block[2];
  if (std::ranges::any_of(kernel.redecls(), [](const clang::FunctionDecl* each) {
        return each->hasAttr<clang::CUDALaunchBoundsAttr>();
      }))
    return refuse(refusals["has-launch-bounds"], "{} has __launch_bounds__ already", name);
  if (threads == 0)
    return refuse(refusals["block-size-unknown"],
                  "{} is launched with blocks of different sizes, or not at all", name);
  const int enoughForAll = machine::freeRegisters(measured.limits);
  if (0 < measured.registers && measured.registers <= enoughForAll)
    return refuse(refusals["no-register-pressure"],
                  "{} needs {} registers: up to {} all threads of a "
                  "multiprocessor have theirs",
                  name, measured.registers, enoughForAll);
  const clang::SourceLocation at =
      kernel.getQualifierLoc() ? kernel.getQualifierLoc().getBeginLoc() : kernel.getLocation();
  const auto place = source.rangeOf(clang::SourceRange(at));
  if (!place || at.isMacroID())
    return refuse(refusals["macro-in-the-way"], "the name of {} in line {} comes from a macro",
                  name, source.lineOf(at));
  std::vector<std::string> forms = {fmt::format("({})", threads)};
  if (const int blocks = moreBlocks(measured.limits, measured.registers, threads); blocks > 0)
    forms.push_back(fmt::format("({}, {})", threads, blocks));
  if (const auto asked = numbersOf(target.form, "(", ")");
      asked && asked->size() <= 2 && asked->front() == threads && asked->back() > 0)
    forms = {target.form};
  std::vector<Proposal> proposals;
  for (const std::string& form : forms) {
    Edits edits;
    edits.insert(place->begin, "__launch_bounds__" + form + " ");
    proposals.push_back({form, std::move(edits)});
  }
  return proposals;
}

const Rewrite room{
    .name = "launch-bounds",
    .summary = "tell the compiler the size of a kernel's blocks, and how many should fit",
    .ofKernel = true,
    .refusals = refusals,
    .propose = proposeLaunchBounds,
};

} // namespace heddle::rewrite::launch_bounds
