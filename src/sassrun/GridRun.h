// SPDX-License-Identifier: Apache-2.0
//
// A whole grid on machine code, with as many blocks at a time as the device holds. The warp that is
// earliest runs up to the next instruction whose outcome others may change, and then waits for as
// long as that takes. So warps that take work from one counter, or try again where another was
// first, do about what they do on a GPU.
#pragma once

#include "sassrun/Block.h"

#include <memory>
#include <queue>
#include <vector>

namespace heddle::sassrun {

class GridRun {
public:
  GridRun(const Program& program, const Kernel& kernel, const LaunchShape& launch,
          PrivateMemory& memory, std::vector<InstructionCounts>& counts)
      : program_(program), kernel_(kernel), launch_(launch), memory_(memory), counts_(counts) {}

  /// Fails where a block would, and where warps execute more than so many instructions.
  Expected<void> run(std::int64_t residentBlocks, std::uint64_t mostInstructions);

private:
  /// A block that is on the device, or the next one in its place.
  struct Resident {
    std::unique_ptr<Block> block;
    std::size_t warpsLeft = 0;
    std::vector<bool> waits; ///< of each warp, at a barrier
  };
  /// A warp that can run, and since when.
  struct Turn {
    std::uint64_t clock = 0;
    std::size_t resident = 0, warp = 0;

    bool operator>(const Turn& other) const {
      return std::tie(clock, resident, warp) > std::tie(other.clock, other.resident, other.warp);
    }
  };

  void begin(std::size_t resident, std::uint64_t clock);
  void openBarriers(std::size_t resident, std::uint64_t clock);
  Expected<void> runOne(const Turn& turn);

  const Program& program_;
  const Kernel& kernel_;
  const LaunchShape& launch_;
  PrivateMemory& memory_;
  std::vector<InstructionCounts>& counts_;
  std::vector<Resident> residents_;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  std::int64_t nextBlock_ = 0, blocks_ = 0, blocksLeft_ = 0;
  std::uint64_t executed_ = 0;
};

} // namespace heddle::sassrun
