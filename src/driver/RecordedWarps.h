// SPDX-License-Identifier: Apache-2.0
//
// --record-warps, for the commands that run kernels.
#pragma once

#include "engine/WarpRecorder.h"
#include "support/Error.h"

namespace heddle::driver {

inline constexpr int usualRecordedWarps = engine::WarpRecorder::usualWarps;

/// 0 for none.
inline Expected<void> checkRecordedWarps(int warps) {
  if (warps < 0 || warps > engine::WarpRecorder::mostWarps)
    return fail(ErrorKind::BadInput, "--record-warps {}: expected 1 to {}", warps,
                engine::WarpRecorder::mostWarps);
  return {};
}

} // namespace heddle::driver
