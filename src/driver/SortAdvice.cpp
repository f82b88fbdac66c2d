// SPDX-License-Identifier: Apache-2.0
#include "driver/SortAdvice.h"

#include "advise/Prediction.h"
#include "machine/DeviceCatalog.h"
#include "rewrite/sorted_items/SortedItems.h"

namespace heddle::driver {

std::vector<advise::Candidate> sortAdvice(const profile::ProgramProfile& profile,
                                          const Sources& sources) {
  const auto target = machine::resolveTarget(profile.device);
  const int multiprocessors = target && target->device ? target->device->multiprocessors : 0;
  std::vector<advise::Candidate> all;
  for (const profile::KernelProfile& kernel : profile.kernels) {
    if (!losesEnough(kernel))
      continue;
    for (const auto& [file, source] : sources) {
      const clang::FunctionDecl* found = rewrite::findKernel(*source, kernel.symbol());
      const auto advice =
          found != nullptr
              ? rewrite::sorted_items::adviseSorting(*source, *found, kernel, multiprocessors)
              : std::nullopt;
      if (!advice)
        continue;
      advise::Candidate& candidate =
          all.emplace_back(advise::Candidate{.rewrite = rewrite::sorted_items::name,
                                             .kernel = kernel.kernel,
                                             .kernelId = kernel.id,
                                             .file = file,
                                             .line = source->lineOf(found->getLocation()),
                                             .column = source->columnOf(found->getLocation()),
                                             .isAdvice = true,
                                             .reason = advice->text});
      advise::predict(candidate, kernel, advice->speedup);
    }
  }
  return all;
}

} // namespace heddle::driver
