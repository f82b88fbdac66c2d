// SPDX-License-Identifier: Apache-2.0
//
// The state of the runtime API: one modelled GPU, its memory, streams and events. Every API
// function goes through `call`, so that several host threads may use it at once.
#pragma once

#include "cudart/Arrays.h"
#include "cudart/CudaTypes.h"
#include "cudart/DeviceClock.h"
#include "cudart/Graphs.h"
#include "cudart/HandleTable.h"
#include "cudart/HostGuard.h"
#include "cudart/ManagedAdvice.h"
#include "cudart/ManagedPages.h"
#include "cudart/Memory.h"
#include "cudart/MemoryRecorder.h"
#include "cudart/Pools.h"
#include "cudart/Settings.h"
#include "cudart/TouchLog.h"
#include "launch/LaunchService.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace heddle::cudart {

struct Stream {
  static constexpr int leastPriority = 0;
  static constexpr int greatestPriority = -5;

  unsigned flags = 0;
  int priority = leastPriority;
  // Attributes that are kept to be told again
  cudaAccessPolicyWindow window = {};
  cudaSynchronizationPolicy waiting = cudaSyncPolicyAuto;
  cudaLaunchMemSyncDomainMap domains = {0, 1};
  cudaLaunchMemSyncDomain domain = cudaLaunchMemSyncDomainDefault;
};

struct Event {
  unsigned flags = 0;
  std::optional<double> recorded; ///< seconds of the device's clock
};

class Runtime {
public:
  /// Reads the settings at the first call; a bad one ends the program. Never destroyed, since the
  /// program's own destructors still call us.
  static Runtime& instance();
  /// Nothing before the first call, and while the settings are read.
  static Runtime* ifStarted();

  explicit Runtime(const Settings& settings);

  /// As cudaDeviceReset: nothing of the program's is left on the device.
  void reset();

  bool isStream(cudaStream_t stream) { return findStream(stream) != nullptr; }
  /// Nothing for a stream that is destroyed or was never made.
  Stream* findStream(cudaStream_t stream);

  /// For a memory record: who wrote the watched byte last.
  void recordWriter();

  const Settings settings;
  Memory memory;
  std::unique_ptr<MemoryRecorder> recorder; ///< nothing unless the settings ask for a record
  std::optional<TouchLog> touches;          ///< nothing unless the settings ask for it
  DeviceClock clock;
  launch::LaunchService launches;
  HandleTable<cudaStream_t, Stream> streams;
  Stream legacyStream, perThreadStream; ///< which are always there
  HandleTable<cudaEvent_t, Event> events;
  HandleTable<cudaArray_t, Array> arrays;
  Pools pools;
  ManagedAdvice advice;
  ManagedPages managed;
  Graphs graphs;
  /// By cudaLimit: stack, printf buffer, heap, launches by kernels. Stack and heap have an effect.
  std::map<int, std::size_t> limits;
  unsigned deviceFlags = 0;
  int grids = 0;                         ///< that were launched so far
  cudaError_t stickyError = cudaSuccess; ///< of a kernel that faulted: every call returns it
};

/// Held by every API function while it works, but not while a callback of the program runs.
std::mutex& apiMutex();

/// Keeps an error for cudaGetLastError and for the report, and passes it on.
cudaError_t record(cudaError_t status);
cudaError_t lastError();
/// As cudaGetErrorString and cudaGetErrorName, without a program that asks.
const char* errorText(cudaError_t error);
const char* errorName(cudaError_t error);
void clearLastError();

/// For what is declared but not there: says so on stderr.
cudaError_t notSupported(const char* function);

/// For the exception being handled: out of memory is an answer, anything else ends the program.
cudaError_t answerException();

/// Runs the body of an API function: locked, with its error recorded, nothing thrown.
template <class Body> cudaError_t call(Body body) noexcept {
  const std::lock_guard lock(apiMutex());
  const OpenMemory open;
  try {
    Runtime& runtime = Runtime::instance();
    return record(runtime.stickyError != cudaSuccess ? runtime.stickyError : body(runtime));
  } catch (...) {
    return record(answerException());
  }
}

} // namespace heddle::cudart
