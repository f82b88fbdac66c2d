// SPDX-License-Identifier: Apache-2.0
//
// The exact chain. A lane's state is the place in the word where it ran last; it next runs at the
// following A with probability p, at the following B with probability q = 1 - p.
//
//   word    A A B B B | A B B | ...        segment s: x_s times A, then y_s times B
//
// An A that is not the first of its run is reached only from the A before it, so the probabilities
// within a run fall geometrically: A_j = p^j a_s, where a_s belongs to the first A of segment s,
// and likewise B_j = q^j b_s. A first A is reached from the last A of the run before, or from any B
// of the run before; the same holds for a first B. Summing the runs gives a recurrence around the
// word:
//
//   b_s     = q^y_{s-1} b_{s-1} + (1 - p^x_s) a_s
//   a_{s+1} = p^x_s     a_s     + (1 - q^y_s) b_s
//
// Steps:
//   1. run the recurrence once around the word for two start vectors; the stationary one is fixed
//   2. run it once more from the fixed vector, adding up probability and expected delay
#include "model/FixedSchedule.h"

#include <cassert>
#include <cmath>

namespace heddle::model {
namespace {

/// Probability and delay that one run of a letter adds, by its first place's probability 1.
struct RunSums {
  double power;       ///< r^length
  double probability; ///< sum of r^j
  double delay;       ///< sum of r^j * (expected steps to the next place)
};

/// A run of `length` places of a letter taken with probability r; the other letter's next run has
/// `gap` places. From place j the same letter comes next after 1 step, or after 1 + gap from the
/// last place; the other letter comes after length - j steps.
RunSums sumRun(int length, int gap, double r) {
  RunSums sums{1, 0, 0};
  for (int j = 0; j < length; ++j) {
    const double same = j + 1 < length ? 1 : 1 + gap;
    sums.probability += sums.power;
    sums.delay += sums.power * (r * same + (1 - r) * (length - j));
    sums.power *= r;
  }
  return sums;
}

struct Entry {
  double a; ///< probability of the first A of this segment
  double b; ///< probability of the first B of the segment before
};

/// Step of the recurrence over one segment.
Entry advance(Entry entry, double powerX, double powerYBefore, double powerY) {
  const double b = powerYBefore * entry.b + (1 - powerX) * entry.a;
  return {powerX * entry.a + (1 - powerY) * b, b};
}

/// The vector that a linear map of the plane with eigenvalue 1 leaves as it is.
Entry fixedVector(Entry imageOfA, Entry imageOfB) {
  // (M - 1) v = 0 with M's columns given; take the row with the larger entries.
  const double row0[] = {imageOfA.a - 1, imageOfB.a};
  const double row1[] = {imageOfA.b, imageOfB.b - 1};
  const bool first = std::abs(row0[0]) + std::abs(row0[1]) > std::abs(row1[0]) + std::abs(row1[1]);
  const double* row = first ? row0 : row1;
  return {std::abs(row[1]), std::abs(row[0])};
}

} // namespace

double approximateSteps(const std::vector<Segment>& segments, double p) {
  double sumX = 0, sumY = 0, delaysX = 0, delaysY = 0;
  for (const Segment& segment : segments) {
    sumX += segment.x;
    sumY += segment.y;
    delaysX += segment.x * (segment.x + 1) / 2.0;
    delaysY += segment.y * (segment.y + 1) / 2.0;
  }
  const double q = 1 - p;
  const double length = sumX + sumY;
  return length / sumX * p * p + length / sumY * q * q + (delaysX / sumX + delaysY / sumY) * p * q;
}

double exactSteps(const std::vector<Segment>& segments, double p) {
  assert(p > 0 && p < 1 && "a lane that takes one path only has no stationary mix");
  const double q = 1 - p;
  const std::size_t count = segments.size();
  const auto at = [&](std::size_t s) -> const Segment& { return segments[s % count]; };

  // Step 1: the fixed vector
  Entry fromA{1, 0}, fromB{0, 1};
  double powerYBefore = std::pow(q, at(count - 1).y);
  for (std::size_t s = 0; s < count; ++s) {
    const double powerX = std::pow(p, at(s).x);
    const double powerY = std::pow(q, at(s).y);
    fromA = advance(fromA, powerX, powerYBefore, powerY);
    fromB = advance(fromB, powerX, powerYBefore, powerY);
    powerYBefore = powerY;
  }
  Entry entry = fixedVector(fromA, fromB);

  // Step 2: probability and delay around the word
  double probability = 0, delay = 0;
  powerYBefore = std::pow(q, at(count - 1).y);
  for (std::size_t s = 0; s < count; ++s) {
    const RunSums runA = sumRun(at(s).x, at(s).y, p);
    const RunSums runB = sumRun(at(s).y, at(s + 1).x, q);
    const double a = entry.a;
    entry = advance(entry, runA.power, powerYBefore, runB.power);
    probability += a * runA.probability + entry.b * runB.probability;
    delay += a * runA.delay + entry.b * runB.delay;
    powerYBefore = runB.power;
  }
  return delay / probability;
}

} // namespace heddle::model
