// SPDX-License-Identifier: Apache-2.0
//
// What launches tell of the memory their threads touch: whether the threads of each kernel are
// independent (HEDDLE_TOUCHES), and who wrote one byte last (HEDDLE_WATCH).
#pragma once

#include "cudart/Memory.h"
#include "cudart/Settings.h"
#include "engine/CompiledKernel.h"
#include "engine/Launch.h"
#include "profile/TouchReport.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::cudart {

class TouchLog {
public:
  TouchLog(bool independence, std::optional<WatchedByte> watched)
      : independence_(independence), watched_(std::move(watched)) {}

  /// What to ask of a launch; nothing where nobody wants to know.
  std::optional<engine::LaunchTouches> ask(const engine::CompiledKernel& kernel,
                                           const Memory& memory) const;
  /// No answer for a launch that was not asked.
  void add(const std::string& id, const engine::CompiledKernel& kernel,
           const engine::LaunchRequest& request, const Memory& memory,
           const engine::LaunchTouches* answer);

  /// The host has written a range itself.
  void hostWrote(const Memory& memory, const void* begin, std::size_t size);

  bool watches() const { return watched_.has_value(); }
  /// Whether the watched byte lies in a range.
  bool watchesInside(const Memory& memory, const void* begin, std::size_t size) const;
  /// "a.cu:3: kernel 'k', block (0,0,0), thread (5,0,0)".
  const std::string& lastWriter() const { return lastWriter_; }

  const std::vector<profile::KernelTouches>& kernels() const { return kernels_; }

private:
  std::optional<std::uint64_t> watchedAddress(const Memory& memory) const;

  bool independence_;
  std::optional<WatchedByte> watched_;
  std::string lastWriter_ = "nobody";
  std::vector<profile::KernelTouches> kernels_; ///< in order of their first launches
  std::map<const engine::CompiledKernel*, std::size_t> numbers_;
};

} // namespace heddle::cudart
