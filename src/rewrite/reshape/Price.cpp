// SPDX-License-Identifier: Apache-2.0
#include "rewrite/reshape/Price.h"

#include "advise/Losses.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::rewrite::reshape {

advise::Price priceReshape(const profile::KernelProfile& kernel, const advise::PricedBranch&) {
  const double share =
      double(kernel.lostToPartial) / double(std::max<std::uint64_t>(kernel.slots(), 1));
  return {.speedup = advise::mostSpeedup(kernel, share),
          .why = fmt::format("{:.1f} % of the lanes have no thread", 100 * share)};
}

} // namespace heddle::rewrite::reshape
