// SPDX-License-Identifier: Apache-2.0
//
// Small programs of machine code for tests. Every encoding is one that ptxas wrote; only the fields
// that a function here is named for are changed: guard, registers, target.
#pragma once

#include "sassrun/Block.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace heddle::sassrun {

/// With other bits at a place.
inline Encoding with(Encoding code, unsigned first, unsigned count, std::uint64_t value) {
  for (unsigned i = 0; i < count; ++i) {
    std::uint64_t& word = first + i < 64 ? code.low : code.high;
    const std::uint64_t bit = std::uint64_t{1} << (first + i) % 64;
    word = (value >> i & 1) != 0 ? word | bit : word & ~bit;
  }
  return code;
}

constexpr unsigned negated = 8; ///< added to the number of a predicate

/// @P or @!P in front of an instruction.
inline Encoding guarded(unsigned predicate, const Encoding& code) {
  return with(code, 12, 4, predicate);
}

/// A distance in instructions, from the one behind it.
inline Encoding toward(Encoding code, int distance) {
  const auto words = std::uint64_t(std::int64_t{distance} * instructionBytes / 4);
  return with(with(code, 16, 8, words & 0xff), 34, 48, words >> 8);
}

inline Encoding bra(int distance) { // BRA `(.L_x_4)
  return toward({0xfffffffc00fc7947, 0x000fc0000383ffff}, distance);
}
inline Encoding bssy(unsigned barrier) { // BSSY B0, `(.L_x_0)
  return with({0x0000011000007945, 0x000fe20003800000}, 16, 4, barrier);
}
inline Encoding bsync(unsigned barrier) { // BSYNC B0
  return with({0x0000000000007941, 0x000fea0003800000}, 16, 4, barrier);
}
inline Encoding breakOf(unsigned barrier) { // BREAK B2
  return with({0x0000000000027942, 0x000fea0003800000}, 16, 4, barrier);
}
inline Encoding saveBarrier(unsigned into, unsigned barrier) { // BMOV.32.CLEAR R27, B7
  return with(with({0x00000000071b7355, 0x001e2a0000100000}, 16, 8, into), 24, 4, barrier);
}
inline Encoding restoreBarrier(unsigned barrier, unsigned from) { // BMOV.32 B7, R27
  return with(with({0x0000001b07007356, 0x0003ea0000000000}, 24, 4, barrier), 32, 8, from);
}
inline Encoding warpsync(unsigned mask) { // WARPSYNC R12
  return with({0x000000000c007348, 0x000fea0003800000}, 24, 8, mask);
}
inline Encoding call(int distance) { // CALL.REL.NOINC
  return toward({0x00000000001c7944, 0x000fea0003c00000}, distance);
}
/// The registers have where to go on, from the instruction at the distance on.
inline Encoding ret(unsigned to, int distance) { // RET.REL.NODEC R8
  return with(toward({0xffffffe408c07950, 0x000fea0003c3ffff}, distance), 24, 8, to);
}
inline Encoding addTo(unsigned into, std::uint32_t value) { // VIADD R4, R5, 0x4
  return with(with(with({0x0000000405047836, 0x000fe20000000000}, 16, 8, into), 24, 8, into), 32,
              32, value);
}
/// P = a < b, of numbers without a sign.
inline Encoding lessThan(unsigned predicate, unsigned a, unsigned b) {
  // ISETP.LT.U32.AND P0, PT, R2, R18, PT
  return with(with(with({0x000000120200720c, 0x000fc80003f01070}, 24, 8, a), 32, 8, b), 81, 3,
              predicate);
}
constexpr Encoding exitAll = {0x000000000000794d, 0x000fea0003800000}; // EXIT
constexpr Encoding nop = {0x0000000000007918, 0x000fc00000000000};     // NOP
constexpr Encoding barSync = {0x0000000000007b1d, 0x000fec0000010000}; // BAR.SYNC 0x0
constexpr Encoding tid = {0x0000000000047919, 0x000e220000002100};     // S2R R4, SR_TID.X

/// One warp of a block that runs such a program. Its registers and predicates may be set before and
/// looked at behind it.
class Bench {
public:
  explicit Bench(const std::vector<Encoding>& code, int threads = warpSize)
      : program_(Program::fromCode(code)), counts_(code.size()) {
    launch_.block = {threads, 1, 1};
    block_ = std::make_unique<Block>(*program_, kernel(), launch_, memory_, counts_);
    warp_ = std::make_unique<Warp>();
    warp_->start(*block_, *program_, 0, allLanes, Program::firstAddress);
  }

  const Kernel& kernel() const { return *program_->kernel(std::string(Program::codeKernel)); }
  Block& block() { return *block_; }
  Warp& warp() { return *warp_; }
  const Instruction& at(std::size_t index) const { return program_->code()[index]; }

  /// To the warp's end.
  void run() {
    constexpr std::uint64_t most = 100'000;
    EXPECT_EQ(warp_->run(most), WarpState::Finished) << warp_->failure();
  }
  /// Runs one instruction for some lanes.
  void execute(std::size_t index, LaneMask lanes = allLanes) {
    ASSERT_NE(at(index).handler, nullptr);
    at(index).handler(*warp_, at(index), lanes);
    EXPECT_EQ(warp_->failure(), "");
  }
  std::vector<std::uint64_t> executions() const { return column(&InstructionCounts::executions); }
  std::vector<std::uint64_t> lanes() const { return column(&InstructionCounts::lanes); }
  std::vector<std::uint64_t> on() const { return column(&InstructionCounts::on); }
  void setAll(unsigned index, std::uint32_t value) {
    for (int lane = 0; lane < warpSize; ++lane)
      warp_->set(index, lane, value);
  }

private:
  std::vector<std::uint64_t> column(std::uint64_t InstructionCounts::* which) const {
    std::vector<std::uint64_t> made;
    for (const InstructionCounts& each : counts_)
      made.push_back(each.*which);
    return made;
  }

  std::unique_ptr<Program> program_;
  std::vector<InstructionCounts> counts_;
  LaunchShape launch_;
  MemoryView view_ = [](std::uint64_t) { return LiveRange{}; };
  PrivateMemory memory_{view_};
  std::unique_ptr<Block> block_;
  std::unique_ptr<Warp> warp_;
};

using Counts = std::vector<std::uint64_t>;

} // namespace heddle::sassrun
