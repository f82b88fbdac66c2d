// SPDX-License-Identifier: Apache-2.0
//
// The time of every kernel that a program launches on a GPU, without a change to its source:
// kernel_clock.cu is linked in, and stands between the program and the runtime library.
#pragma once

#include "gpu/GpuHere.h"
#include "support/Error.h"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::gpu {

/// What nvcc must be told beside the clock's source.
inline constexpr std::array<const char*, 2> clockFlags = {"-Xlinker", "--wrap=__cudaLaunchKernel"};

/// Writes the clock's source into a folder, and returns its path.
Expected<std::filesystem::path> writeKernelClock(const std::filesystem::path& folder);

/// Writes the script that measures a bundle (driver/FixBundle.h), and returns its path.
Expected<std::filesystem::path> writeMeasuringScript(const std::filesystem::path& folder);

/// Runs a program that has the clock to its end: seconds of all its kernels together. What it
/// prints goes to a file beside it. `environment` is added to it: HEDDLE_BLOCKS gives kernels
/// blocks of another size (profile/GivenBlocks.h).
Expected<double>
timeKernels(const std::filesystem::path& program, const std::vector<std::string>& arguments,
            const GpuHere& gpu,
            const std::vector<std::pair<std::string, std::string>>& environment = {});

} // namespace heddle::gpu
