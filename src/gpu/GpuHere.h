// SPDX-License-Identifier: Apache-2.0
//
// The GPU of this machine, as the driver's own tool tells of it. Nothing of CUDA is linked.
#pragma once

#include "support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace heddle::gpu {

struct GpuHere {
  std::string name;         ///< "NVIDIA H200"
  std::string architecture; ///< "sm_90", for nvcc
  std::string id;           ///< as CUDA_VISIBLE_DEVICES names it

  /// What a program needs in its environment so that it runs on this one of several.
  std::vector<std::pair<std::string, std::string>> environment() const;
};

/// The first GPU that programs may use (CUDA_VISIBLE_DEVICES counts). An error says what nvidia-smi
/// said.
Expected<GpuHere> findGpu();

} // namespace heddle::gpu
