// SPDX-License-Identifier: Apache-2.0
#include "driver/PrefetchAdvice.h"

namespace heddle::driver {
namespace {

/// Where the kernel's code, not a function it calls, first touches memory.
profile::SourceLocation firstAccess(const profile::KernelProfile& kernel) {
  profile::SourceLocation first;
  for (const profile::MemoryProfile& access : kernel.accesses) {
    const profile::Site& site = access.site;
    const profile::SourceLocation& where =
        site.inlinedAt.empty() ? site.where : site.inlinedAt.back();
    if (access.space == profile::MemorySpace::Global && where.line > 0 &&
        (first.line == 0 || where.line < first.line))
      first = where;
  }
  return first;
}

} // namespace

std::vector<advise::Candidate> prefetchAdvice(const profile::ProgramProfile& profile) {
  std::vector<advise::Candidate> all;
  for (const profile::KernelProfile& kernel : profile.kernels) {
    if (!kernel.firstTouch || !kernel.timing ||
        kernel.firstTouch->seconds <= kernel.timing->seconds)
      continue;
    const profile::SourceLocation where = firstAccess(kernel);
    all.push_back({.rewrite = "prefetch",
                   .kernel = kernel.kernel,
                   .kernelId = kernel.id,
                   .file = where.file,
                   .line = where.line,
                   .column = where.column,
                   .isAdvice = true,
                   .reason =
                       "the launch waits for managed memory that the host wrote, or that is new: "
                       "cudaMemPrefetchAsync brings it sooner, before the launch"});
  }
  return all;
}

} // namespace heddle::driver
