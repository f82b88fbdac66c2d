// SPDX-License-Identifier: Apache-2.0
#include "ptx/FunctionLowering.h"
#include "ptx/Rows.h"

namespace heddle::ptx {

using namespace llvm;

namespace {

using Predicate = CmpInst::Predicate;

Predicate integerPredicate(std::string_view name, bool isSigned) {
  static const std::map<std::string_view, std::pair<Predicate, Predicate>> known = {
      {"eq", {CmpInst::ICMP_EQ, CmpInst::ICMP_EQ}},
      {"ne", {CmpInst::ICMP_NE, CmpInst::ICMP_NE}},
      {"lt", {CmpInst::ICMP_SLT, CmpInst::ICMP_ULT}},
      {"le", {CmpInst::ICMP_SLE, CmpInst::ICMP_ULE}},
      {"gt", {CmpInst::ICMP_SGT, CmpInst::ICMP_UGT}},
      {"ge", {CmpInst::ICMP_SGE, CmpInst::ICMP_UGE}},
      {"lo", {CmpInst::ICMP_ULT, CmpInst::ICMP_ULT}},
      {"ls", {CmpInst::ICMP_ULE, CmpInst::ICMP_ULE}},
      {"hi", {CmpInst::ICMP_UGT, CmpInst::ICMP_UGT}},
      {"hs", {CmpInst::ICMP_UGE, CmpInst::ICMP_UGE}}};
  const auto found = known.find(name);
  if (found == known.end())
    return CmpInst::BAD_ICMP_PREDICATE;
  return isSigned ? found->second.first : found->second.second;
}

Predicate floatPredicate(std::string_view name) {
  static const std::map<std::string_view, Predicate> known = {
      {"eq", CmpInst::FCMP_OEQ},  {"ne", CmpInst::FCMP_ONE},  {"lt", CmpInst::FCMP_OLT},
      {"le", CmpInst::FCMP_OLE},  {"gt", CmpInst::FCMP_OGT},  {"ge", CmpInst::FCMP_OGE},
      {"equ", CmpInst::FCMP_UEQ}, {"neu", CmpInst::FCMP_UNE}, {"ltu", CmpInst::FCMP_ULT},
      {"leu", CmpInst::FCMP_ULE}, {"gtu", CmpInst::FCMP_UGT}, {"geu", CmpInst::FCMP_UGE},
      {"num", CmpInst::FCMP_ORD}, {"nan", CmpInst::FCMP_UNO}};
  const auto found = known.find(name);
  return found == known.end() ? CmpInst::BAD_FCMP_PREDICATE : found->second;
}

/// The comparison of operands 1 and 2, in the type that is compared; nothing where it is none.
Value* compared(FunctionLowering& f, const Form& form) {
  const ScalarType type = form.type();
  if (form.modifiers().empty())
    return nullptr;
  Value* a = f.read(form.operand(1), type);
  Value* b = f.read(form.operand(2), type);
  const std::string_view name = form.modifiers().front();
  if (!type.isFloat()) {
    const Predicate predicate = integerPredicate(name, type.isSigned());
    return predicate == CmpInst::BAD_ICMP_PREDICATE ? nullptr
                                                    : f.builder().CreateICmp(predicate, a, b);
  }
  const Predicate predicate = floatPredicate(name);
  if (predicate == CmpInst::BAD_FCMP_PREDICATE)
    return nullptr;
  if (form.has("ftz")) {
    a = f.flushed(a);
    b = f.flushed(b);
  }
  return f.builder().CreateFCmp(predicate, a, b);
}

Value* joined(FunctionLowering& f, const Form& form, Value* comparison) {
  if (form.size() < 4)
    return comparison;
  Value* other = f.read(form.operand(3), {'p', 1});
  IRBuilder<>& builder = f.builder();
  return form.has("and")  ? builder.CreateAnd(comparison, other)
         : form.has("or") ? builder.CreateOr(comparison, other)
                          : builder.CreateXor(comparison, other);
}

} // namespace

/// `setp.lt.and.s32 p|q, a, b, c`: p is (a < b) and c, q is not (a < b) and c.
void lowerSetp(FunctionLowering& f, const Form& form) {
  Value* comparison = compared(f, form);
  if (comparison == nullptr)
    return f.refuse(form);
  const Operand& to = form.operand(0);
  if (to.kind != Operand::Kind::Pair)
    return f.write(to, joined(f, form, comparison));
  Value* both[] = {joined(f, form, comparison), joined(f, form, f.builder().CreateNot(comparison))};
  f.write(to.parts[0], both[0]);
  f.write(to.parts[1], both[1]);
}

void lowerSet(FunctionLowering& f, const Form& form) {
  Value* comparison = form.types().size() == 2 ? compared(f, form) : nullptr;
  if (comparison == nullptr)
    return f.refuse(form);
  Value* is = joined(f, form, comparison);
  Type* type = f.typeOf(form.types()[0]);
  f.write(form.operand(0),
          type->isFloatingPointTy()
              ? f.builder().CreateSelect(is, ConstantFP::get(type, 1.0), ConstantFP::get(type, 0.0))
              : f.builder().CreateSExt(is, type));
}

void lowerSelp(FunctionLowering& f, const Form& form) {
  Value* a = f.read(form.operand(1), form.type());
  Value* b = f.read(form.operand(2), form.type());
  f.write(form.operand(0), f.builder().CreateSelect(f.read(form.operand(3), {'p', 1}), a, b));
}

/// a where c is not negative.
void lowerSlct(FunctionLowering& f, const Form& form) {
  if (form.types().size() != 2)
    return f.refuse(form);
  IRBuilder<>& builder = f.builder();
  Value* a = f.read(form.operand(1), form.types()[0]);
  Value* b = f.read(form.operand(2), form.types()[0]);
  Value* c = f.read(form.operand(3), form.type());
  Value* zero = Constant::getNullValue(c->getType());
  if (form.type().isFloat() && form.has("ftz"))
    c = f.flushed(c);
  Value* is =
      form.type().isFloat() ? builder.CreateFCmpOGE(c, zero) : builder.CreateICmpSGE(c, zero);
  f.write(form.operand(0), builder.CreateSelect(is, a, b));
}

} // namespace heddle::ptx
