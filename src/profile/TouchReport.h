// SPDX-License-Identifier: Apache-2.0
//
// Whether the threads of each kernel were independent of each other in a run. As JSON, in and out;
// docs/schema/touches.schema.json describes the document.
#pragma once

#include "profile/KernelProfile.h"
#include "support/Error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::profile {

/// One thread's access.
struct ThreadAccess {
  SourceLocation where;
  AccessKind access = AccessKind::Load;
  std::uint64_t thread = 0; ///< of the launch
  std::array<std::uint64_t, 3> block = {};
  std::array<std::uint64_t, 3> threadInBlock = {};
};

/// Two threads that touch one byte: not both only read it, not both only change it by atomics.
struct TouchedTwice {
  std::string region; ///< "cudaMalloc #3 (400 bytes)", "shared memory"
  std::uint64_t offset = 0;
  ThreadAccess first;
  ThreadAccess second;
};

struct KernelTouches {
  std::string id; ///< as KernelProfile has it
  std::string kernel;
  std::uint64_t launches = 0;
  std::optional<TouchedTwice> global; ///< the first; nothing: the threads were independent
  std::optional<TouchedTwice> shared; ///< through the shared memory of a block
};

std::string writeTouches(const std::vector<KernelTouches>& kernels);

/// `origin` is named in errors.
Expected<std::vector<KernelTouches>> readTouches(std::string_view text, std::string_view origin);

} // namespace heddle::profile
