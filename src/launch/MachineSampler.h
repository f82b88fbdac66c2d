// SPDX-License-Identifier: Apache-2.0
//
// Runs the machine code that ptxas made of a kernel for blocks of a launch (sassrun), and puts the
// account right by what they executed.
//
// The engine runs every block and knows every lane, but counts what PTX became by a match of its
// blocks with those of machine code. Machine code counts itself. Where it can be run for the whole
// grid, its sums are the account's. Where it would take too long, blocks at even distances are
// counted twice, and the sums of the grid follow from how the two differ:
//
//   engine, all blocks      1,000,000 warp-instructions, 24 lanes
//   engine, 24 blocks          30,000                    24.0
//   machine code, the same     36,000                    21.6
//   account                 1,200,000                    21.6
//
// A block runs on machine code right before the engine runs it, so that both find the same memory.
#pragma once

#include "engine/DeviceProgram.h"
#include "engine/Launch.h"
#include "sassrun/SampleRun.h"

#include <map>
#include <memory>
#include <string>

namespace heddle::launch {

class MachineSampler {
public:
  /// Gets ready to run blocks of a launch, and says in the settings which. Nothing where there is
  /// no machine code, where it cannot be run, or where blocks share work.
  std::shared_ptr<sassrun::SampleRun> prepare(engine::DeviceProgram& program,
                                              const engine::CompiledKernel& kernel,
                                              const engine::LaunchRequest& request,
                                              const engine::DeviceMemory& memory,
                                              engine::LaunchSettings& settings);

  /// Learns what the blocks of a launch cost, or that the kernel cannot be run.
  void note(engine::DeviceProgram& program, const engine::CompiledKernel& kernel,
            const sassrun::SampleRun& sample);

private:
  struct KernelState {
    const sassrun::Kernel* kernel = nullptr; ///< nothing where it cannot be run
    std::uint64_t launches = 0;
    std::uint64_t executed = 0;
    std::uint64_t blocks = 0;     ///< that executed them
    bool dependsOnOthers = false; ///< a block may do something else where others run beside it
  };
  struct ProgramState {
    std::unique_ptr<sassrun::Program> program;
    std::map<std::string, KernelState> kernels; ///< by symbol
  };
  ProgramState& stateOf(engine::DeviceProgram& program);

  std::map<const engine::DeviceProgram*, ProgramState> programs_;
};

/// Puts the account of a launch right, if all blocks of the sample came to their end.
void calibrate(const sassrun::SampleRun& sample, engine::LaunchOutcome& outcome);

} // namespace heddle::launch
