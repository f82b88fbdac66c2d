// SPDX-License-Identifier: Apache-2.0
#include "engine/LaterSums.h"

#include <cstring>

namespace heddle::engine {
namespace {

template <class Float> void addTo(const LaterSums::Sum& sum) {
  Float value, before;
  std::memcpy(&value, &sum.value, sizeof value);
  auto* const place = reinterpret_cast<void*>(sum.address);
  std::memcpy(&before, place, sizeof before);
  before += value;
  std::memcpy(place, &before, sizeof before);
}

} // namespace

void LaterSums::settle(const Sum& sum) {
  if (sum.bytes == sizeof(double))
    addTo<double>(sum);
  else
    addTo<float>(sum);
}

void LaterSums::settle() {
  for (const Sum& sum : sums_)
    settle(sum);
  sums_.clear();
  allocations_.clear();
  last_ = {};
}

} // namespace heddle::engine
