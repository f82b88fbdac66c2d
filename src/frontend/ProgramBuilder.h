// SPDX-License-Identifier: Apache-2.0
//
// CUDA, C++ and C files to one executable that runs on the engine: the device code of each .cu file
// is embedded in its host object, and the runtime library finds it there. docs/design/running.md.
#pragma once

#include "frontend/ClangRun.h"
#include "frontend/CompilerFlags.h"
#include "frontend/ProgramSpec.h"
#include "support/Error.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

struct BuildOptions {
  ProgramSpec program; ///< levels are the host code's; device code is always compiled at 2
  std::filesystem::path runtime; ///< libheddle_cudart.so
  std::filesystem::path nvcc;    ///< makes the device code; empty: clang does
  bool useCache = true;
  bool keepResults = true; ///< in the cache; what is there is taken in any case
  Diagnostics diagnostics;
};

struct BuiltObject {
  std::string object;
  std::vector<std::string> kernels; ///< symbols
  bool hasUnknownPtx = false;       ///< instructions that cannot be run
  /// Kernels that the host code launches and the device code lacks: nvcc skips what stands under
  /// `#ifdef __clang__`, and clang, which compiles the host code, does not.
  std::vector<std::string> missing;
  /// Kernels that would read a lambda's captures where the host code has not put them.
  std::vector<std::string> laidOutOtherwise;
};

struct BuiltProgram {
  std::filesystem::path path;
  std::vector<std::string> kernels; ///< of all its files, as the next three
  bool hasUnknownPtx = false;
  std::vector<std::string> missing;
  std::vector<std::string> laidOutOtherwise;
};

/// Which of the compilers' passes a file takes; Device stands for both of a .cu file.
Expected<Pass> passOf(const std::string& source, const CompilerFlags& flags);

/// By its name, or by the language that the flags give.
bool isSource(const std::string& file, const CompilerFlags& flags);

/// One source file to an object for the linker.
Expected<BuiltObject> buildObject(const BuildOptions& options, const std::string& source,
                                  const std::filesystem::path& folder);

/// Builds the program in a folder of ours.
Expected<BuiltProgram> buildProgram(const BuildOptions& options,
                                    const std::filesystem::path& folder);

/// Device code as it is embedded: "HEDDLEFB", its size in 8 bytes, little end first, bitcode or
/// PTX.
std::string wrapDeviceCode(std::string_view code);

} // namespace heddle::frontend
