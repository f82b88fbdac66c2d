// SPDX-License-Identifier: Apache-2.0
//
// Accesses outside of live memory that a launch lets pass, as one worker meets them. Put together
// they do not depend on which worker ran which block.
#pragma once

#include "profile/Stray.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace heddle::engine {

/// How far an access is from the live memory that it leaves.
struct StrayPlace {
  enum class Memory { Allocation, Shared, Local };

  Memory memory = Memory::Allocation;
  std::uint64_t begin = 0; ///< of the allocation or variable; blocks have their own shared memory
  profile::StraySide side = profile::StraySide::Behind;
  std::uint64_t reach = 0; ///< bytes from that end to its farthest one
};

struct CompiledKernel;
struct LaunchRequest;
class DeviceMemory;

class StrayNotes {
public:
  using Thread = std::pair<std::int64_t, int>; ///< number of the block, and in it

  /// Of lanes of one warp, of which `thread` is the first.
  void note(unsigned site, const StrayPlace& place, Thread thread, unsigned lanes);

  void add(const StrayNotes& others);

  /// By place; of copies of one line the sum.
  std::vector<profile::Stray> describe(const CompiledKernel& kernel, const LaunchRequest& request,
                                       const DeviceMemory& live) const;

private:
  using Key = std::tuple<unsigned, StrayPlace::Memory, std::uint64_t, profile::StraySide>;

  struct Sum {
    std::uint64_t reach = 0, count = 0;
    Thread first{};
  };

  void add(const Key& key, const Sum& more);

  std::map<Key, Sum> sums_;
};

} // namespace heddle::engine
