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
//
// Where it is not known how machine code rounds each sum (ptx/FuseProducts.h), and all blocks have
// run on it, what they wrote is what is left in memory: bits as a GPU has them.
#pragma once

#include "engine/DeviceProgram.h"
#include "engine/Launch.h"
#include "launch/Calibration.h"

#include <map>
#include <memory>
#include <optional>
#include <string>

namespace heddle::launch {

/// What is known of the machine code of a kernel.
struct MachineKernel {
  const sassrun::Kernel* kernel = nullptr; ///< nothing where it cannot be run
  std::shared_ptr<const ptx::SourceLines> source;
  std::uint64_t launches = 0;
  std::uint64_t executed = 0;
  std::uint64_t blocks = 0;     ///< that executed them
  bool dependsOnOthers = false; ///< a block may do something else where others run beside it
  std::optional<Calibration> calibration; ///< of the last launch that was sampled

  /// Learns what the blocks of a launch cost, or that they cannot be run.
  void note(const sassrun::SampleRun& sample);
};

/// Of one launch.
struct MachineSample {
  MachineKernel* kernel = nullptr;              ///< nothing where there is no machine code
  std::shared_ptr<sassrun::SampleRun> run = {}; ///< nothing where it is not sampled

  /// How the account differs, once the engine has run the launch; nothing where it is not known.
  const Calibration* calibration(const engine::LaunchOutcome& outcome) const;
};

class MachineSampler {
public:
  /// Gets ready to run blocks of a launch, and says in the settings which.
  MachineSample prepare(engine::DeviceProgram& program, const engine::CompiledKernel& kernel,
                        const engine::LaunchRequest& request, const engine::DeviceMemory& memory,
                        engine::LaunchSettings& settings);

private:
  struct ProgramState {
    std::unique_ptr<sassrun::Program> program;
    std::shared_ptr<const ptx::SourceLines> source;
    std::map<std::string, MachineKernel> kernels; ///< by symbol
  };
  ProgramState& stateOf(engine::DeviceProgram& program);

  std::map<const engine::DeviceProgram*, ProgramState> programs_;
};

} // namespace heddle::launch
