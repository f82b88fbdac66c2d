// SPDX-License-Identifier: Apache-2.0
//
// Worked example, for blocks of 25 threads: 32 of them are 25 whole warps, but a large block. 5 are
// 125 threads, which leave 3 of 128 lanes without one.
#include "rewrite/reshape/PackSizes.h"

#include "rewrite/reshape/LaunchShape.h"
#include "support/LaneMask.h"

#include <numeric>

namespace heddle::rewrite::reshape {
namespace {

constexpr int few = 128, many = 256;
constexpr int mostAlongZ = 64;

/// Of the lanes of its warps, those that have a thread.
double filled(int threads) {
  const int warps = (threads + warpSize - 1) / warpSize;
  return double(threads) / double(warps * warpSize);
}

} // namespace

std::vector<int> packSizes(int threads, std::size_t axis) {
  const int most = axis == 2 ? mostAlongZ : mostThreads;
  const auto fits = [&](int count) {
    return count > 1 && count <= most && count * threads <= mostThreads;
  };
  std::vector<int> found;
  const int step = warpSize / std::gcd(threads, warpSize); // so many are whole warps
  int whole = step;
  while (whole * threads < few)
    whole += step;
  if (fits(whole))
    found.push_back(whole);
  if (fits(2 * whole) && 2 * whole * threads <= 2 * many)
    found.push_back(2 * whole);
  int best = 0;
  for (int count = 2; count * threads <= many; ++count)
    if (fits(count) && (best == 0 || filled(count * threads) > filled(best * threads)))
      best = count;
  if (found.size() < 2 && best > 0 && best != whole)
    found.push_back(best);
  return found;
}

} // namespace heddle::rewrite::reshape
