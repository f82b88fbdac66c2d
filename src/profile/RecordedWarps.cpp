// SPDX-License-Identifier: Apache-2.0
#include "profile/RecordedWarps.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::profile {
namespace {

std::uint64_t lengthOf(const Stretch& stretch) {
  std::uint64_t sum = 0;
  for (const LineRun& line : stretch)
    sum += line.instructions;
  return sum;
}

std::string faultOfOwners(const LaneOwners& owners, LaneMask threads, std::size_t branches) {
  LaneMask seen = 0;
  const auto isTaken = [&seen](LaneMask lanes) {
    const bool twice = (seen & lanes) != 0;
    seen |= lanes;
    return twice;
  };
  bool twice = isTaken(owners.active) || isTaken(owners.finished);
  for (const LaneOwners::Loss& loss : owners.lost) {
    if (loss.branch >= branches)
      return fmt::format("branch {} of {}", loss.branch, branches);
    twice = isTaken(loss.lanes) || twice;
  }
  if (twice || seen != threads)
    return fmt::format("lanes {:08x} have an owner, {:08x} have a thread{}", seen, threads,
                       twice ? ", some have two owners" : "");
  return "";
}

std::string faultOfWarp(const RecordedWarp& warp, const WarpRecords& records,
                        std::size_t branches) {
  for (const LaneOwners& owners : warp.owners)
    if (std::string fault = faultOfOwners(owners, warp.threads, branches); !fault.empty())
      return fault;
  for (const RecordedWarp::Run& run : warp.runs)
    if (run.stretch >= records.stretches.size() || run.owners >= warp.owners.size())
      return fmt::format("a run of stretch {} of {} with owners {} of {}", run.stretch,
                         records.stretches.size(), run.owners, warp.owners.size());
  const std::uint64_t told = sumsOf(warp, records, branches).instructions;
  if (told != warp.recorded || warp.recorded > warp.instructions)
    return fmt::format("its runs tell {} instructions, not {} of {}", told, warp.recorded,
                       warp.instructions);
  return "";
}

} // namespace

RecordedSums sumsOf(const RecordedWarp& warp, const WarpRecords& records, std::size_t branches) {
  RecordedSums sums;
  sums.branches.resize(branches);
  std::vector<std::uint64_t> lengths;
  for (const Stretch& stretch : records.stretches)
    lengths.push_back(lengthOf(stretch));
  std::vector<std::uint64_t> ran(warp.owners.size()); // instructions by owners
  for (const RecordedWarp::Run& run : warp.runs)
    ran[run.owners] += lengths[run.stretch] * run.times;
  for (std::size_t i = 0; i < ran.size(); ++i) {
    const LaneOwners& owners = warp.owners[i];
    const auto slots = [&](LaneMask lanes) { return ran[i] * std::uint64_t(countLanes(lanes)); };
    sums.instructions += ran[i];
    sums.used += slots(owners.active);
    sums.finished += slots(owners.finished);
    sums.partial += slots(~warp.threads);
    for (const LaneOwners::Loss& loss : owners.lost)
      sums.branches[loss.branch] += slots(loss.lanes);
  }
  return sums;
}

std::string faultOf(const WarpRecords& records, std::size_t branches) {
  for (const Stretch& stretch : records.stretches)
    for (const LineRun& line : stretch)
      if (line.place >= records.places.size())
        return fmt::format("a stretch names place {} of {}", line.place, records.places.size());
  for (std::size_t i = 0; i < records.recorded.size(); ++i)
    if (const std::string fault = faultOfWarp(records.recorded[i], records, branches);
        !fault.empty())
      return fmt::format("recorded warp {}: {}", i, fault);
  return "";
}

} // namespace heddle::profile
