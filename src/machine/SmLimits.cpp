// SPDX-License-Identifier: Apache-2.0
#include "machine/SmLimits.h"

#include <initializer_list>

namespace heddle::machine {
namespace {

constexpr int KiB = 1024;

constexpr SmLimits withSizes(SmLimits limits, std::initializer_list<int> sizesKiB) {
  for (const int size : sizesKiB)
    limits.sizes[std::size_t(limits.sizeCount++)] = size * KiB;
  return limits;
}

constexpr SmLimits table[] = {
#define HEDDLE_SM_LIMITS(major, minor, W, B, T, R, RB, RT, U, rule, P, S, SB, SO, res, bar, ...)   \
  withSizes({{major, minor},                                                                       \
             W,                                                                                    \
             B,                                                                                    \
             T,                                                                                    \
             R * KiB,                                                                              \
             RB * KiB,                                                                             \
             RT,                                                                                   \
             U,                                                                                    \
             RegisterRule::rule,                                                                   \
             P,                                                                                    \
             S,                                                                                    \
             SB * KiB,                                                                             \
             SO * KiB,                                                                             \
             res,                                                                                  \
             bar,                                                                                  \
             {},                                                                                   \
             0},                                                                                   \
            {__VA_ARGS__}),
#include "machine/SmLimits.def"
#undef HEDDLE_SM_LIMITS
};

} // namespace

std::span<const SmLimits> allSmLimits() {
  return table;
}

Expected<SmLimits> findSmLimits(ComputeCapability computeCapability) {
  std::string known;
  for (const SmLimits& limits : table) {
    if (limits.computeCapability == computeCapability)
      return limits;
    known += (known.empty() ? "" : " ") + limits.computeCapability.text();
  }
  return fail(ErrorKind::NotFound, "no compute capability {}; known: {}", computeCapability.text(),
              known);
}

} // namespace heddle::machine
