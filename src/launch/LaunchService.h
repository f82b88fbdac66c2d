// SPDX-License-Identifier: Apache-2.0
//
// All that a launch on a modelled GPU needs, for whoever launches: the runtime API of a program and
// `heddle profile`.
//
// 1. limitsOf: the kernel's registers and launch bounds, once for each kernel.
// 2. residencyOf: how many of its blocks the GPU holds at once, once for each launch.
// 3. run: the engine's run, with that many blocks together.
// 4. time: how long it takes on the GPU, with the same number of blocks.
//
// profile::ProgramProfile::add then keeps what came of it.
#pragma once

#include "engine/DeviceProgram.h"
#include "engine/Launch.h"
#include "launch/MachineSampler.h"
#include "machine/ResidentBlocks.h"
#include "profile/GivenRegisters.h"
#include "timing/TimeLaunch.h"

#include <string>

namespace heddle::launch {

/// Where the registers of a kernel come from.
struct RegisterSources {
  profile::GivenRegisters given; ///< by kernel, over what is found
  bool askPtxas = true;          ///< where a CUDA toolkit is installed
  bool useCache = true;          ///< for what ptxas said
};

/// What limits the launches of a kernel.
struct KernelLimits {
  int threads = 0;                 ///< of a block, by __launch_bounds__; 0 for none
  std::array<int, 3> cluster = {}; ///< blocks of one, by __cluster_dims__; zeros for none
  profile::RegisterUse registers;
};

struct LaunchOutcome : engine::LaunchOutcome {
  MachineSample sample; ///< of blocks that machine code was run for
};

class LaunchService {
public:
  /// The device must outlive it.
  LaunchService(const machine::Device& device, RegisterSources registers,
                timing::ModelFault fault = timing::ModelFault::None)
      : device_(device), registers_(std::move(registers)), timer_(device, fault) {}

  /// Of a kernel that is named by any of its names. The user's own numbers come first.
  Expected<KernelLimits> limitsOf(engine::DeviceProgram& program, const std::string& kernel) const;

  /// Of a block of so many threads. No block of it is active where it cannot be launched.
  machine::Residency residencyOf(const engine::CompiledKernel& kernel, const KernelLimits& limits,
                                 int threads, std::size_t dynamicShared) const;

  /// Runs it with the settings given, but for the blocks that are on the GPU together.
  Expected<LaunchOutcome> run(engine::DeviceProgram& program, const engine::CompiledKernel& kernel,
                              const engine::LaunchRequest& request,
                              const engine::DeviceMemory& memory,
                              const machine::Residency& residency, engine::LaunchSettings settings);

  /// Adds the time on the GPU to the profile of a launch that came to its end, takes its trace, and
  /// puts its account right by what machine code executed.
  void time(const KernelLimits& limits, const machine::Residency& residency,
            LaunchOutcome& outcome);

  /// For what takes the GPU's time and is no launch.
  timing::LaunchTimer& timer() { return timer_; }

private:
  const machine::Device& device_;
  const RegisterSources registers_;
  timing::LaunchTimer timer_;
  MachineSampler sampler_;
};

/// How lanes part and meet on a device, if nobody says otherwise.
engine::Reconvergence usualReconvergence(const machine::Device& device);

/// As profiles, flags and the environment call it.
std::string_view reconvergenceName(engine::Reconvergence reconvergence);

} // namespace heddle::launch
