// SPDX-License-Identifier: Apache-2.0
#include "engine/WarpRecording.h"

#include <algorithm>

namespace heddle::engine {
namespace {

constexpr std::size_t longestPath = 64;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

std::uint64_t hashOfOwners(const profile::LaneOwners& owners) {
  std::uint64_t hash = mixed(owners.finished, owners.active);
  for (const auto& [branch, lanes] : owners.lost)
    hash = mixed(hash, std::uint64_t(branch) << 32 | lanes);
  return hash;
}

std::uint64_t hashOfPath(const std::vector<std::uint32_t>& path) {
  std::uint64_t hash = path.size();
  for (const std::uint32_t code : path)
    hash = mixed(hash, code);
  return hash;
}

/// The number of a value in a list, where it is added if it is new.
template <class Value>
std::uint32_t numberIn(std::vector<Value>& list,
                       std::unordered_multimap<std::uint64_t, std::uint32_t>& byHash,
                       std::uint64_t hash, const Value& value) {
  const auto [begin, end] = byHash.equal_range(hash);
  for (auto known = begin; known != end; ++known)
    if (list[known->second] == value)
      return known->second;
  byHash.emplace(hash, std::uint32_t(list.size()));
  list.push_back(value);
  return std::uint32_t(list.size() - 1);
}

} // namespace

void WarpRecording::clear() {
  recorded_ = 0;
  path_.clear();
  runs_.clear();
  owners_.clear();
  ownersByHash_.clear();
  paths_.clear();
  pathsByHash_.clear();
}

std::uint32_t WarpRecording::numberOf(profile::LaneOwners owners) {
  // A branch may have parted lanes more than once: each is lost to it.
  std::ranges::sort(owners.lost);
  std::size_t kept = 0;
  for (std::size_t i = 1; i < owners.lost.size(); ++i)
    if (owners.lost[i].branch == owners.lost[kept].branch)
      owners.lost[kept].lanes |= owners.lost[i].lanes;
    else
      owners.lost[++kept] = owners.lost[i];
  if (!owners.lost.empty())
    owners.lost.resize(kept + 1);
  return numberIn(owners_, ownersByHash_, hashOfOwners(owners), owners);
}

bool WarpRecording::add(std::uint32_t code, std::uint32_t instructions, std::uint32_t owners) {
  if (instructions == 0)
    return true;
  if (owners != running_ || path_.size() >= longestPath ||
      std::ranges::find(path_, code) != path_.end()) {
    endPath();
    if (isFull())
      return false;
  }
  running_ = owners;
  path_.push_back(code);
  recorded_ += instructions;
  return true;
}

void WarpRecording::endPath() {
  if (path_.empty())
    return;
  const std::uint32_t number = numberIn(paths_, pathsByHash_, hashOfPath(path_), path_);
  path_.clear();
  if (!runs_.empty() && runs_.back().stretch == number && runs_.back().owners == running_ &&
      runs_.back().times != ~std::uint32_t{0})
    ++runs_.back().times;
  else
    runs_.push_back({number, running_, 1});
}

} // namespace heddle::engine
