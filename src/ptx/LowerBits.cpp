// SPDX-License-Identifier: Apache-2.0
//
// Bits. What a GPU does in one instruction and LLVM in several is a call of a function that the
// engine builds (VectorMathPtx.cpp), so that the account counts it as one.
#include "ptx/FunctionLowering.h"
#include "ptx/ReadPtx.h"
#include "ptx/Rows.h"

namespace heddle::ptx {

using namespace llvm;

namespace {

std::string operation(std::string_view name, ScalarType type) {
  return fmt::format("{}{}.{}{}", operationPrefix, name, type.isSigned() ? 's' : 'u', type.bits);
}

} // namespace

void lowerLogic(FunctionLowering& f, const Form& form) {
  const std::string_view name = form.instruction().opcode;
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  IRBuilder<>& builder = f.builder();
  f.write(form.operand(0), name == "and"  ? builder.CreateAnd(a, b)
                           : name == "or" ? builder.CreateOr(a, b)
                                          : builder.CreateXor(a, b));
}

void lowerNot(FunctionLowering& f, const Form& form) {
  f.write(form.operand(0), f.builder().CreateNot(f.read(form.operand(1), form.type())));
}

void lowerCnot(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  f.write(form.operand(0), f.builder().CreateZExt(f.builder().CreateIsNull(a), a->getType()));
}

static Value* lop3(FunctionLowering& f, const Form& form) {
  Value* operands[] = {f.read(form.operand(1), word), f.read(form.operand(2), word),
                       f.read(form.operand(3), word)};
  return f.call(fmt::format("{}lop3.{}", operationPrefix, form.operand(4).bits & 0xff),
                f.builder().getInt32Ty(), operands);
}

void lowerLop3(FunctionLowering& f, const Form& form) {
  if (form.operand(4).kind != Operand::Kind::Integer)
    return f.refuse(form);
  f.write(form.operand(0), lop3(f, form));
}

/// `lop3.or.b32 d|p, a, b, c, table, q`: p is whether d is not 0, or q.
void lowerLop3Joined(FunctionLowering& f, const Form& form) {
  const Operand& to = form.operand(0);
  if (form.operand(4).kind != Operand::Kind::Integer || to.kind != Operand::Kind::Pair ||
      form.modifiers().size() != 1)
    return f.refuse(form);
  Value* other = f.read(form.operand(5), truth);
  Value* made = lop3(f, form);
  Value* is = f.builder().CreateIsNotNull(made);
  f.write(to.parts[0], made);
  f.write(to.parts[1],
          form.has("and") ? f.builder().CreateAnd(is, other) : f.builder().CreateOr(is, other));
}

/// By 32 bits and more, of a word, nothing is left but the sign.
void lowerShift(FunctionLowering& f, const Form& form) {
  const ScalarType type = form.type();
  const bool left = form.instruction().opcode == "shl";
  IRBuilder<>& builder = f.builder();
  Value* a = f.read(form.operand(1), type);
  Value* amount = f.read(form.operand(2), word);
  const auto* known = dyn_cast<ConstantInt>(amount);
  if (known == nullptr)
    return f.write(form.operand(0),
                   f.call(operation(left ? "shl" : "shr", type), a->getType(), {a, amount}));
  const std::uint64_t bits = known->getZExtValue();
  if (bits >= type.bits && !type.isSigned())
    return f.write(form.operand(0), Constant::getNullValue(a->getType()));
  const std::uint64_t least = std::min<std::uint64_t>(bits, type.bits - 1);
  f.write(form.operand(0), left              ? builder.CreateShl(a, least)
                           : type.isSigned() ? builder.CreateAShr(a, least)
                                             : builder.CreateLShr(a, least));
}

/// The two words b:a, shifted; l keeps the upper one, r the lower one.
void lowerFunnelShift(FunctionLowering& f, const Form& form) {
  Value* low = f.read(form.operand(1), word);
  Value* high = f.read(form.operand(2), word);
  Value* amount = f.read(form.operand(3), word);
  const bool left = form.has("l");
  if (left == form.has("r"))
    return f.refuse(form);
  Type* type = f.builder().getInt32Ty();
  if (form.has("clamp"))
    return f.write(form.operand(0),
                   f.call(fmt::format("{}shf.{}", operationPrefix, left ? "l" : "r"), type,
                          {low, high, amount}));
  f.write(form.operand(0), f.builder().CreateIntrinsic(left ? Intrinsic::fshl : Intrinsic::fshr,
                                                       {type}, {high, low, amount}));
}

void lowerPopc(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  f.write(form.operand(0), f.builder().CreateUnaryIntrinsic(Intrinsic::ctpop, a));
}

void lowerClz(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  f.write(form.operand(0),
          f.builder().CreateBinaryIntrinsic(Intrinsic::ctlz, a, f.builder().getFalse()));
}

void lowerBrev(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  f.write(form.operand(0), f.builder().CreateUnaryIntrinsic(Intrinsic::bitreverse, a));
}

void lowerBfind(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  const char* name = form.has("shiftamt") ? "bfind.shiftamt" : "bfind";
  f.write(form.operand(0), f.call(operation(name, form.type()), f.builder().getInt32Ty(), {a}));
}

void lowerBfe(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  f.write(form.operand(0),
          f.call(operation("bfe", form.type()), a->getType(),
                 {a, f.read(form.operand(2), word), f.read(form.operand(3), word)}));
}

void lowerBfi(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  f.write(form.operand(0),
          f.call(operation("bfi", form.type()), a->getType(),
                 {a, b, f.read(form.operand(3), word), f.read(form.operand(4), word)}));
}

/// What the modes of prmt choose, for c of 3, 2, 1 and 0: a digit is a byte of the result.
static std::optional<std::uint64_t> permuteTable(const Form& form) {
  static constexpr std::pair<std::string_view, std::uint64_t> tables[] = {
      {"f4e", 0x6543'5432'4321'3210}, {"b4e", 0x0123'7012'6701'5670},
      {"rc8", 0x3333'2222'1111'0000}, {"ecl", 0x3333'3222'3211'3210},
      {"ecr", 0x3210'2210'1110'0000}, {"rc16", 0x3232'1010'3232'1010}};
  for (const auto& [mode, table] : tables)
    if (form.has(mode))
      return table;
  return std::nullopt;
}

void lowerPrmt(FunctionLowering& f, const Form& form) {
  IRBuilder<>& builder = f.builder();
  Value* choice = f.read(form.operand(3), word);
  if (const auto table = permuteTable(form)) {
    Value* place = builder.CreateShl(builder.CreateAnd(choice, 3), 4);
    choice = builder.CreateLShr(builder.getInt64(*table),
                                builder.CreateZExt(place, builder.getInt64Ty()));
    choice = builder.CreateAnd(builder.CreateTrunc(choice, builder.getInt32Ty()), 0xffff);
  }
  f.write(form.operand(0),
          f.call("llvm.nvvm.prmt", builder.getInt32Ty(),
                 {f.read(form.operand(1), word), f.read(form.operand(2), word), choice}));
}

/// An amount of bits as a number of 64, at most 32 or the lower five bits of it.
static Value* amountOf(FunctionLowering& f, const Form& form, const Operand& operand) {
  IRBuilder<>& builder = f.builder();
  Value* amount = f.read(operand, word);
  amount = form.has("wrap")
               ? builder.CreateAnd(amount, 31)
               : builder.CreateBinaryIntrinsic(Intrinsic::umin, amount, builder.getInt32(32));
  return builder.CreateZExt(amount, builder.getInt64Ty());
}

static Value* onesBelow(FunctionLowering& f, Value* length) {
  return f.builder().CreateSub(f.builder().CreateShl(f.builder().getInt64(1), length),
                               f.builder().getInt64(1));
}

/// Ones from a position on.
void lowerBmsk(FunctionLowering& f, const Form& form) {
  Value* position = amountOf(f, form, form.operand(1));
  Value* ones = onesBelow(f, amountOf(f, form, form.operand(2)));
  f.write(form.operand(0),
          f.builder().CreateTrunc(f.builder().CreateShl(ones, position), f.builder().getInt32Ty()));
}

/// The lower bits of a number, with their sign or with zeros above.
void lowerSzext(FunctionLowering& f, const Form& form) {
  IRBuilder<>& builder = f.builder();
  Value* ones = onesBelow(f, amountOf(f, form, form.operand(2)));
  Value* mask = builder.CreateTrunc(ones, builder.getInt32Ty());
  Value* low = builder.CreateAnd(f.read(form.operand(1), word), mask);
  if (!form.type().isSigned())
    return f.write(form.operand(0), low);
  Value* top = builder.CreateXor(mask, builder.CreateLShr(mask, 1)); // the last bit that is kept
  Value* isNegative = builder.CreateIsNotNull(builder.CreateAnd(low, top));
  f.write(form.operand(0),
          builder.CreateSelect(isNegative, builder.CreateOr(low, builder.CreateNot(mask)), low));
}

void lowerFns(FunctionLowering& f, const Form& form) {
  f.write(form.operand(0), f.call("llvm.nvvm.fns", f.builder().getInt32Ty(),
                                  {f.read(form.operand(1), word), f.read(form.operand(2), word),
                                   f.read(form.operand(3), word)}));
}

} // namespace heddle::ptx
