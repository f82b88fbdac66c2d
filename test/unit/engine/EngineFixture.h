// SPDX-License-Identifier: Apache-2.0
//
// Compiles a kernel given as source text and runs it on a buffer.
#pragma once

#include "engine/Launch.h"
#include "frontend/DeviceCompiler.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

namespace heddle::engine {

inline Expected<CompiledKernel> compileText(const std::string& source) {
  const std::string file =
      (std::filesystem::temp_directory_path() / fmt::format("heddle-test-{}.cu", getpid()))
          .string();
  HEDDLE_CHECK(writeFile(file, source));
  auto bitcode = frontend::compileDevice(file, {});
  std::filesystem::remove(file);
  if (!bitcode)
    return tl::unexpected(bitcode.error());
  HEDDLE_TRY(frontend::DeviceModule module, frontend::parseDeviceModule(*bitcode, "test.cu"));
  return CompiledKernel::compile(std::move(module), "k");
}

/// Runs `extern "C" __global__ void k(int* data, int n)` on a buffer.
template <class T>
Expected<profile::LaunchProfile> runOn(const CompiledKernel& kernel, std::vector<T>& data, int grid,
                                       int block) {
  AddressMap memory;
  memory.add(data.data(), data.size() * sizeof(T));
  LaunchRequest request;
  request.grid = {grid, 1, 1};
  request.block = {block, 1, 1};
  request.arguments.resize(kernel.argumentSize());
  T* pointer = data.data();
  const int size = static_cast<int>(data.size());
  std::memcpy(request.arguments.data(), &pointer, sizeof pointer);
  std::memcpy(request.arguments.data() + kernel.argumentOffsets().at(1), &size, sizeof size);
  return launch(kernel, request, memory);
}

} // namespace heddle::engine
