// SPDX-License-Identifier: Apache-2.0
//
// Floating point. Rounding to nearest is LLVM's own arithmetic; other modes and .ftz are the
// functions of NVVM of that name, which the engine knows.
#include "ptx/FunctionLowering.h"
#include "ptx/FuseProducts.h"
#include "ptx/Rows.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace heddle::ptx {

using namespace llvm;

namespace {

const char* floatSuffix(ScalarType type) {
  return type.bits == 64 ? "d" : "f";
}

/// `llvm.nvvm.add.rz.ftz.f`
std::string nvvmName(std::string_view base, std::string_view mode, const Form& form) {
  return fmt::format("llvm.nvvm.{}{}{}{}.{}", base, mode.empty() ? "" : ".", mode,
                     form.has("ftz") ? ".ftz" : "", floatSuffix(form.type()));
}

bool isPlain(const Form& form) {
  return !form.has("ftz") && (form.rounding().empty() || form.rounding() == "rn");
}

std::string_view modeOf(const Form& form) {
  return form.rounding().empty() ? "rn" : form.rounding();
}

void finish(FunctionLowering& f, const Form& form, Value* value) {
  if (form.has("sat"))
    value = f.call(fmt::format("llvm.nvvm.saturate.{}", floatSuffix(form.type())), value->getType(),
                   {value});
  f.write(form.operand(0), value);
}

} // namespace

void lowerFloatAdd(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  Value* sum = isPlain(form) ? f.builder().CreateFAdd(a, b)
                             : f.call(nvvmName("add", modeOf(form), form), a->getType(), {a, b});
  finish(f, form, fusable(form, sum));
}

void lowerFloatSub(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  Value* difference = isPlain(form) ? f.builder().CreateFSub(a, b)
                                    : f.call(nvvmName("add", modeOf(form), form), a->getType(),
                                             {a, f.builder().CreateFNeg(b)});
  finish(f, form, fusable(form, difference));
}

void lowerFloatMul(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  Value* product = isPlain(form)
                       ? f.builder().CreateFMul(a, b)
                       : f.call(nvvmName("mul", modeOf(form), form), a->getType(), {a, b});
  finish(f, form, fusable(form, product));
}

void lowerFma(FunctionLowering& f, const Form& form) {
  Value* operands[] = {f.read(form.operand(1), form.type()), f.read(form.operand(2), form.type()),
                       f.read(form.operand(3), form.type())};
  Type* type = operands[0]->getType();
  finish(f, form,
         isPlain(form) ? f.builder().CreateIntrinsic(Intrinsic::fma, {type}, operands)
                       : f.call(nvvmName("fma", modeOf(form), form), type, operands));
}

void lowerFloatDiv(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  if (form.has("approx") || form.has("full"))
    return f.write(form.operand(0), f.call(nvvmName("div", "approx", form), a->getType(), {a, b}));
  f.write(form.operand(0), isPlain(form)
                               ? f.builder().CreateFDiv(a, b)
                               : f.call(nvvmName("div", modeOf(form), form), a->getType(), {a, b}));
}

void lowerRcp(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  const std::string_view mode = form.has("approx") ? "approx" : modeOf(form);
  f.write(form.operand(0), f.call(nvvmName("rcp", mode, form), a->getType(), {a}));
}

void lowerSqrt(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  const std::string_view mode = form.has("approx") ? "approx" : modeOf(form);
  f.write(form.operand(0), isPlain(form) && !form.has("approx")
                               ? f.builder().CreateUnaryIntrinsic(Intrinsic::sqrt, a)
                               : f.call(nvvmName("sqrt", mode, form), a->getType(), {a}));
}

void lowerApproximate(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  const std::string_view name = form.instruction().opcode;
  f.write(form.operand(0), f.call(name == "tanh" ? "__nv_tanhf" : nvvmName(name, "approx", form),
                                  a->getType(), {a}));
}

void lowerFloatMinMax(FunctionLowering& f, const Form& form) {
  const ScalarType type = form.type();
  if (type.bits != 32 && (form.has("NaN") || form.has("xorsign")))
    return f.refuse(form);
  const auto name = fmt::format("llvm.nvvm.f{}{}{}{}.{}", form.instruction().opcode,
                                form.has("ftz") ? ".ftz" : "", form.has("NaN") ? ".nan" : "",
                                form.has("xorsign") ? ".xorsign.abs" : "", floatSuffix(type));
  Value* a = f.read(form.operand(1), type);
  Value* b = f.read(form.operand(2), type);
  f.write(form.operand(0), f.call(name, a->getType(), {a, b}));
}

void lowerFloatAbs(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  f.write(form.operand(0), form.has("ftz") && form.type().bits == 32
                               ? f.call("llvm.nvvm.fabs.ftz.f", a->getType(), {a})
                               : f.builder().CreateUnaryIntrinsic(Intrinsic::fabs, a));
}

void lowerFloatNeg(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  if (form.has("ftz"))
    a = f.flushed(a);
  f.write(form.operand(0), f.builder().CreateFNeg(a));
}

void lowerCopysign(FunctionLowering& f, const Form& form) {
  Value* sign = f.read(form.operand(1), form.type());
  Value* size = f.read(form.operand(2), form.type());
  f.write(form.operand(0), f.builder().CreateBinaryIntrinsic(Intrinsic::copysign, size, sign));
}

void lowerTestp(FunctionLowering& f, const Form& form) {
  IRBuilder<>& builder = f.builder();
  Value* a = f.read(form.operand(1), form.type());
  Type* type = a->getType();
  const auto size = [&] { return builder.CreateUnaryIntrinsic(Intrinsic::fabs, a); };
  Value* infinity = ConstantFP::getInfinity(type);
  Value* least = ConstantFP::get(type, APFloat::getSmallestNormalized(type->getFltSemantics()));
  Value* result = nullptr;
  if (form.has("notanumber"))
    result = builder.CreateFCmpUNO(a, a);
  else if (form.has("number"))
    result = builder.CreateFCmpORD(a, a);
  else if (form.has("infinite"))
    result = builder.CreateFCmpOEQ(size(), infinity);
  else if (form.has("finite"))
    result = builder.CreateFCmpOLT(size(), infinity);
  else if (form.has("normal"))
    result = builder.CreateOr( // zero counts as normal
        builder.CreateAnd(builder.CreateFCmpOGE(size(), least),
                          builder.CreateFCmpOLT(size(), infinity)),
        builder.CreateFCmpOEQ(a, ConstantFP::get(type, 0.0)));
  else
    result = builder.CreateAnd(builder.CreateFCmpOLT(size(), least),
                               builder.CreateFCmpONE(a, ConstantFP::get(type, 0.0)));
  f.write(form.operand(0), result);
}

} // namespace heddle::ptx
