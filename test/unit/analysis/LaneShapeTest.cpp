// SPDX-License-Identifier: Apache-2.0
#include "analysis/LaneShape.h"

#include <gtest/gtest.h>

namespace heddle::analysis {
namespace {

using llvm::CmpInst;
using llvm::Instruction;

LaneShape with(const LaneShape& a, unsigned opcode, const LaneShape& b) {
  return LaneShape::binary(opcode, a, b, 32);
}
LaneShape with(const LaneShape& a, unsigned opcode, std::int64_t number) {
  return with(a, opcode, LaneShape::constant(number));
}
LaneShape equals(const LaneShape& a, const LaneShape& b) {
  return LaneShape::compare(CmpInst::ICMP_EQ, a, b, 32);
}
LaneShape isLess(const LaneShape& a, const LaneShape& b) {
  return LaneShape::compare(CmpInst::ICMP_SLT, a, b, 32);
}

const LaneShape tid = LaneShape::threadIndex();
const LaneShape number = LaneShape::uniform(); // an argument
/// blockIdx.x * blockDim.x + threadIdx.x
const LaneShape index = with(with(LaneShape::uniform(), Instruction::Mul, LaneShape::uniform(32)),
                             Instruction::Add, tid);

TEST(LaneShape, TheThreadsOwnNumberIsOrdered) {
  EXPECT_EQ(tid.spread(), Spread::Few);
  EXPECT_EQ((*tid.values())[77], 77);
  EXPECT_EQ(index.spread(), Spread::Few);
  EXPECT_FALSE(index.values());
  EXPECT_EQ((*index.offsets())[77], 77);
}

TEST(LaneShape, WarpsAreSeenThroughDivisions) {
  for (const LaneShape& thread : {tid, index}) {
    EXPECT_EQ(with(thread, Instruction::UDiv, 32).spread(), Spread::Warp);
    EXPECT_EQ(with(thread, Instruction::AShr, 5).spread(), Spread::Warp);
    EXPECT_EQ(with(thread, Instruction::And, -32).spread(), Spread::Warp);
    EXPECT_EQ(with(thread, Instruction::And, 32).spread(), Spread::Warp);
    EXPECT_EQ(with(thread, Instruction::And, 96).spread(), Spread::Warp);
    EXPECT_EQ(with(with(thread, Instruction::UDiv, 32), Instruction::URem, 2).spread(),
              Spread::Warp);
    EXPECT_EQ(with(thread, Instruction::UDiv, 16).spread(), Spread::Few);
  }
}

TEST(LaneShape, RemaindersPartWarps) {
  for (const LaneShape& thread : {tid, index}) {
    const LaneShape odd = with(thread, Instruction::URem, 2);
    EXPECT_EQ(odd.spread(), Spread::Lanes);
    EXPECT_EQ(equals(odd, LaneShape::constant(0)).spread(), Spread::Lanes);
    EXPECT_EQ((*with(thread, Instruction::And, 3).values())[6], 2); // whatever the block
    EXPECT_EQ(with(thread, Instruction::URem, number).spread(), Spread::Lanes);
  }
  EXPECT_FALSE(with(index, Instruction::URem, 3).values()); // depends on the block
  EXPECT_EQ(with(index, Instruction::URem, 3).spread(), Spread::Lanes);
}

TEST(LaneShape, AComparisonWithAnArgumentPartsOneWarp) {
  EXPECT_EQ(isLess(index, number).spread(), Spread::Few);
  EXPECT_EQ(isLess(LaneShape::laneIndex(), number).spread(), Spread::Lanes);
  EXPECT_EQ(equals(LaneShape::laneIndex(), number).spread(), Spread::Few); // one lane
  EXPECT_EQ(isLess(tid, LaneShape::constant(64)).spread(), Spread::Warp);
  EXPECT_EQ(isLess(tid, LaneShape::constant(1024)).spread(), Spread::Uniform);
  EXPECT_EQ(isLess(tid, tid).spread(), Spread::Uniform);
  EXPECT_EQ((*isLess(tid, LaneShape::constant(5)).values())[4], -1);
  EXPECT_EQ((*isLess(tid, LaneShape::constant(5)).values())[5], 0);
}

TEST(LaneShape, ArithmeticWrapsLikeTheMachine) {
  const LaneShape below = with(tid, Instruction::Sub, 1); // 0xffffffff for thread 0
  const LaneShape small = LaneShape::compare(CmpInst::ICMP_ULT, below, LaneShape::constant(2), 32);
  EXPECT_EQ((*small.values())[0], 0);
  EXPECT_EQ((*small.values())[1], -1);
  const LaneShape random = with(index, Instruction::Mul, 1664525);
  EXPECT_EQ(random.spread(), Spread::Lanes); // may wrap, so is in no order
}

TEST(LaneShape, AStridedCounterKeepsItsOffsets) {
  const LaneShape next = with(tid, Instruction::Add, LaneShape::uniform(32)); // blockDim.x
  const LaneShape counter = tid.joined(next);
  EXPECT_EQ((*counter.offsets())[9], 9);
  EXPECT_EQ(with(counter, Instruction::UDiv, 32).spread(), Spread::Warp);
  EXPECT_EQ(tid.joined(with(tid, Instruction::Mul, 2)).spread(), Spread::Few);
  EXPECT_FALSE(tid.joined(with(tid, Instruction::Mul, 2)).offsets());
}

TEST(LaneShape, WhatIsReadIsNoLongerOrdered) {
  const LaneShape data = LaneShape::of(Spread::Data);
  EXPECT_EQ(with(data, Instruction::Add, tid).spread(), Spread::Data);
  EXPECT_EQ(isLess(data, number).spread(), Spread::Data);
  EXPECT_EQ(LaneShape::select(data, number, number).spread(), Spread::Data);
  EXPECT_EQ(LaneShape::select(equals(tid, LaneShape::constant(3)), LaneShape::constant(1),
                              LaneShape::constant(0))
                .values()
                ->at(3),
            1);
}

} // namespace
} // namespace heddle::analysis
