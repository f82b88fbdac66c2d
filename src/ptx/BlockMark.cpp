// SPDX-License-Identifier: Apache-2.0
#include "ptx/BlockMark.h"

#include <llvm/IR/IntrinsicInst.h>

namespace heddle::ptx {
namespace {

// The operands of the call.
enum : unsigned { FirstLine, LastLine, Flags, LengthAndOne };
constexpr std::uint64_t meetingBits = 3, jumpBit = 4;

std::uint64_t flagsOf(const BlockMark& mark) {
  return std::uint64_t(mark.meeting) | (mark.isJump ? jumpBit : 0);
}

llvm::ConstantInt* number(llvm::Type* type, std::uint64_t value) {
  return llvm::cast<llvm::ConstantInt>(llvm::ConstantInt::get(type, value));
}

std::uint64_t operand(const llvm::PseudoProbeInst& probe, unsigned index) {
  return llvm::cast<llvm::ConstantInt>(probe.getArgOperand(index))->getZExtValue();
}

} // namespace

void addMark(llvm::IRBuilder<>& builder, const BlockMark& mark) {
  builder.CreateIntrinsic(llvm::Intrinsic::pseudoprobe, {},
                          {builder.getInt64(mark.firstLine), builder.getInt64(mark.lastLine),
                           builder.getInt32(std::uint32_t(flagsOf(mark))),
                           builder.getInt64(mark.length ? *mark.length + 1 : 0)});
}

std::optional<BlockMark> markOf(const llvm::Instruction& instruction) {
  const auto* probe = llvm::dyn_cast<llvm::PseudoProbeInst>(&instruction);
  if (probe == nullptr)
    return {};
  BlockMark mark{.firstLine = std::uint32_t(operand(*probe, FirstLine)),
                 .lastLine = std::uint32_t(operand(*probe, LastLine)),
                 .isJump = (operand(*probe, Flags) & jumpBit) != 0,
                 .meeting = Meeting(operand(*probe, Flags) & meetingBits)};
  if (const std::uint64_t length = operand(*probe, LengthAndOne); length > 0)
    mark.length = std::uint32_t(length - 1);
  return mark;
}

void setMark(llvm::Instruction& instruction, const BlockMark& mark) {
  auto& probe = llvm::cast<llvm::PseudoProbeInst>(instruction);
  probe.setArgOperand(Flags, number(probe.getArgOperand(Flags)->getType(), flagsOf(mark)));
  probe.setArgOperand(LengthAndOne, number(probe.getArgOperand(LengthAndOne)->getType(),
                                           mark.length ? *mark.length + 1 : 0));
}

} // namespace heddle::ptx
