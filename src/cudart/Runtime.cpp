// SPDX-License-Identifier: Apache-2.0
#include "cudart/Runtime.h"

#include "cudart/CallPlace.h"
#include "cudart/Ending.h"
#include "cudart/ProfileLog.h"
#include "cudart/Registry.h"
#include "cudart/Remarks.h"
#include "engine/Textures.h"
#include "profile/ProgramSettings.h"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

namespace heddle::cudart {
namespace {

thread_local cudaError_t threadError = cudaSuccess;
std::atomic<Runtime*> started = nullptr;

Settings settingsOrEnd() {
  const auto settings = readSettings([](const char* name) { return std::getenv(name); });
  if (!settings)
    endWithFault(settings.error().message);
  return *settings;
}

std::uint64_t memoryBytes(const machine::Device& device) {
  return std::uint64_t(device.memoryMiB) << 20;
}

std::map<int, std::size_t> defaultLimits() {
  return {{cudaLimitStackSize, 1024},
          {cudaLimitPrintfFifoSize, std::size_t{1} << 20},
          {cudaLimitMallocHeapSize, std::size_t{8} << 20},
          {cudaLimitDevRuntimePendingLaunchCount, 2048}};
}

void startRecording(Runtime& runtime) {
  if (runtime.settings.record.empty() || !isFirstProcess())
    return;
  auto recorder = MemoryRecorder::create(runtime.settings.record);
  if (!recorder)
    endWithFault(within(profile::variableOf(profile::Setting::Record), recorder.error()).message);
  runtime.recorder = *std::move(recorder);
  if (runtime.settings.watch)
    runtime.recorder->watch(runtime.settings.watch->region);
  runtime.memory.observe(*runtime.recorder);
}

} // namespace

Runtime& Runtime::instance() {
  static Runtime* const runtime = [] {
    const Settings settings = settingsOrEnd();
    ProfileLog::instance().describe(
        settings.device.name, std::string(launch::reconvergenceName(settings.run.reconvergence)));
    auto* const made = new Runtime(settings);
    startRecording(*made);
    started = made;
    return made;
  }();
  return *runtime;
}

Runtime* Runtime::ifStarted() {
  return started;
}

Runtime::Runtime(const Settings& settings)
    : settings(settings), memory(memoryBytes(settings.device), settings.poison),
      clock(settings.run.fixedClock),
      launches(this->settings.device, settings.registers, settings.modelFault),
      managed(settings.poison ? poisonByte : 0), limits(defaultLimits()) {
  if (!settings.touches.empty() || settings.watch)
    touches.emplace(!settings.touches.empty(), settings.watch);
  if (settings.timeline || settings.recordedWarps > 0)
    launches.timer().keepTimelines();
}

void Runtime::reset() {
  if (recorder) {
    recordWriter();
    recorder->leave(memory);
  }
  memory.releaseAll();
  streams.clear();
  events.clear();
  arrays.clear();
  pools.clear();
  advice.clear();
  managed.clear();
  legacyStream = perThreadStream = {};
  graphs = {};
  engine::TextureTable::instance().clear();
  limits = defaultLimits();
  Registry::instance().forgetLoaded();
}

void Runtime::recordWriter() {
  if (recorder && touches && touches->watches())
    recorder->wrote(touches->lastWriter());
}

Stream* Runtime::findStream(cudaStream_t stream) {
  if (stream == nullptr || stream == cudaStreamLegacy)
    return &legacyStream;
  return stream == cudaStreamPerThread ? &perThreadStream : streams.find(stream);
}

std::mutex& apiMutex() {
  static std::mutex* const mutex = new std::mutex;
  return *mutex;
}

cudaError_t record(cudaError_t status) {
  if (status == cudaSuccess)
    return status;
  threadError = status;
  const Runtime* const runtime = Runtime::ifStarted();
  const bool isKnown = runtime == nullptr || runtime->stickyError != cudaSuccess;
  if (!isKnown && status != cudaErrorNotReady)
    Remarks::instance().failed(status, errorText(status), errorName(status));
  return status;
}

cudaError_t lastError() {
  const cudaError_t sticky = Runtime::instance().stickyError;
  return sticky != cudaSuccess ? sticky : threadError;
}

void clearLastError() {
  threadError = cudaSuccess;
}

cudaError_t answerException() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return cudaErrorMemoryAllocation;
  } catch (const std::exception& exception) {
    endWithFault(fmt::format("internal error: {}", exception.what()));
  }
}

cudaError_t notSupported(const char* function) {
  fmt::print(stderr, "heddle: error: {}{} is not supported yet\n", callersPlace(), function);
  return cudaErrorNotSupported;
}

} // namespace heddle::cudart
