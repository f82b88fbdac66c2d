// SPDX-License-Identifier: Apache-2.0
//
// Numbers longer than a register: the carry of one instruction goes into the next.
#include "ptx/FunctionLowering.h"
#include "ptx/Rows.h"

namespace heddle::ptx {

using namespace llvm;

namespace {

/// The names of the instructions that take a carry end with c.
bool takesCarry(const Form& form) {
  return form.instruction().opcode.ends_with('c');
}

Value* carryAs(FunctionLowering& f, Type* type) {
  return f.builder().CreateZExt(f.readCarry(), type);
}

/// a + b, with the carry that came where there is one; leaves the carry where it is asked for.
Value* addWithCarry(FunctionLowering& f, const Form& form, Value* a, Value* b) {
  IRBuilder<>& builder = f.builder();
  Value* sum = builder.CreateAdd(a, b);
  Value* carry = builder.CreateICmpULT(sum, a);
  if (takesCarry(form)) {
    Value* whole = builder.CreateAdd(sum, carryAs(f, sum->getType()));
    carry = builder.CreateOr(carry, builder.CreateICmpULT(whole, sum));
    sum = whole;
  }
  if (form.has("cc"))
    f.writeCarry(carry);
  return sum;
}

} // namespace

void lowerAddCarry(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  f.write(form.operand(0), addWithCarry(f, form, a, b));
}

/// The flag after a subtraction is the carry of a + ~b + 1: set where nothing was borrowed. Between
/// sub.cc and subc this makes no difference, but nvcc's division of 128 bits asks it with addc.
void lowerSubCarry(FunctionLowering& f, const Form& form) {
  IRBuilder<>& builder = f.builder();
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  Value* rest = builder.CreateSub(a, b);
  Value* borrow = builder.CreateICmpULT(a, b);
  if (takesCarry(form)) {
    Value* more = builder.CreateZExt(builder.CreateNot(f.readCarry()), rest->getType());
    borrow = builder.CreateOr(borrow, builder.CreateICmpULT(rest, more));
    rest = builder.CreateSub(rest, more);
  }
  if (form.has("cc"))
    f.writeCarry(builder.CreateNot(borrow));
  f.write(form.operand(0), rest);
}

void lowerMadCarry(FunctionLowering& f, const Form& form) {
  IRBuilder<>& builder = f.builder();
  const ScalarType type = form.type();
  Value* a = f.read(form.operand(1), type);
  Value* b = f.read(form.operand(2), type);
  Value* product = nullptr;
  if (form.has("hi")) {
    const char* suffix =
        type.bits == 32 ? (type.isSigned() ? "i" : "ui") : (type.isSigned() ? "ll" : "ull");
    product = f.call(Twine("llvm.nvvm.mulhi.") + suffix, a->getType(), {a, b});
  } else {
    product = builder.CreateMul(a, b);
  }
  f.write(form.operand(0), addWithCarry(f, form, product, f.read(form.operand(3), type)));
}

} // namespace heddle::ptx
