// SPDX-License-Identifier: Apache-2.0
//
// Compiles a kernel given as source text and runs it on a buffer.
#pragma once

#include "engine/DeviceProgram.h"
#include "engine/Launch.h"
#include "frontend/DeviceCompiler.h"
#include "support/Files.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

namespace heddle::engine {

/// Opens the body of a kernel.
inline const std::string index = "const int i = blockIdx.x * blockDim.x + threadIdx.x;";

/// A program and its kernel `k`.
struct TestKernel {
  std::unique_ptr<DeviceProgram> program;
  const CompiledKernel* kernel = nullptr;
};

inline Expected<TestKernel> compileText(const std::string& source) {
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const std::string file = (std::filesystem::path(folder.path()) / "test.cu").string();
  HEDDLE_CHECK(writeFile(file, source));
  HEDDLE_TRY(const std::string bitcode, frontend::compileDevice(file, {}));
  HEDDLE_TRY(frontend::DeviceModule module, frontend::parseDeviceModule(bitcode, "test.cu"));
  TestKernel result;
  HEDDLE_TRY(result.program, DeviceProgram::load(std::move(module)));
  HEDDLE_TRY(result.kernel, result.program->kernel("k"));
  return result;
}

/// Runs `extern "C" __global__ void k(T* data, int n)` on a buffer; a fault is part of the outcome.
template <class T>
Expected<LaunchOutcome> launchOn(const TestKernel& test, std::vector<T>& data, int grid, int block,
                                 const LaunchSettings& settings = {}) {
  DeviceMemory memory;
  memory.add(data.data(), data.size() * sizeof(T), "the test's buffer");
  for (const DeviceVariable& variable : test.program->variables())
    memory.add(variable.address, variable.size, fmt::format("variable '{}'", variable.name));
  LaunchRequest request;
  request.grid = {grid, 1, 1};
  request.block = {block, 1, 1};
  request.arguments.resize(test.kernel->argumentSize());
  T* pointer = data.data();
  const int size = static_cast<int>(data.size());
  std::memcpy(request.arguments.data(), &pointer, sizeof pointer);
  std::memcpy(request.arguments.data() + test.kernel->argumentOffsets().at(1), &size, sizeof size);
  return launch(*test.kernel, request, memory, settings);
}

/// The same where no fault is expected.
template <class T>
Expected<profile::KernelProfile> runOn(const TestKernel& test, std::vector<T>& data, int grid,
                                       int block, const LaunchSettings& settings = {}) {
  HEDDLE_TRY(const LaunchOutcome outcome, launchOn(test, data, grid, block, settings));
  if (outcome.fault)
    return fail(ErrorKind::BadInput, "{}", outcome.fault->message);
  return outcome.profile;
}

} // namespace heddle::engine
