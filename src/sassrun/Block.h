// SPDX-License-Identifier: Apache-2.0
//
// One block of a grid on machine code: its warps, its shared and local memory, and what it writes
// to global memory, which nobody else ever sees.
#pragma once

#include "sassrun/PrivateMemory.h"
#include "sassrun/Program.h"
#include "sassrun/Warp.h"
#include "support/Error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heddle::sassrun {

struct LaunchShape {
  std::array<int, 3> grid = {1, 1, 1};
  std::array<int, 3> block = {1, 1, 1};
  std::size_t dynamicShared = 0;
  std::vector<std::byte> arguments; ///< as PTX lays them out
  int multiprocessors = 1;
  int gridNumber = 1;
};

class Block {
public:
  /// `counts` has a place for each instruction of the program.
  Block(const Program& program, const Kernel& kernel, const LaunchShape& launch,
        PrivateMemory& memory, std::vector<InstructionCounts>& counts);

  /// Runs a block of the grid to its end. Fails where machine code does what cannot be run here, or
  /// more than so many instructions.
  Expected<void> run(std::int64_t number, std::uint64_t mostInstructions);

  // For who runs several at a time.

  /// Gets ready for a block of the grid.
  void start(std::int64_t number);
  std::vector<std::unique_ptr<Warp>>& warps() { return warps_; }
  /// Lets warps go on that wait at barriers to which all have come; whether there were any.
  bool openBarriers();

  // For the warps.

  const LaunchShape& launch() const { return launch_; }
  const Kernel& kernel() const { return kernel_; }
  const std::array<int, 3>& place() const { return place_; } ///< of the block in the grid
  std::array<int, 3> threadAt(int warp, int lane) const;
  PrivateMemory& global() { return global_; }
  std::vector<std::byte>& shared() { return shared_; }
  /// A thread's stack; it grows when it is used.
  std::vector<std::byte>& local(int warp, int lane);
  /// A word of a constant bank; fails the warp where there is none.
  std::uint32_t constant(Warp& warp, unsigned bank, std::uint32_t offset);
  /// Bytes of a constant bank, for LDC.
  bool readConstant(unsigned bank, std::uint64_t offset, void* into, std::size_t size) const;
  InstructionCounts& counts(std::size_t instruction) { return counts_[instruction]; }

  struct Reduction {
    int votes = 0, voters = 0;
    unsigned how = 0; ///< 0 counts, 1 asks whether all, 2 whether any
  };
  /// Lanes come to a barrier of the block: `threads` is how many it waits for, 0 for all.
  void arrive(std::uint32_t number, std::uint32_t threads, LaneMask lanes);
  /// What BAR.RED counts, and of how many.
  void reduce(std::uint32_t number, const Reduction& part);
  /// What the last of them has counted.
  const Reduction& reduction() const { return lastReduction_; }

private:
  struct Barrier {
    std::uint32_t threads = 0; ///< that it waits for; 0 for all that have not returned
    std::uint32_t come = 0;
    Reduction open;
  };
  int liveThreads() const;

  const Program& program_;
  const Kernel& kernel_;
  const LaunchShape& launch_;
  std::vector<InstructionCounts>& counts_;
  PrivateMemory& global_;
  std::vector<std::byte> shared_;
  std::vector<std::vector<std::byte>> local_; ///< by thread
  std::vector<std::byte> parameters_;         ///< bank 0
  std::vector<std::unique_ptr<Warp>> warps_;
  std::array<Barrier, 16> barriers_ = {};
  Reduction lastReduction_;
  std::array<int, 3> place_ = {};
};

} // namespace heddle::sassrun
