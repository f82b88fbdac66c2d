// SPDX-License-Identifier: Apache-2.0
//
// Two whole numbers of 16 bits in one register, and numbers that are cut and packed.
#include "ptx/FunctionLowering.h"
#include "ptx/Rows.h"

namespace heddle::ptx {

using namespace llvm;

/// add, min and max of u16x2 and s16x2, each half for itself.
void lowerPairs(FunctionLowering& f, const Form& form) {
  IRBuilder<>& builder = f.builder();
  const bool isSigned = form.type().kind == 'S';
  const bool isMin = form.instruction().opcode == "min";
  Value* a = f.read(form.operand(1), word);
  Value* b = f.read(form.operand(2), word);
  const auto half = [&](Value* both, unsigned index) {
    return builder.CreateTrunc(builder.CreateLShr(both, index * 16), builder.getInt16Ty());
  };
  Value* result = nullptr;
  for (unsigned i = 0; i < 2; ++i) {
    Value* left = half(a, i);
    Value* right = half(b, i);
    const Intrinsic::ID id = isSigned ? (isMin ? Intrinsic::smin : Intrinsic::smax)
                                      : (isMin ? Intrinsic::umin : Intrinsic::umax);
    Value* made = form.instruction().opcode == "add"
                      ? builder.CreateAdd(left, right)
                      : builder.CreateBinaryIntrinsic(id, left, right);
    if (form.has("relu"))
      made = builder.CreateBinaryIntrinsic(Intrinsic::smax, made, builder.getInt16(0));
    made = builder.CreateShl(builder.CreateZExt(made, builder.getInt32Ty()), i * 16);
    result = result == nullptr ? made : builder.CreateOr(result, made);
  }
  f.write(form.operand(0), result);
}

/// `cvt.pack.sat.u8.s32.b32 d, a, b, c`: a above b, and the lower bits of c above both.
void lowerPack(FunctionLowering& f, const Form& form) {
  const ScalarType to = form.types().front();
  const bool isWide = to.bits == 16;
  if (!form.has("pack") || form.types().size() != (isWide ? 2u : 3u) ||
      form.types()[1].bits != 32 || !form.types()[1].isSigned() || (to.bits != 8 && !isWide) ||
      (to.kind != 's' && to.kind != 'u'))
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  const auto cut = [&](const Operand& operand) {
    const APInt least = to.isSigned() ? APInt::getSignedMinValue(to.bits).sext(32) : APInt(32, 0);
    const APInt most = to.isSigned() ? APInt::getSignedMaxValue(to.bits).zext(32)
                                     : APInt::getMaxValue(to.bits).zext(32);
    Value* value = builder.CreateBinaryIntrinsic(Intrinsic::smax, f.read(operand, word),
                                                 builder.getInt(least));
    value = builder.CreateBinaryIntrinsic(Intrinsic::smin, value, builder.getInt(most));
    return builder.CreateAnd(value, builder.getInt(APInt::getMaxValue(to.bits).zext(32)));
  };
  Value* result =
      builder.CreateOr(builder.CreateShl(cut(form.operand(1)), to.bits), cut(form.operand(2)));
  if (!isWide)
    result = builder.CreateOr(result, builder.CreateShl(f.read(form.operand(3), word), 16));
  f.write(form.operand(0), result);
}

} // namespace heddle::ptx
