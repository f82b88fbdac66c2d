// SPDX-License-Identifier: Apache-2.0
#include "ptx/FunctionLowering.h"
#include "ptx/Rows.h"

namespace heddle::ptx {

using namespace llvm;

namespace {

Value* widened(FunctionLowering& f, Value* value, ScalarType type, unsigned bits) {
  Type* wide = f.builder().getIntNTy(bits);
  return type.isSigned() ? f.builder().CreateSExt(value, wide)
                         : f.builder().CreateZExt(value, wide);
}

/// The upper half of a product: one instruction, so one call.
Value* highHalf(FunctionLowering& f, ScalarType type, Value* a, Value* b) {
  const char* suffix = type.bits == 16   ? (type.isSigned() ? "s" : "us")
                       : type.bits == 32 ? (type.isSigned() ? "i" : "ui")
                                         : (type.isSigned() ? "ll" : "ull");
  return f.call(Twine("llvm.nvvm.mulhi.") + suffix, a->getType(), {a, b});
}

/// The first product of mul and mad: lo, hi or wide. Nothing where none is said.
Value* product(FunctionLowering& f, const Form& form) {
  const ScalarType type = form.type();
  Value* a = f.read(form.operand(1), type);
  Value* b = f.read(form.operand(2), type);
  if (form.has("lo"))
    return f.builder().CreateMul(a, b);
  if (form.has("hi"))
    return highHalf(f, type, a, b);
  if (form.has("wide") && type.bits < 64)
    return f.builder().CreateMul(widened(f, a, type, type.bits * 2),
                                 widened(f, b, type, type.bits * 2));
  return nullptr;
}

/// Of the lower 24 bits of two numbers: the lower or upper 32 of the 48 bits.
Value* product24(FunctionLowering& f, const Form& form) {
  const ScalarType type = form.type();
  IRBuilder<>& builder = f.builder();
  const auto cut = [&](const Operand& operand) {
    Value* value = builder.CreateShl(f.read(operand, type), 8);
    value = type.isSigned() ? builder.CreateAShr(value, 8) : builder.CreateLShr(value, 8);
    return widened(f, value, type, 64);
  };
  Value* whole = builder.CreateMul(cut(form.operand(1)), cut(form.operand(2)));
  return builder.CreateTrunc(form.has("hi") ? builder.CreateLShr(whole, 16) : whole,
                             builder.getInt32Ty());
}

Value* sum(FunctionLowering& f, const Form& form, Value* a, Value* b) {
  return form.has("sat") ? f.builder().CreateBinaryIntrinsic(Intrinsic::sadd_sat, a, b)
                         : f.builder().CreateAdd(a, b);
}

} // namespace

void lowerIntegerAdd(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  f.write(form.operand(0), sum(f, form, a, b));
}

void lowerIntegerSub(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  f.write(form.operand(0), form.has("sat")
                               ? f.builder().CreateBinaryIntrinsic(Intrinsic::ssub_sat, a, b)
                               : f.builder().CreateSub(a, b));
}

void lowerIntegerMul(FunctionLowering& f, const Form& form) {
  Value* value = product(f, form);
  if (value == nullptr)
    return f.refuse(form);
  f.write(form.operand(0), value);
}

void lowerIntegerMad(FunctionLowering& f, const Form& form) {
  Value* value = product(f, form);
  if (value == nullptr)
    return f.refuse(form);
  const ScalarType type{form.type().kind, value->getType()->getIntegerBitWidth()};
  f.write(form.operand(0), sum(f, form, value, f.read(form.operand(3), type)));
}

void lowerMul24(FunctionLowering& f, const Form& form) {
  f.write(form.operand(0), product24(f, form));
}

void lowerMad24(FunctionLowering& f, const Form& form) {
  Value* value = product24(f, form);
  f.write(form.operand(0), sum(f, form, value, f.read(form.operand(3), form.type())));
}

void lowerSad(FunctionLowering& f, const Form& form) {
  const ScalarType type = form.type();
  IRBuilder<>& builder = f.builder();
  Value* a = f.read(form.operand(1), type);
  Value* b = f.read(form.operand(2), type);
  Value* isLess = type.isSigned() ? builder.CreateICmpSLT(a, b) : builder.CreateICmpULT(a, b);
  Value* apart = builder.CreateSelect(isLess, builder.CreateSub(b, a), builder.CreateSub(a, b));
  f.write(form.operand(0), builder.CreateAdd(f.read(form.operand(3), type), apart));
}

void lowerDiv(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  f.write(form.operand(0),
          form.type().isSigned() ? f.builder().CreateSDiv(a, b) : f.builder().CreateUDiv(a, b));
}

void lowerRem(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  f.write(form.operand(0),
          form.type().isSigned() ? f.builder().CreateSRem(a, b) : f.builder().CreateURem(a, b));
}

void lowerIntegerAbs(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  f.write(form.operand(0),
          f.builder().CreateBinaryIntrinsic(Intrinsic::abs, a, f.builder().getFalse()));
}

void lowerIntegerNeg(FunctionLowering& f, const Form& form) {
  f.write(form.operand(0), f.builder().CreateNeg(f.read(form.operand(1), form.type())));
}

void lowerIntegerMinMax(FunctionLowering& f, const Form& form) {
  const bool isMin = form.instruction().opcode == "min";
  const Intrinsic::ID id = form.type().isSigned() ? (isMin ? Intrinsic::smin : Intrinsic::smax)
                                                  : (isMin ? Intrinsic::umin : Intrinsic::umax);
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  Value* value = f.builder().CreateBinaryIntrinsic(id, a, b);
  if (form.has("relu"))
    value = f.builder().CreateBinaryIntrinsic(Intrinsic::smax, value, f.builder().getInt32(0));
  f.write(form.operand(0), value);
}

/// dp4a: bytes of both; dp2a: halves of the first with the lower or upper bytes of the second.
void lowerDot(FunctionLowering& f, const Form& form) {
  if (form.types().size() != 2)
    return f.refuse(form);
  const bool isFour = form.instruction().opcode == "dp4a";
  IRBuilder<>& builder = f.builder();
  const auto part = [&](Value* whole, unsigned from, unsigned bits, ScalarType type) {
    Value* top = builder.CreateShl(whole, 32 - from - bits);
    return type.isSigned() ? builder.CreateAShr(top, 32 - bits)
                           : builder.CreateLShr(top, 32 - bits);
  };
  Value* a = f.read(form.operand(1), word);
  Value* b = f.read(form.operand(2), word);
  Value* sum = f.read(form.operand(3), word);
  const unsigned bits = isFour ? 8 : 16;
  for (unsigned i = 0; i < 32 / bits; ++i) {
    const unsigned from = i * 8 + (!isFour && form.has("hi") ? 16 : 0);
    Value* left = part(a, i * bits, bits, form.types()[0]);
    Value* right = part(b, from, 8, form.types()[1]);
    sum = builder.CreateAdd(sum, builder.CreateMul(left, right));
  }
  f.write(form.operand(0), sum);
}

/// vabsdiff4, vabsdiff2: how far bytes or halves are apart, packed, or with .add their sum and c.
void lowerApart(FunctionLowering& f, const Form& form) {
  if (form.types().size() != 3 || form.types()[0].isSigned() || form.types()[1].isSigned())
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  const unsigned bits = form.instruction().opcode == "vabsdiff4" ? 8 : 16;
  Value* a = f.read(form.operand(1), word);
  Value* b = f.read(form.operand(2), word);
  const bool adds = form.has("add");
  Value* result = adds ? f.read(form.operand(3), word) : builder.getInt32(0);
  for (unsigned from = 0; from < 32; from += bits) {
    const auto part = [&](Value* whole) {
      return builder.CreateAnd(builder.CreateLShr(whole, from), (1u << bits) - 1);
    };
    Value* left = part(a);
    Value* right = part(b);
    Value* apart = builder.CreateSub(builder.CreateBinaryIntrinsic(Intrinsic::umax, left, right),
                                     builder.CreateBinaryIntrinsic(Intrinsic::umin, left, right));
    result = adds ? builder.CreateAdd(result, apart)
                  : builder.CreateOr(result, builder.CreateShl(apart, from));
  }
  f.write(form.operand(0), result);
}

} // namespace heddle::ptx
