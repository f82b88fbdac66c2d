// SPDX-License-Identifier: Apache-2.0
//
// Runs some blocks of a launch on machine code and counts what they execute. Each runs by itself,
// on memory as it finds it; what it writes is forgotten, or kept aside.
#pragma once

#include "sassrun/Block.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace heddle::sassrun {

class SampleRun {
public:
  /// A block that executes more than `mostInstructions` fails.
  SampleRun(const Program& program, const Kernel& kernel, LaunchShape launch, MemoryView memory,
            std::uint64_t mostInstructions, Writes writes = Writes::Forgotten);

  /// Any thread may call it, for different blocks at the same time.
  void run(std::int64_t block);

  /// Runs the whole grid, so many blocks at a time, warp beside warp on one memory: who comes first
  /// where they want the same word depends on how long each took until then. In one defined order.
  void runTogether(std::int64_t residentBlocks);

  // What came of it, when all have run.

  const Program& program() const { return program_; }
  /// Sums of each block.
  const std::map<std::int64_t, InstructionCounts>& blocks() const { return blocks_; }
  /// Writes to memory what all blocks of the grid wrote, in their order, if it was kept and all
  /// have run by themselves. Returns whether it did.
  bool adopt() const;
  /// Whether it was the whole grid, together.
  bool isWhole() const { return isWhole_; }
  std::uint64_t wholeBlocks() const {
    return std::uint64_t(launch_.grid[0]) * std::uint64_t(launch_.grid[1]) *
           std::uint64_t(launch_.grid[2]);
  }
  /// Whether what a block does may depend on what others did before it.
  bool dependsOnOthers() const;
  /// Of all blocks, by instruction of the program.
  const std::vector<InstructionCounts>& counts() const { return counts_; }
  /// Why one of them did not come to its end; empty where all did.
  const std::string& failure() const { return failure_; }
  /// Whether that was because it never seemed to end: it may wait for other blocks.
  bool ranTooLong() const { return ranTooLong_; }

private:
  void noteFailure(const Error& error);

  const Program& program_;
  const Kernel& kernel_;
  const LaunchShape launch_;
  const MemoryView memory_;
  const std::uint64_t mostInstructions_;
  const Writes writes_;
  std::mutex mutex_;
  std::map<std::int64_t, InstructionCounts> blocks_;
  std::map<std::int64_t, std::vector<WrittenBytes>> written_; ///< by block
  std::vector<InstructionCounts> counts_;
  std::string failure_;
  bool isWhole_ = false, ranTooLong_ = false;
};

} // namespace heddle::sassrun
