// SPDX-License-Identifier: Apache-2.0
#include "driver/RegisterNeed.h"

#include "machine/Occupancy.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>

#include <algorithm>

namespace heddle::driver {
namespace {

using profile::KernelProfile;
using profile::ProgramProfile;

constexpr int fewMore = 8; ///< registers by which nvcc's code differs from ours: an estimate

int largestBlock(const ProgramProfile& profile, const KernelProfile& kernel) {
  const std::size_t index = std::size_t(&kernel - profile.kernels.data());
  int largest = kernel.block[0] * kernel.block[1] * kernel.block[2];
  for (const profile::LaunchRecord& launch : profile.launches)
    if (launch.kernel == index)
      largest = std::max(largest, launch.block[0] * launch.block[1] * launch.block[2]);
  return largest;
}

/// What a kernel had before: one that a rewrite has made of another, at most as many as that.
int registersBefore(const ProgramProfile& before, const std::string& id) {
  int most = 0;
  for (const KernelProfile& kernel : before.kernels) {
    const int registers = kernel.timing ? kernel.timing->registers.registers : 0;
    if (kernel.id == id)
      return registers;
    most = std::max(most, registers);
  }
  return most;
}

bool saysItsBlocks(const Sources& sources, const KernelProfile& kernel) {
  return std::ranges::any_of(sources, [&](const auto& each) {
    const clang::FunctionDecl* found = rewrite::findKernel(*each.second, kernel.symbol());
    return found != nullptr && found->hasAttr<clang::CUDALaunchBoundsAttr>();
  });
}

} // namespace

std::optional<std::string> mightNotStart(const ProgramProfile& before, const ProgramProfile& after,
                                         const machine::SmLimits& limits, const Sources& sources) {
  for (const KernelProfile& kernel : after.kernels) {
    const int registers = kernel.timing ? kernel.timing->registers.registers : 0;
    const int were = registersBefore(before, kernel.id);
    const int threads = largestBlock(after, kernel);
    if (threads < 1 || registers <= were)
      continue;
    const machine::KernelResources wanted{
        .threads = threads, .registers = std::min(registers + fewMore, limits.registersPerThread)};
    if (machine::computeOccupancy(limits, wanted).activeBlocks == 0 &&
        !saysItsBlocks(sources, kernel))
      return fmt::format(
          "{0} has blocks of {1} threads and {2} registers a thread, {3} before; "
          "with {4} no block starts: __launch_bounds__({1}) keeps the compiler to fewer",
          kernel.kernel, threads, registers, were, wanted.registers);
  }
  return std::nullopt;
}

} // namespace heddle::driver
