// SPDX-License-Identifier: Apache-2.0
//
// Random decisions of whole warps as lane masks. Everything is a function of seed and warp number,
// so a simulation gives the same bytes on any number of threads.
//
// A mask in which each lane is set with probability p comes from comparing random bits with the
// binary digits of p, most significant first, in all lanes at once. A lane is decided at the first
// digit in which its bits differ from p's, so about seven words serve 64 lanes. With p = .1011b:
//
//   digit of p   random bit of the lane
//       1               0   -> below p: set          1 -> equal so far, look on
//       0               1   -> above p: not set      0 -> equal so far, look on
#pragma once

#include "support/LaneMask.h"
#include "support/SplitMix64.h"

#include <array>
#include <cmath>
#include <cstdint>

namespace heddle::model {

/// What random words are for; each use of a warp has a sequence of its own.
enum class RandomUse : std::uint64_t { Decisions, Ties };

/// The random words of a warp for one use. Mixing twice keeps the starts of neighbours far apart.
inline SplitMix64 randomWords(std::uint64_t seed, std::uint32_t warp, RandomUse use) {
  const std::uint64_t place = std::uint64_t{warp} << 32 | static_cast<std::uint64_t>(use);
  return SplitMix64(mix64(mix64(seed) + place));
}

/// A probability as 64 binary digits.
class BinaryProbability {
public:
  explicit BinaryProbability(double p = 0)
      : always_(p >= 1), digits_(p >= 1 ? 0 : static_cast<std::uint64_t>(std::ldexp(p, 64))) {}

  /// 64 independent decisions.
  std::uint64_t draw(SplitMix64& random) const {
    if (always_)
      return ~std::uint64_t{0};
    std::uint64_t below = 0;
    std::uint64_t undecided = ~std::uint64_t{0};
    for (std::uint64_t digits = digits_; digits != 0 && undecided != 0; digits <<= 1) {
      const std::uint64_t digit = -(digits >> 63); // all ones or all zeros
      const std::uint64_t bits = random.next();
      below |= undecided & ~bits & digit;
      undecided &= ~(bits ^ digit);
    }
    return below;
  }

private:
  bool always_;
  std::uint64_t digits_;
};

/// For each path the lanes whose next iteration takes it; every lane is in exactly one mask.
template <int Ways> using PathMasks = std::array<LaneMask, Ways>;

/// Draws which path each lane takes, for one step of a warp after the other.
template <int Ways> class DecisionStream {
public:
  /// `probabilities` are those of the paths, in order.
  template <class Range>
  DecisionStream(const Range& probabilities, std::uint64_t seed, std::uint32_t warp)
      : random_(randomWords(seed, warp, RandomUse::Decisions)) {
    double rest = 1;
    for (int path = 0; path + 1 < Ways; ++path) {
      const double p = probabilities[std::size_t(path)];
      conditional_[std::size_t(path)] = BinaryProbability(rest > 0 ? p / rest : 0);
      rest -= p;
    }
  }

  PathMasks<Ways> next() {
    haveHigh_ = !haveHigh_;
    if (haveHigh_)
      drawTwo();
    PathMasks<Ways> masks;
    for (int path = 0; path < Ways; ++path)
      masks[std::size_t(path)] =
          static_cast<LaneMask>(pair_[std::size_t(path)] >> (haveHigh_ ? 0 : 32));
    return masks;
  }

private:
  /// Two warps' worth of decisions at once: the low and the high halves of 64-bit words.
  void drawTwo() {
    std::uint64_t rest = ~std::uint64_t{0};
    for (int path = 0; path + 1 < Ways; ++path) {
      const std::uint64_t taken = rest & conditional_[std::size_t(path)].draw(random_);
      pair_[std::size_t(path)] = taken;
      rest &= ~taken;
    }
    pair_[Ways - 1] = rest;
  }

  SplitMix64 random_;
  std::array<BinaryProbability, Ways - 1> conditional_;
  std::array<std::uint64_t, Ways> pair_{};
  bool haveHigh_ = false;
};

} // namespace heddle::model
