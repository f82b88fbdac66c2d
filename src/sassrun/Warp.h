// SPDX-License-Identifier: Apache-2.0
//
// A warp that runs machine code: its registers, and its lanes in groups that go together.
//
// Lanes part at a branch and meet where machine code says so. BSSY notes in a convergence barrier
// the lanes that run it; BSYNC holds those that come until all noted ones that have not returned
// have come; BREAK takes lanes out. Between barriers the groups of a warp run one after another:
//
//   BSSY B0, join      B0 = {0..31}                        groups: {0..31}
//   @P0 BRA side       lanes 0..15 jump                    groups: {16..31} at the next, {0..15}
//   ...
//   BSYNC B0           {16..31} wait, {0..15} run          groups: {0..15}, {16..31} waits for B0
//   BSYNC B0           all have come                       groups: {0..31}
#pragma once

#include "sassrun/Instruction.h"

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::sassrun {

class Block;
class Program;

/// How often an instruction was executed.
struct InstructionCounts {
  std::uint64_t executions = 0; ///< by warps
  std::uint64_t lanes = 0;      ///< that control flow left active
  std::uint64_t on = 0;         ///< of those, lanes whose predicate held
};

enum class WarpState : std::uint8_t { Running, AtBarrier, Finished, Failed };

/// Lanes that are at one place.
struct Group {
  enum class State : std::uint8_t {
    Ready,
    AtSync,     ///< at BSYNC of the barrier `number`
    AtWarpSync, ///< until all lanes of `mask` have come
    AtBarrier,  ///< of the block, with `number`
  };
  LaneMask lanes = 0;
  std::uint64_t address = 0;
  State state = State::Ready;
  std::uint32_t number = 0;
  LaneMask mask = 0;
};

class Warp {
public:
  static constexpr std::size_t registerCount = 256, uniformCount = 64, predicateCount = 8,
                               barrierCount = 16;
  using Row = std::array<std::uint32_t, warpSize>;

  /// Gets ready to run a program from an address. `number` is the warp's in its block.
  void start(Block& block, const Program& program, int number, LaneMask lanes,
             std::uint64_t address);

  /// Runs until it has to wait for other warps, has ended, or has run so many instructions; or
  /// until one that others may see or change the outcome of.
  WarpState run(std::uint64_t mostInstructions, bool stopsAtSharedMemory = false);

  /// Cycles that it has taken, as far as ptxas planned them; memory has a latency of its own.
  std::uint64_t clock() const { return clock_; }
  void setClock(std::uint64_t cycles) { clock_ = cycles; }
  /// Whether lanes of it can run.
  bool isReady() const;

  /// Lanes that have come to a barrier of the block may go on.
  void passBarrier(std::uint32_t number);

  /// Lanes of the warp that wait at a barrier of the block.
  LaneMask lanesAt(std::uint32_t number) const;
  LaneMask live() const { return live_; }
  int number() const { return number_; }

  // For what runs instructions.

  Block& block() { return *block_; }
  /// The lanes that control flow left active in this instruction.
  LaneMask active() const { return groups_.back().lanes; }

  const Row& registers(unsigned index) const { return registers_[index]; }
  std::uint32_t get(unsigned index, int lane) const { return registers_[index][std::size_t(lane)]; }
  /// RZ stays zero.
  void set(unsigned index, int lane, std::uint32_t value) {
    if (index != zeroRegister)
      registers_[index][std::size_t(lane)] = value;
  }
  /// Of a pair of registers; RZ is zero as a pair, too.
  std::uint64_t getPair(unsigned index, int lane) const {
    if (index == zeroRegister)
      return 0;
    return get(index, lane) | std::uint64_t{get(index + 1, lane)} << 32;
  }
  void setPair(unsigned index, int lane, std::uint64_t value) {
    if (index == zeroRegister)
      return;
    set(index, lane, std::uint32_t(value));
    set(index + 1, lane, std::uint32_t(value >> 32));
  }
  std::uint32_t uniform(unsigned index) const { return uniform_[index]; }
  void setUniform(unsigned index, std::uint32_t value) {
    if (index != uniformZeroRegister)
      uniform_[index] = value;
  }
  std::uint64_t uniformPair(unsigned index) const {
    if (index == uniformZeroRegister)
      return 0;
    return uniform(index) | std::uint64_t{uniform(index + 1)} << 32;
  }
  /// A bit for each lane.
  LaneMask predicate(unsigned index) const { return predicates_[index]; }
  void setPredicate(unsigned index, LaneMask lanes, LaneMask value) {
    if (index != truePredicate)
      predicates_[index] = (predicates_[index] & ~lanes) | (value & lanes);
  }
  bool uniformPredicate(unsigned index) const { return uniformPredicates_[index]; }
  void setUniformPredicate(unsigned index, bool value) {
    if (index != truePredicate)
      uniformPredicates_[index] = value;
  }
  /// A predicate operand: three bits for its number, and one that negates it.
  LaneMask predicateAt(const Encoding& code, unsigned first, unsigned negation) const {
    const LaneMask found = predicate(unsigned(code.bits(first, 3)));
    return code.bit(negation) ? ~found : found;
  }
  bool uniformPredicateAt(const Encoding& code, unsigned first, unsigned negation) const {
    return uniformPredicate(unsigned(code.bits(first, 3))) != code.bit(negation);
  }

  /// The 32 bits of an operand in a lane, without modifiers.
  std::uint32_t value(const Source& source, int lane) const {
    return source.kind == SourceKind::Register ? get(source.index, lane) : shared(source);
  }
  /// The 64 bits of an operand: a pair of registers, two words of a bank. A constant in the
  /// instruction is the upper half of a double.
  std::uint64_t wideValue(const Source& source, int lane) const {
    return source.kind == SourceKind::Register ? getPair(source.index, lane) : wideShared(source);
  }
  /// The same where all lanes share it.
  std::uint32_t shared(const Source& source) const;
  std::uint64_t wideShared(const Source& source) const;

  /// The run cannot go on; why is kept.
  void fail(std::string why);
  const std::string& failure() const { return failure_; }
  std::uint64_t executed() const { return executed_; }

private:
  void step();
  void runControl(const Instruction& instruction, LaneMask lanes);
  void jump(LaneMask lanes, std::uint64_t address);
  void jumpEach(LaneMask lanes, const std::array<std::uint64_t, warpSize>& addresses);
  void exit(LaneMask lanes);
  void waitAtSync(std::uint32_t barrier);
  void waitAtWarpSync(const Instruction& instruction, LaneMask lanes);
  void waitAtBlockBarrier(const Instruction& instruction, LaneMask lanes);
  void releaseAll();
  bool releaseSync(std::uint32_t barrier);
  bool releaseWarpSync();
  void merge(Group::State state, std::uint32_t number);
  void moveBarrier(const Instruction& instruction, LaneMask lanes);
  void call(const Instruction& instruction, LaneMask lanes);
  void giveReturn(const Instruction& instruction, LaneMask lanes);
  void branch(const Instruction& instruction, LaneMask lanes);
  bool chooseGroup();

  alignas(64) std::array<Row, registerCount> registers_;
  std::array<LaneMask, predicateCount> predicates_;
  std::array<std::uint32_t, uniformCount> uniform_;
  std::array<bool, predicateCount> uniformPredicates_;
  std::array<LaneMask, barrierCount> barriers_;
  std::vector<Group> groups_; ///< the last one runs
  Block* block_ = nullptr;
  const Program* program_ = nullptr;
  int number_ = 0;
  LaneMask live_ = 0;
  std::uint64_t executed_ = 0;
  std::uint64_t clock_ = 0;
  bool metOthers_ = false;        ///< the last instruction was one that others may see
  std::uint64_t sinceChange_ = 0; ///< instructions of the group that runs
  std::string failure_;
};

} // namespace heddle::sassrun
