// SPDX-License-Identifier: Apache-2.0
//
// The policies of Policy.h as the simulation's inner loop runs them: one small class each, with
//
//   int choose(const PathMasks<Ways>& wanting, const LaneCounters& done);
//
// `wanting` holds for each path the live lanes whose next iteration takes it; at least one is not
// empty. Ties go to the path that comes first, but for the frequency policy, where it can be
// chosen.
#pragma once

#include "model/Branching.h"
#include "model/DecisionStream.h"
#include "model/LaneCounters.h"
#include "model/Policy.h"
#include "model/Word.h"
#include "support/LaneMask.h"

#include <array>
#include <vector>

namespace heddle::model {

/// Runs a word over and over. Alternating is the word A B C ...
/// Where no lane wants the path whose turn it is, the next path of the word that some lane wants
/// runs in its place; the following turn is the word's next one all the same.
template <int Ways> class WordRule {
public:
  WordRule(const Word& word, bool skipEmpty) : skipEmpty_(skipEmpty) {
    for (int place = 0; place < word.length(); ++place)
      paths_.push_back(word.path(place));
  }

  int choose(const PathMasks<Ways>& wanting, const LaneCounters&) {
    std::size_t place = place_;
    place_ = after(place_);
    while (skipEmpty_ && wanting[std::size_t(paths_[place])] == 0)
      place = after(place);
    return paths_[place];
  }

private:
  std::size_t after(std::size_t place) const { return place + 1 == paths_.size() ? 0 : place + 1; }

  std::vector<int> paths_;
  std::size_t place_ = 0;
  bool skipEmpty_;
};

/// The path most lanes want. How ties are broken matters: in favour of the rarer path is better.
template <int Ways> class FrequencyRule {
public:
  FrequencyRule(Ties ties, std::uint64_t seed, std::uint32_t warp)
      : ties_(ties), random_(randomWords(seed, warp, RandomUse::Ties)) {}

  int choose(const PathMasks<Ways>& wanting, const LaneCounters&) {
    int best = 0;
    int most = countLanes(wanting[0]);
    std::uint32_t tied = 1;
    for (int path = 1; path < Ways; ++path) {
      const int count = countLanes(wanting[std::size_t(path)]);
      tied = count > most ? 1 : count == most ? tied + 1 : tied;
      if (count > most || (count == most && passesOn(tied)))
        best = path;
      most = count > most ? count : most;
    }
    return best;
  }

private:
  /// Whether the last of `tied` equal paths takes the turn from those before it.
  bool passesOn(std::uint32_t tied) {
    if (ties_ != Ties::Fair)
      return ties_ == Ties::Last;
    return (random_.next() & 0xffffffffu) * tied >> 32 == 0; // one in `tied`: each is as likely
  }

  Ties ties_;
  SplitMix64 random_;
};

/// The majority among the least advanced lanes; among all live lanes where those are split evenly.
template <int Ways> class LaggardRule {
public:
  int choose(const PathMasks<Ways>& wanting, const LaneCounters& done) {
    LaneMask live = 0;
    for (const LaneMask mask : wanting)
      live |= mask;
    const LaneMask behind = done.least(live);
    int best = 0;
    int most = -1;
    for (int path = 0; path < Ways; ++path) {
      const LaneMask mask = wanting[std::size_t(path)];
      const int count = countLanes(mask & behind) * 64 + countLanes(mask);
      best = count > most ? path : best;
      most = count > most ? count : most;
    }
    return best;
  }
};

/// Every step each path ages by the number of lanes that want it, weighed by 1 / cost where asked;
/// the oldest path runs and starts again at 0. A path with an age has lanes that want it, since
/// they stay until it runs.
template <int Ways> class AgingRule {
public:
  AgingRule(const Branching& branching, bool byCost) {
    for (int path = 0; path < Ways; ++path)
      weight_[std::size_t(path)] = byCost ? 1 / branching.cost(path) : 1;
  }

  int choose(const PathMasks<Ways>& wanting, const LaneCounters&) {
    int best = 0;
    double oldest = -1;
    for (int path = 0; path < Ways; ++path) {
      double& age = age_[std::size_t(path)];
      age += countLanes(wanting[std::size_t(path)]) * weight_[std::size_t(path)];
      best = age > oldest ? path : best;
      oldest = age > oldest ? age : oldest;
    }
    age_[std::size_t(best)] = 0;
    return best;
  }

private:
  std::array<double, Ways> age_{};
  std::array<double, Ways> weight_{};
};

} // namespace heddle::model
