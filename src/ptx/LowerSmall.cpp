// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of half, half2, bf16 and bf16x2. The numbers are integers of 16 or 32 bits here, and
// one instruction is one call of a function that the engine builds (VectorMathSmall.cpp): LLVM's
// own types would round where a host has no instructions for them.
#include "ptx/FunctionLowering.h"
#include "ptx/FuseProducts.h"
#include "ptx/Rows.h"

namespace heddle::ptx {

using namespace llvm;

namespace {

/// One number of a packed type.
ScalarType elementOf(ScalarType type) {
  return type.kind == 'h' ? ScalarType{'f', 16} : type.kind == 'G' ? ScalarType{'g', 16} : type;
}

ScalarType bitsOf(ScalarType type) {
  return {'b', type.bits};
}

/// The words that change the result.
SmallVector<std::string_view, 4> flagsOf(const Form& form) {
  SmallVector<std::string_view, 4> flags;
  for (const std::string_view word : {"ftz", "sat", "relu", "NaN", "xorsign"})
    if (form.has(word))
      flags.push_back(word);
  return flags;
}

Value* part(FunctionLowering& f, Value* both, unsigned index) {
  IRBuilder<>& builder = f.builder();
  return builder.CreateTrunc(builder.CreateLShr(both, index * 16), builder.getInt16Ty());
}

/// One comparison of numbers, or two of packed ones, joined with a predicate where there is one.
SmallVector<Value*, 2> comparedParts(FunctionLowering& f, const Form& form) {
  const ScalarType type = form.type();
  if (form.modifiers().empty())
    return {};
  static constexpr std::string_view known[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                               "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
  const std::string_view name = form.modifiers().front();
  if (!is_contained(known, name))
    return {};
  IRBuilder<>& builder = f.builder();
  Value* a = f.read(form.operand(1), bitsOf(type));
  Value* b = f.read(form.operand(2), bitsOf(type));
  Value* other = form.size() > 3 ? f.read(form.operand(3), truth) : nullptr;
  SmallVector<Value*, 2> results;
  for (unsigned i = 0; i < (type.isPacked() ? 2u : 1u); ++i) {
    Value* left = type.isPacked() ? part(f, a, i) : a;
    Value* right = type.isPacked() ? part(f, b, i) : b;
    Value* is =
        f.small(name, nameOf(elementOf(type)), flagsOf(form), builder.getInt1Ty(), {left, right});
    if (other != nullptr)
      is = form.has("and")  ? builder.CreateAnd(is, other)
           : form.has("or") ? builder.CreateOr(is, other)
                            : builder.CreateXor(is, other);
    results.push_back(is);
  }
  return results;
}

/// What set gives where the comparison holds: 1, or all ones.
std::uint64_t trueOf(ScalarType type) {
  return type.kind == 'h' || type == ScalarType{'f', 16} ? 0x3c00
         : type.kind == 'g' || type.kind == 'G'          ? 0x3f80
         : type == ScalarType{'f', 32}                   ? 0x3f800000
                                                         : ~std::uint64_t{0};
}

} // namespace

void lowerSmall(FunctionLowering& f, const Form& form) {
  if (form.types().size() != 1) // add.f32.f16: a sum in another type
    return f.refuse(form);
  SmallVector<Value*, 3> operands;
  for (std::size_t i = 1; i < form.size(); ++i)
    operands.push_back(f.read(form.operand(i), bitsOf(form.type())));
  f.write(form.operand(0), fusable(form, f.small(form.instruction().opcode, nameOf(form.type()),
                                                 flagsOf(form), operands[0]->getType(), operands)));
}

/// ex2 and tanh: of the number as a float, rounded once more.
void lowerSmallApproximate(FunctionLowering& f, const Form& form) {
  const ScalarType type = form.type();
  IRBuilder<>& builder = f.builder();
  Value* a = f.read(form.operand(1), bitsOf(type));
  const char* name = form.instruction().opcode == "tanh" ? "__nv_tanhf" : "llvm.nvvm.ex2.approx.f";
  Value* result = nullptr;
  for (unsigned i = 0; i < (type.isPacked() ? 2u : 1u); ++i) {
    Value* x = f.small("widen", nameOf(elementOf(type)), flagsOf(form), builder.getFloatTy(),
                       {type.isPacked() ? part(f, a, i) : a});
    Value* y = f.small("round", nameOf(elementOf(type)), flagsOf(form), builder.getInt16Ty(),
                       {f.call(name, builder.getFloatTy(), {x})});
    result =
        result == nullptr
            ? y
            : builder.CreateOr(builder.CreateZExt(result, builder.getInt32Ty()),
                               builder.CreateShl(builder.CreateZExt(y, builder.getInt32Ty()), 16));
  }
  f.write(form.operand(0), result);
}

/// Of packed numbers, p|q are the comparisons of the lower and the upper ones.
void lowerSmallSetp(FunctionLowering& f, const Form& form) {
  const auto results = comparedParts(f, form);
  const Operand& to = form.operand(0);
  if (results.empty() || (results.size() == 2 && to.kind != Operand::Kind::Pair))
    return f.refuse(form);
  if (to.kind != Operand::Kind::Pair)
    return f.write(to, results[0]);
  if (results.size() == 1 && form.size() > 3)
    return f.refuse(form);
  f.write(to.parts[0], results[0]);
  f.write(to.parts[1], results.size() == 2 ? results[1] : f.builder().CreateNot(results[0]));
}

void lowerSmallSet(FunctionLowering& f, const Form& form) {
  const auto results = form.types().size() == 2 ? comparedParts(f, form) : SmallVector<Value*, 2>();
  if (results.empty())
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  const ScalarType to = form.types()[0];
  if (results.size() == 2 && to.bits != 32)
    return f.refuse(form);
  Type* type = builder.getIntNTy(to.bits);
  const unsigned width = results.size() == 2 ? 16 : to.bits;
  const APInt yes = APInt(64, trueOf(to)).trunc(width).zext(to.bits);
  Value* made = nullptr;
  for (unsigned i = 0; i < results.size(); ++i) {
    Value* one = builder.CreateSelect(results[i], ConstantInt::get(type, yes.shl(i * 16)),
                                      Constant::getNullValue(type));
    made = made == nullptr ? one : builder.CreateOr(made, one);
  }
  f.write(form.operand(0), made);
}

} // namespace heddle::ptx
