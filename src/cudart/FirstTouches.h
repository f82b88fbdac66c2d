// SPDX-License-Identifier: Apache-2.0
//
// What the first touch of managed memory costs the launches, copies and prefetches of a program:
// which side has what (ManagedPages), what a launch touches (timing/FirstTouch.h), and the clock of
// the modelled GPU, which goes on by it.
#pragma once

#include "cudart/Runtime.h"

namespace heddle::cudart {

/// After a launch, while its trace is there: fills in what its first touch took, and lets the clock
/// pass.
void noteFirstTouch(Runtime& runtime, launch::LaunchOutcome& outcome);

/// cudaMemPrefetchAsync of managed memory to a device, or to the host.
void prefetchManaged(Runtime& runtime, const void* begin, std::size_t size, int device);

/// A copy or a fill has written there; the device does it unless the copy is to the host.
void noteManagedWrite(Runtime& runtime, const void* begin, std::size_t size);

/// What changes in managed memory while one lives is the device's doing.
class DeviceWork {
public:
  explicit DeviceWork(Runtime& runtime) : runtime_(runtime) {
    runtime.managed.look(runtime.memory);
  }
  DeviceWork(const DeviceWork&) = delete;
  ~DeviceWork() { runtime_.managed.keep(); }

private:
  Runtime& runtime_;
};

} // namespace heddle::cudart
