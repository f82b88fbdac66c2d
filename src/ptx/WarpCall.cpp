// SPDX-License-Identifier: Apache-2.0
#include "ptx/WarpCall.h"

#include "ptx/ReadPtx.h"

namespace heddle::ptx {

using namespace llvm;

Value* callWarp(FunctionLowering& f, const std::string& name, unsigned results,
                ArrayRef<Value*> operands) {
  IRBuilder<>& builder = f.builder();
  Words all = {builder.getInt32(~0u)};
  all.append(operands.begin(), operands.end());
  const SmallVector<Type*, 16> types(all.size(), builder.getInt32Ty());
  Type* result =
      StructType::get(builder.getContext(), SmallVector<Type*, 8>(results, builder.getInt32Ty()));
  FunctionCallee callee = f.function().getParent()->getOrInsertFunction(
      warpPrefix + name, FunctionType::get(result, types, false));
  auto* made = cast<llvm::Function>(callee.getCallee());
  made->setConvergent();
  made->setDoesNotThrow();
  made->setOnlyAccessesInaccessibleMemory();
  return builder.CreateCall(callee, all);
}

bool readFragment(FunctionLowering& f, const Operand& from, unsigned words, bool isDouble,
                  Words& result) {
  IRBuilder<>& builder = f.builder();
  const bool isVector = from.kind == Operand::Kind::Vector;
  const std::size_t count = isVector ? from.parts.size() : 1;
  if (count * (isDouble ? 2 : 1) != words)
    return false;
  for (std::size_t i = 0; i < count; ++i) {
    const Operand& part = isVector ? from.parts[i] : from;
    if (!isDouble) {
      result.push_back(f.read(part, word));
      continue;
    }
    Value* both = f.read(part, {'b', 64});
    result.push_back(builder.CreateTrunc(both, builder.getInt32Ty()));
    result.push_back(builder.CreateTrunc(builder.CreateLShr(both, 32), builder.getInt32Ty()));
  }
  return true;
}

void writeFragment(FunctionLowering& f, const Operand& to, bool isDouble, Value* from) {
  IRBuilder<>& builder = f.builder();
  const bool isVector = to.kind == Operand::Kind::Vector;
  const auto count = unsigned(isVector ? to.parts.size() : 1);
  for (unsigned i = 0; i < count; ++i) {
    const Operand& part = isVector ? to.parts[i] : to;
    if (!isDouble) {
      f.write(part, builder.CreateExtractValue(from, i));
      continue;
    }
    Type* wide = builder.getInt64Ty();
    Value* low = builder.CreateZExt(builder.CreateExtractValue(from, 2 * i), wide);
    Value* high = builder.CreateZExt(builder.CreateExtractValue(from, 2 * i + 1), wide);
    f.write(part, builder.CreateOr(builder.CreateShl(high, 32), low));
  }
}

void writeWords(FunctionLowering& f, const Operand& to, bool isDouble, ArrayRef<Value*> words) {
  IRBuilder<>& builder = f.builder();
  const SmallVector<Type*, 16> types(words.size(), builder.getInt32Ty());
  Value* whole = PoisonValue::get(StructType::get(builder.getContext(), types));
  for (unsigned i = 0; i < words.size(); ++i)
    whole = builder.CreateInsertValue(whole, words[i], i);
  writeFragment(f, to, isDouble, whole);
}

std::optional<std::array<unsigned, 3>> shapeOf(std::string_view text) {
  std::array<unsigned, 3> shape = {};
  for (unsigned i = 0; i < 3; ++i) {
    if (text.empty() || text.front() != "mnk"[i])
      return std::nullopt;
    text.remove_prefix(1);
    while (!text.empty() && text.front() >= '0' && text.front() <= '9' && shape[i] < 1000) {
      shape[i] = shape[i] * 10 + unsigned(text.front() - '0');
      text.remove_prefix(1);
    }
  }
  return text.empty() ? std::optional(shape) : std::nullopt;
}

} // namespace heddle::ptx
