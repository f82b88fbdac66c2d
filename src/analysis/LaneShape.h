// SPDX-License-Identifier: Apache-2.0
//
// How a value differs between the threads of a block, as far as its computation tells. Where it is
// a function of threadIdx.x plus something that is the same for the warp, that function is kept as
// a table over all threads a block can have, so that `threadIdx.x / 32`, `% 2` and `< 5` are
// decided by looking:
//
//   threadIdx.x % 4 == 0    1 0 0 0 1 0 0 0 ...    lanes differ in every warp
//   threadIdx.x / 32        0 ... 0 1 ... 1 ...    the same in each warp
//
// Blocks are taken to have rows of whole warps: blockDim.x is a multiple of 32.
#pragma once

#include "support/LaneMask.h"

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instruction.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace heddle::analysis {

inline constexpr int mostThreads = 1024; ///< of a block

/// From the least to the most that threads can differ by.
enum class Spread {
  Uniform, ///< the same in the block
  Warp,    ///< the same in each warp
  Few,     ///< ordered by thread, or one odd lane in a warp: a comparison parts few warps
  Lanes,   ///< computed from the thread's number, in no order
  Data,    ///< read from a place of the thread's own
  Unknown,
};

class LaneShape {
public:
  LaneShape() = default; ///< the same in the block

  static LaneShape constant(std::int64_t value);
  /// Of `spread`, about which nothing else is known.
  static LaneShape of(Spread spread);
  /// The same in the block, or in the warp; a multiple of a power of two.
  static LaneShape uniform(std::int64_t multiple = 1);
  static LaneShape warp(std::int64_t multiple = 1);
  static LaneShape threadIndex();
  static LaneShape laneIndex();

  Spread spread() const;

  /// The values by thread, where they are all known.
  std::optional<std::vector<std::int64_t>> values() const;
  /// What each thread has more than thread 0; nothing where that is not known.
  std::optional<std::vector<std::int64_t>> offsets() const;

  /// What a value may be that comes on two ways.
  LaneShape joined(const LaneShape& other) const;
  /// At least as different as `least`.
  LaneShape raised(Spread least) const;

  static LaneShape binary(unsigned opcode, const LaneShape& a, const LaneShape& b, unsigned bits);
  static LaneShape compare(llvm::CmpInst::Predicate predicate, const LaneShape& a,
                           const LaneShape& b, unsigned bits);
  static LaneShape cast(unsigned opcode, const LaneShape& a, unsigned from, unsigned to);
  static LaneShape select(const LaneShape& condition, const LaneShape& a, const LaneShape& b);

  bool operator==(const LaneShape& other) const;

private:
  using Table = std::shared_ptr<const std::vector<std::int64_t>>;

  static LaneShape fromValues(std::vector<std::int64_t> values);
  static LaneShape fromOffsets(std::vector<std::int64_t> offsets, const LaneShape& base);
  static std::optional<LaneShape> folded(unsigned opcode, const LaneShape& a, const LaneShape& b,
                                         unsigned bits);
  static LaneShape sum(const LaneShape& a, const LaneShape& b, std::int64_t sign);
  static LaneShape product(const LaneShape& a, const LaneShape& b);
  static LaneShape quotient(const LaneShape& a, std::int64_t power);
  static LaneShape remainder(const LaneShape& a, std::int64_t power);
  static LaneShape byConstant(unsigned opcode, const LaneShape& a, std::int64_t number,
                              unsigned bits);
  bool isConstant() const { return isTable_ && !offsets_ && exact_; }

  bool isTable_ = true;
  Spread spread_ = Spread::Uniform;   ///< where there is no table, else of the base
  Table offsets_;                     ///< null: all 0
  std::optional<std::int64_t> exact_; ///< value of thread 0
  std::int64_t multiple_ = 1;         ///< a power of two that divides thread 0's value
};

} // namespace heddle::analysis
