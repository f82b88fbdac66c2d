// SPDX-License-Identifier: Apache-2.0
#include "ptx/MachinePlan.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Support/Endian.h>

#include <array>

namespace heddle::ptx {
namespace {

constexpr llvm::StringLiteral planName = "heddle.machine.plan", lineName = "heddle.ptx.line";
constexpr std::size_t recordBytes = 11; ///< of an instruction in the text

/// The same place, told from others of its line and column by a number.
const llvm::DILocation* withDiscriminator(const llvm::DILocation& place, std::uint32_t number) {
  auto* scope =
      llvm::DILexicalBlockFile::get(place.getContext(), place.getScope(), place.getFile(), number);
  return llvm::DILocation::get(place.getContext(), place.getLine(), place.getColumn(), scope,
                               place.getInlinedAt());
}

} // namespace

void setPlan(llvm::Instruction& mark, const MachinePlan& plan) {
  std::string text(1, char(plan.rounds));
  for (const PlannedInstruction& each : plan.code) {
    std::array<char, recordBytes> record{};
    llvm::support::endian::write32le(record.data(), each.line);
    llvm::support::endian::write16le(record.data() + 4, each.code);
    record[6] = char(each.stall);
    record[7] = char(each.waits);
    record[8] = char(each.sets);
    record[9] = char(each.reads);
    record[10] = char(each.endsBlock ? 1 : 0);
    text.append(record.data(), record.size());
  }
  llvm::LLVMContext& context = mark.getContext();
  mark.setMetadata(planName, llvm::MDNode::get(context, llvm::MDString::get(context, text)));
}

std::optional<MachinePlan> planOf(const llvm::Instruction& mark) {
  const llvm::MDNode* node = mark.getMetadata(planName);
  if (node == nullptr)
    return {};
  const llvm::StringRef text = llvm::cast<llvm::MDString>(node->getOperand(0))->getString();
  MachinePlan plan{.rounds = std::uint8_t(text.front()), .code = {}};
  for (std::size_t at = 1; at + recordBytes <= text.size(); at += recordBytes) {
    const char* record = text.data() + at;
    plan.code.push_back({.line = llvm::support::endian::read32le(record),
                         .code = llvm::support::endian::read16le(record + 4),
                         .stall = std::uint8_t(record[6]),
                         .waits = std::uint8_t(record[7]),
                         .sets = std::int8_t(record[8]),
                         .reads = std::int8_t(record[9]),
                         .endsBlock = record[10] != 0});
  }
  return plan;
}

void setPtxLine(llvm::Instruction& instruction, std::uint32_t line) {
  llvm::LLVMContext& context = instruction.getContext();
  auto* number = llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), line);
  instruction.setMetadata(lineName,
                          llvm::MDNode::get(context, llvm::ConstantAsMetadata::get(number)));
  // A pass that makes the load of a float one of an integer keeps places, but no metadata of ours.
  if (const llvm::DILocation* place = instruction.getDebugLoc().get())
    instruction.setDebugLoc(withDiscriminator(*place, line));
}

std::uint32_t ptxLineOf(const llvm::Instruction& instruction) {
  const llvm::MDNode* node = instruction.getMetadata(lineName);
  if (node != nullptr)
    return std::uint32_t(
        llvm::mdconst::extract<llvm::ConstantInt>(node->getOperand(0))->getZExtValue());
  const llvm::DILocation* place = instruction.getDebugLoc().get();
  return place != nullptr ? place->getDiscriminator() : 0;
}

} // namespace heddle::ptx
