// SPDX-License-Identifier: Apache-2.0
//
// A user's program built by nvcc, where there is one: with the flags that were given to heddle, in
// nvcc's spelling, and the device library on the include path.
#pragma once

#include "driver/ChangedFiles.h"
#include "driver/RunCommand.h"
#include "frontend/Toolchain.h"
#include "gpu/GpuHere.h"
#include "support/Error.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace heddle::driver {

/// What nvcc has against something: the first line of its complaint. Nothing: it is fine.
using NvccComplaint = std::optional<std::string>;

/// Those that were given to heddle, in nvcc's spelling: for the compiler, and for the linker.
std::vector<std::string> nvccFlags(const frontend::CompilerFlags& flags);
std::vector<std::string> nvccLinkFlags(const frontend::CompilerFlags& flags);

class NvccBuild {
public:
  /// An error where no nvcc is found, or it does not run. `folder` is ours.
  static Expected<NvccBuild> open(const RunOptions& options, const std::filesystem::path& folder);

  /// "13.0"
  const std::string& version() const { return version_; }

  /// A source of the program to an object that nobody needs, for the modelled GPU or the next newer
  /// one that nvcc knows. An error only when it was stopped.
  Expected<NvccComplaint> compile(const frontend::ProgramSpec& program,
                                  const std::string& source) const;

  /// To a program for this GPU, optimised, with a clock around its launches (gpu/KernelClock.h).
  Expected<NvccComplaint> build(const frontend::ProgramSpec& program, const gpu::GpuHere& gpu,
                                const std::filesystem::path& to) const;

private:
  NvccBuild(const RunOptions& options, std::filesystem::path folder, frontend::Toolchain toolchain)
      : options_(options), folder_(std::move(folder)), toolchain_(std::move(toolchain)) {}

  struct Printed {
    int status = 0;
    std::string text;
  };
  Expected<Printed> run(const std::vector<std::string>& words) const;
  /// Of the modelled GPU.
  std::optional<std::string> architecture() const;
  Expected<NvccComplaint> complaintTo(const frontend::CompilerFlags& given,
                                      const std::vector<std::string>& words,
                                      const std::optional<std::string>& architecture) const;

  const RunOptions& options_;
  std::filesystem::path folder_;
  frontend::Toolchain toolchain_; ///< holds the device library
  std::filesystem::path nvcc_;
  std::string version_;
};

} // namespace heddle::driver
