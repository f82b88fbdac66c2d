// SPDX-License-Identifier: Apache-2.0
//
// NVIDIA's compiler, where a toolkit is installed.
#pragma once

#include "gpu/GpuHere.h"
#include "support/Error.h"

#include <filesystem>
#include <functional>
#include <string_view>

namespace heddle::gpu {

/// Whether nvcc may be used where nobody asked for it: HEDDLE_NVCC is not 0.
bool mayUseNvcc();

/// The nvcc that HEDDLE_NVCC names; else on the PATH, below CUDA_HOME or CUDA_PATH, or below
/// /usr/local/cuda.
Expected<std::filesystem::path> findNvcc();

/// Compiles one CUDA file to a program in `folder`, as its authors would: -O3, C++17, for this GPU.
/// What nvcc prints goes to `print`.
Expected<std::filesystem::path> compileForGpu(const std::filesystem::path& nvcc,
                                              const std::filesystem::path& source,
                                              const GpuHere& gpu,
                                              const std::filesystem::path& folder,
                                              const std::function<void(std::string_view)>& print);

} // namespace heddle::gpu
