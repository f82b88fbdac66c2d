// SPDX-License-Identifier: Apache-2.0
#include "engine/WarpRecorder.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace heddle::engine {
namespace {

constexpr std::size_t mostCounts = std::size_t{1} << 16;
constexpr std::size_t leastSample = 24;

/// SplitMix64's: no two numbers have the same.
std::uint64_t hashOfNumber(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15u;
  number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
  number = (number ^ number >> 27) * 0x94d049bb133111ebu;
  return number ^ number >> 31;
}

/// Gives paths of codes the numbers of stretches, which all warps share.
class StretchTable {
public:
  StretchTable(const std::vector<profile::Stretch>& code, profile::WarpRecords& records)
      : code_(code), records_(records) {}

  std::uint32_t numberOf(const std::vector<std::uint32_t>& path) {
    profile::Stretch stretch;
    for (const std::uint32_t code : path)
      for (const profile::LineRun& line : code_[code])
        if (!stretch.empty() && stretch.back().place == line.place)
          stretch.back().instructions += line.instructions;
        else
          stretch.push_back(line);
    const auto [known, isNew] =
        numbers_.try_emplace(std::move(stretch), std::uint32_t(records_.stretches.size()));
    if (isNew)
      records_.stretches.push_back(known->first);
    return known->second;
  }

private:
  const std::vector<profile::Stretch>& code_;
  profile::WarpRecords& records_;
  std::map<profile::Stretch, std::uint32_t> numbers_;
};

} // namespace

struct WarpRecorder::Kept {
  std::uint64_t launch;
  std::int64_t number; ///< of the block
  int warp;
  std::array<int, 3> block;
  LaneMask threads;
  std::uint64_t instructions;
  std::unique_ptr<WarpRecording> recording;

  auto place() const { return std::tuple(launch, number, warp); }
};

WarpRecorder::WarpRecorder(const CompiledKernel& kernel, int wanted)
    : code_(kernel.code), places_(kernel.codePlaces),
      wanted_(std::size_t(std::clamp(wanted, 1, mostWarps))),
      sampled_(std::max(leastSample, 2 * wanted_)) {}

WarpRecorder::~WarpRecorder() = default;

void WarpRecorder::beginLaunch(const std::array<int, 3>& grid) {
  const std::scoped_lock lock(mutex_);
  ++launches_;
  grid_ = grid;
}

std::unique_ptr<WarpRecording> WarpRecorder::take() {
  const std::scoped_lock lock(mutex_);
  if (spare_.empty())
    return std::make_unique<WarpRecording>();
  std::unique_ptr<WarpRecording> recording = std::move(spare_.back());
  spare_.pop_back();
  recording->clear();
  return recording;
}

/// By instructions without their low bits, as few of these as keep the table small: so the table
/// does not depend on who came first.
void WarpRecorder::count(std::uint64_t instructions) {
  ++warps_;
  ++counts_[instructions >> shift_];
  while (counts_.size() > mostCounts) {
    std::map<std::uint64_t, std::uint64_t> coarser;
    for (const auto& [length, warps] : counts_)
      coarser[length >> 1] += warps;
    counts_ = std::move(coarser);
    ++shift_;
  }
}

void WarpRecorder::add(std::unique_ptr<WarpRecording> recording, std::int64_t block, int warp,
                       LaneMask threads, std::uint64_t instructions) {
  recording->finish();
  const std::scoped_lock lock(mutex_);
  count(instructions);
  const std::uint64_t launch = launches_ - 1;
  const std::uint64_t hash =
      hashOfNumber(launch << 48 ^ std::uint64_t(block) << 5 ^ std::uint64_t(warp));
  const auto place = std::tuple(launch, block, warp);
  const auto isBefore = [&](const KeptWarp& other, bool more) {
    if (!other || instructions != other->instructions)
      return !other || (instructions > other->instructions) == more;
    return place < other->place();
  };
  const bool isSlowest = isBefore(slowest_, true), isFastest = isBefore(fastest_, false);
  const bool isSampled = sample_.size() < sampled_ || hash < sample_.rbegin()->first;
  if (!isSlowest && !isFastest && !isSampled) {
    spare_.push_back(std::move(recording));
    return;
  }
  const std::array<int, 3> index = {int(block % grid_[0]), int(block / grid_[0] % grid_[1]),
                                    int(block / grid_[0] / grid_[1])};
  const auto kept = std::make_shared<const Kept>(
      Kept{launch, block, warp, index, threads, instructions, std::move(recording)});
  slowest_ = isSlowest ? kept : slowest_;
  fastest_ = isFastest ? kept : fastest_;
  if (isSampled)
    sample_.emplace(hash, kept);
  if (sample_.size() > sampled_)
    sample_.erase(std::prev(sample_.end()));
}

std::uint64_t WarpRecorder::fewerThan(std::uint64_t instructions) const {
  std::uint64_t fewer = 0;
  for (const auto& [length, warps] : counts_) {
    if (length >= instructions >> shift_)
      break;
    fewer += warps;
  }
  return fewer;
}

/// Instructions of the warp that has this share of the others in front of it.
std::uint64_t WarpRecorder::atShare(double share) const {
  auto left = std::uint64_t(std::llround(share * double(warps_ - 1)));
  for (const auto& [length, warps] : counts_) {
    if (left < warps)
      return length << shift_;
    left -= warps;
  }
  return 0;
}

/// Each once.
std::vector<WarpRecorder::KeptWarp> WarpRecorder::candidates() const {
  std::vector<KeptWarp> all = {slowest_, fastest_};
  for (const auto& [hash, warp] : sample_)
    all.push_back(warp);
  const auto place = [](const KeptWarp& warp) { return warp->place(); };
  std::ranges::sort(all, {}, place);
  const auto [begin, end] = std::ranges::unique(all, {}, place);
  all.erase(begin, end);
  return all;
}

std::vector<std::pair<WarpRecorder::KeptWarp, profile::RecordedWarp::Role>>
WarpRecorder::choose() const {
  using Role = profile::RecordedWarp::Role;
  std::vector<std::pair<KeptWarp, Role>> chosen;
  if (warps_ == 0)
    return chosen;
  std::vector<KeptWarp> left = candidates();
  const auto take = [&](double share, Role role) {
    const std::uint64_t aim = atShare(share);
    const auto nearest = std::ranges::min_element(left, {}, [&](const KeptWarp& warp) {
      return std::max(warp->instructions, aim) - std::min(warp->instructions, aim);
    });
    if (nearest == left.end() || chosen.size() == wanted_)
      return;
    chosen.emplace_back(*nearest, role);
    left.erase(nearest);
  };
  chosen.emplace_back(slowest_, Role::Slowest);
  std::erase(left, slowest_);
  if (!left.empty() && wanted_ > 1) {
    const auto fastest = std::ranges::find(left, fastest_);
    if (fastest == left.end()) // all are as fast
      take(0, Role::Fastest);
    else {
      chosen.emplace_back(fastest_, Role::Fastest);
      left.erase(fastest);
    }
  }
  for (std::size_t i = 1; i + 1 < wanted_; ++i)
    take(double(i) / double(wanted_ - 1), 2 * i + 1 == wanted_ ? Role::Median : Role::Between);
  std::ranges::sort(chosen, [](const auto& a, const auto& b) {
    return std::tuple(b.first->instructions, a.second == Role::Fastest, a.first->place()) <
           std::tuple(a.first->instructions, b.second == Role::Fastest, b.first->place());
  });
  return chosen;
}

std::optional<profile::WarpRecords> WarpRecorder::records(std::chrono::milliseconds patience) {
  const std::unique_lock lock(mutex_, patience);
  if (!lock)
    return std::nullopt;
  profile::WarpRecords records{.warps = warps_, .places = places_};
  StretchTable stretches(code_, records);
  for (const auto& [kept, role] : choose()) {
    const WarpRecording& recording = *kept->recording;
    profile::RecordedWarp& warp =
        records.recorded.emplace_back(profile::RecordedWarp{.role = role,
                                                            .launch = kept->launch,
                                                            .block = kept->block,
                                                            .warp = kept->warp,
                                                            .threads = kept->threads,
                                                            .instructions = kept->instructions,
                                                            .recorded = recording.recorded(),
                                                            .fewer = fewerThan(kept->instructions),
                                                            .owners = recording.owners(),
                                                            .runs = recording.runs()});
    std::vector<std::uint32_t> numbers;
    for (const std::vector<std::uint32_t>& path : recording.paths())
      numbers.push_back(stretches.numberOf(path));
    for (profile::RecordedWarp::Run& run : warp.runs)
      run.stretch = numbers[run.stretch];
  }
  return records;
}

} // namespace heddle::engine
