// SPDX-License-Identifier: Apache-2.0
#include "rewrite/LaunchBounds.h"

#include <clang/AST/Attr.h>

#include <algorithm>

namespace heddle::rewrite {
namespace {

// Of every GPU since compute capability 3.5, but for those that have fewer threads: there the
// compiler takes less of the promise.
constexpr int registersOfProcessor = 65536;
constexpr int threadsOfProcessor = 2048;
constexpr int registerStep = 8;  ///< a thread gets a multiple
constexpr int enoughForAll = 32; ///< registers at which all threads of a processor fit

/// One block more than fit now; 0: the registers are not known, or no more than fit.
int moreBlocks(int registers, int threads) {
  if (registers == 0)
    return 0;
  const int allotted = (registers + registerStep - 1) / registerStep * registerStep;
  const int blocks = registersOfProcessor / (allotted * threads) + 1;
  return blocks * threads <= threadsOfProcessor ? blocks : 0;
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
    return refuse("has-launch-bounds", "{} has __launch_bounds__ already", name);
  if (threads == 0)
    return refuse("block-size-unknown",
                  "{} is launched with blocks of different sizes, or not at all", name);
  if (0 < measured.registers && measured.registers <= enoughForAll)
    return refuse("no-register-pressure",
                  "{} needs {} registers: up to {} all threads of a "
                  "multiprocessor have theirs",
                  name, measured.registers, enoughForAll);
  const clang::SourceLocation at =
      kernel.getQualifierLoc() ? kernel.getQualifierLoc().getBeginLoc() : kernel.getLocation();
  const auto place = source.rangeOf(clang::SourceRange(at));
  if (!place || at.isMacroID())
    return refuse("macro-in-the-way", "the name of {} in line {} comes from a macro", name,
                  source.lineOf(at));
  std::vector<std::string> forms = {fmt::format("({})", threads)};
  if (const int blocks = moreBlocks(measured.registers, threads); blocks > 0)
    forms.push_back(fmt::format("({}, {})", threads, blocks));
  std::vector<Proposal> proposals;
  for (const std::string& form : forms) {
    Edits edits;
    edits.insert(place->begin, "__launch_bounds__" + form + " ");
    proposals.push_back({form, std::move(edits)});
  }
  return proposals;
}

} // namespace heddle::rewrite
