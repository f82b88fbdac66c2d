// SPDX-License-Identifier: Apache-2.0
//
// cvt: `cvt.rzi.s32.f32 d, a` is from f32 to s32.
#include "ptx/FunctionLowering.h"
#include "ptx/Rows.h"

namespace heddle::ptx {

using namespace llvm;

namespace {

struct Conversion {
  ScalarType to, from;
  std::string_view mode; ///< rn, rz, rm, rp; empty
  bool toInteger;        ///< rni, rzi, rmi, rpi
};

Conversion conversionOf(const Form& form) {
  Conversion result{form.types()[0], form.types()[1], form.rounding(), false};
  const std::string_view whole = form.oneOf({"rni", "rzi", "rmi", "rpi"});
  if (!whole.empty())
    result = {result.to, result.from, whole.substr(0, 2), true};
  return result;
}

/// Into the numbers that a type of integers has, read as one of a given sign.
Value* clamped(FunctionLowering& f, Value* value, bool fromSigned, ScalarType to) {
  IRBuilder<>& builder = f.builder();
  const unsigned bits = value->getType()->getIntegerBitWidth();
  const unsigned width = std::min(to.bits, bits);
  const APInt most =
      (to.isSigned() ? APInt::getSignedMaxValue(width) : APInt::getMaxValue(width)).zext(bits);
  const bool mayExceed = to.bits < bits || (to.bits == bits && to.isSigned() != fromSigned);
  if (fromSigned && !to.isSigned())
    value = builder.CreateBinaryIntrinsic(Intrinsic::smax, value,
                                          ConstantInt::get(value->getType(), 0));
  else if (fromSigned && to.bits < bits)
    value = builder.CreateBinaryIntrinsic(
        Intrinsic::smax, value,
        ConstantInt::get(value->getType(), APInt::getSignedMinValue(to.bits).sext(bits)));
  if (mayExceed && !(fromSigned && !to.isSigned() && to.bits == bits))
    value = builder.CreateBinaryIntrinsic(fromSigned ? Intrinsic::smin : Intrinsic::umin, value,
                                          ConstantInt::get(value->getType(), most));
  return value;
}

Value* resized(FunctionLowering& f, Value* value, bool isSigned, unsigned bits) {
  Type* type = f.builder().getIntNTy(bits);
  return isSigned ? f.builder().CreateSExtOrTrunc(value, type)
                  : f.builder().CreateZExtOrTrunc(value, type);
}

Value* integerToInteger(FunctionLowering& f, const Form& form, const Conversion& what) {
  Value* value = f.read(form.operand(1), what.from);
  if (form.has("sat"))
    value = clamped(f, value, what.from.isSigned(), what.to);
  return resized(f, value, what.from.isSigned(), what.to.bits);
}

/// The words for a conversion to half, bfloat16 or tf32.
SmallVector<std::string_view, 6> flagsOf(const Form& form, const Conversion& what,
                                         SmallVector<std::string_view, 6> flags) {
  if (!what.toInteger && !what.mode.empty())
    flags.push_back(what.mode);
  for (const std::string_view word : {"rna", "sat", "relu", "satfinite"})
    if (form.has(word))
      flags.push_back(word);
  return flags;
}

Value* integerToFloat(FunctionLowering& f, const Form& form, const Conversion& what) {
  const bool isSigned = what.from.isSigned();
  Value* value = f.read(form.operand(1), what.from);
  value = resized(f, value, isSigned, std::max(what.from.bits, 32u));
  Type* type = f.typeOf(what.to);
  if (what.to.isSmall())
    return f.small("convert", nameOf(what.to), flagsOf(form, what, {isSigned ? "s" : "u"}),
                   f.builder().getIntNTy(what.to.bits), {value});
  if (what.mode.empty() || what.mode == "rn")
    return isSigned ? f.builder().CreateSIToFP(value, type) : f.builder().CreateUIToFP(value, type);
  const bool wide = value->getType()->isIntegerTy(64);
  return f.call(fmt::format("llvm.nvvm.{}2{}.{}",
                            wide ? (isSigned ? "ll" : "ull") : (isSigned ? "i" : "ui"),
                            what.to.bits == 64 ? "d" : "f", what.mode),
                type, {value});
}

/// What is converted. Numbers of 16 bits are floats first, which hold them.
Value* readFloat(FunctionLowering& f, const Form& form, Conversion& what) {
  if (!what.from.isSmall())
    return f.read(form.operand(1), what.from);
  Value* bits = f.read(form.operand(1), {'b', what.from.bits});
  Value* value = f.small("widen", nameOf(what.from), {}, f.builder().getFloatTy(), {bits});
  what.from = {'f', 32};
  return value;
}

Value* floatToInteger(FunctionLowering& f, const Form& form, const Conversion& what, Value* value) {
  IRBuilder<>& builder = f.builder();
  const bool wide = what.to.bits == 64;
  const bool isSigned = what.to.isSigned() || what.to.bits < 32;
  Value* number =
      f.call(fmt::format("llvm.nvvm.{}2{}.{}{}", what.from.bits == 64 ? "d" : "f",
                         wide ? (isSigned ? "ll" : "ull") : (isSigned ? "i" : "ui"), what.mode,
                         form.has("ftz") && what.from.bits == 32 ? ".ftz" : ""),
             wide ? builder.getInt64Ty() : builder.getInt32Ty(), {value});
  if (what.to.bits < 32)
    number = clamped(f, number, true, what.to);
  return resized(f, number, what.to.isSigned(), what.to.bits);
}

/// To a whole number of the same type.
Value* roundedFloat(FunctionLowering& f, const Conversion& what, Value* value) {
  const Intrinsic::ID id = what.mode == "rn"   ? Intrinsic::roundeven
                           : what.mode == "rz" ? Intrinsic::trunc
                           : what.mode == "rm" ? Intrinsic::floor
                                               : Intrinsic::ceil;
  return f.builder().CreateUnaryIntrinsic(id, value);
}

/// What becomes a float with .ftz. A double is looked at as it is: just below the normal numbers it
/// is zero, though rounding would make it one.
Value* flushedSource(FunctionLowering& f, Value* value) {
  Type* type = value->getType();
  if (!type->isDoubleTy())
    return f.flushed(value);
  IRBuilder<>& builder = f.builder();
  Value* size = builder.CreateUnaryIntrinsic(Intrinsic::fabs, value);
  Value* zero =
      builder.CreateBinaryIntrinsic(Intrinsic::copysign, ConstantFP::get(type, 0.0), value);
  return builder.CreateSelect(builder.CreateFCmpOLT(size, ConstantFP::get(type, 0x1p-126)), zero,
                              value);
}

Value* floatToFloat(FunctionLowering& f, const Form& form, const Conversion& what, Value* value) {
  Type* type = f.typeOf(what.to);
  if (form.has("ftz"))
    value = flushedSource(f, value);
  if (what.to.isSmall()) {
    value = what.toInteger ? roundedFloat(f, what, value) : value;
    return f.small("round", nameOf(what.to), flagsOf(form, what, {}),
                   f.builder().getIntNTy(what.to.bits), {value});
  }
  if (what.from == what.to)
    value = what.toInteger ? roundedFloat(f, what, value) : value;
  else if (what.to.bits > what.from.bits)
    value = f.builder().CreateFPExt(value, type);
  else if (what.mode == "rn" || what.mode.empty())
    value = f.builder().CreateFPTrunc(value, type);
  else if (what.to.bits == 32)
    value = f.call(fmt::format("llvm.nvvm.d2f.{}{}", what.mode, form.has("ftz") ? ".ftz" : ""),
                   type, {value});
  else
    return nullptr;
  if (form.has("sat"))
    value =
        f.call(what.to.bits == 64 ? "llvm.nvvm.saturate.d" : "llvm.nvvm.saturate.f", type, {value});
  return value;
}

bool isFloating(ScalarType type) {
  return type.isFloat() || type.isSmall();
}

/// One number of a packed type: its name and its bits.
std::pair<const char*, unsigned> packedElement(ScalarType type) {
  return type.kind == 'h'   ? std::pair{"f16", 16u}
         : type.kind == 'G' ? std::pair{"bf16", 16u}
         : type.kind == 'q' ? std::pair{"e4m3", 8u}
                            : std::pair{"e5m2", 8u};
}

} // namespace

void lowerCvt(FunctionLowering& f, const Form& form) {
  if (form.types().size() != 2 || form.types()[0].isPacked())
    return f.refuse(form);
  Conversion what = conversionOf(form);
  Value* value = nullptr;
  if (isFloating(what.from) && (isFloating(what.to) || what.toInteger)) {
    Value* from = readFloat(f, form, what);
    value = isFloating(what.to) ? floatToFloat(f, form, what, from)
                                : floatToInteger(f, form, what, from);
  } else if (isFloating(what.to)) {
    value = integerToFloat(f, form, what);
  } else if (!isFloating(what.from)) {
    value = integerToInteger(f, form, what);
  }
  if (value == nullptr)
    return f.refuse(form);
  f.write(form.operand(0), value, what.to.isSigned());
}

/// `cvt.rn.f16x2.f32 d, a, b`: a becomes the upper number of d; `cvt.rn.f16x2.e4m3x2 d, a`.
void lowerPackedCvt(FunctionLowering& f, const Form& form) {
  if (form.types().size() != 2 || !form.types()[0].isPacked())
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  const Conversion what = conversionOf(form);
  const auto [name, width] = packedElement(what.to);
  Type* type = builder.getIntNTy(what.to.bits);
  Value* result = nullptr;
  for (unsigned i = 0; i < 2; ++i) {
    Value* from = nullptr;
    if (what.from.isPacked()) {
      const auto [fromName, fromWidth] = packedElement(what.from);
      Value* both = f.read(form.operand(1), {'b', what.from.bits});
      Value* one = builder.CreateTrunc(builder.CreateLShr(both, i * fromWidth),
                                       builder.getIntNTy(fromWidth));
      from = f.small("widen", fromName, {}, builder.getFloatTy(), {one});
    } else {
      from = f.read(form.operand(2 - i), what.from);
    }
    Value* made = f.small("round", name, flagsOf(form, what, {}), builder.getIntNTy(width), {from});
    made = builder.CreateShl(builder.CreateZExt(made, type), i * width);
    result = result == nullptr ? made : builder.CreateOr(result, made);
  }
  f.write(form.operand(0), result);
}

} // namespace heddle::ptx
