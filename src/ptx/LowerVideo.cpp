// SPDX-License-Identifier: Apache-2.0
//
// Video instructions on whole words: one operation, then perhaps a second one with c. CUB has them
// in inline PTX.
#include "ptx/Form.h"
#include "ptx/FunctionLowering.h"
#include "ptx/Rows.h"

#include <llvm/IR/Intrinsics.h>

#include <cstdint>
#include <limits>
#include <string_view>

namespace heddle::ptx {

using namespace llvm;

namespace {

/// The first operation, on operands that are wide enough for every result.
Value* firstOf(FunctionLowering& f, const Form& form, Value* a, Value* b) {
  IRBuilder<>& builder = f.builder();
  const std::string_view opcode = form.instruction().opcode;
  if (opcode == "vadd")
    return builder.CreateAdd(a, b);
  if (opcode == "vsub")
    return builder.CreateSub(a, b);
  if (opcode == "vmin" || opcode == "vmax")
    return builder.CreateBinaryIntrinsic(opcode == "vmin" ? Intrinsic::smin : Intrinsic::smax, a,
                                         b);
  if (opcode == "vabsdiff")
    return builder.CreateBinaryIntrinsic(Intrinsic::abs, builder.CreateSub(a, b),
                                         builder.getFalse());
  Value* by = form.has("wrap")
                  ? builder.CreateAnd(b, 31)
                  : builder.CreateBinaryIntrinsic(Intrinsic::umin, b, builder.getInt64(32));
  return opcode == "vshl" ? builder.CreateShl(a, by) : builder.CreateAShr(a, by);
}

Value* extended(IRBuilder<>& builder, Value* narrow, bool isSigned) {
  return builder.CreateIntCast(narrow, builder.getInt64Ty(), isSigned);
}

Value* saturated(IRBuilder<>& builder, Value* value, bool isSigned) {
  using Signed = std::numeric_limits<std::int32_t>;
  const std::int64_t least = isSigned ? Signed::min() : 0;
  const std::int64_t most = isSigned ? Signed::max() : std::numeric_limits<std::uint32_t>::max();
  value =
      builder.CreateBinaryIntrinsic(Intrinsic::smax, value, builder.getInt64(std::uint64_t(least)));
  return builder.CreateBinaryIntrinsic(Intrinsic::smin, value,
                                       builder.getInt64(std::uint64_t(most)));
}

} // namespace

void lowerVideo(FunctionLowering& f, const Form& form) {
  const std::string_view second = form.oneOf({"add", "min", "max"});
  if (form.types().size() != 3 || second.empty() != (form.size() == 3))
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  const auto wide = [&](std::size_t index) {
    return extended(builder, f.read(form.operand(index), word), form.types()[index].isSigned());
  };
  const bool isSigned = form.types()[0].isSigned();
  Value* result = firstOf(f, form, wide(1), wide(2));
  if (form.has("sat"))
    result = saturated(builder, result, isSigned);
  // An H200 holds c against a distance that is not cut to 32 bits, and against a sum that is.
  if (form.instruction().opcode != "vabsdiff")
    result = extended(builder, builder.CreateTrunc(result, builder.getInt32Ty()), isSigned);
  if (!second.empty()) {
    Value* c = extended(builder, f.read(form.operand(3), word), isSigned);
    result = second == "add" ? builder.CreateAdd(result, c)
                             : builder.CreateBinaryIntrinsic(
                                   second == "min" ? Intrinsic::smin : Intrinsic::smax, result, c);
  }
  f.write(form.operand(0), builder.CreateTrunc(result, builder.getInt32Ty()));
}

} // namespace heddle::ptx
