// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores, atomics and fences.
#include "ptx/FunctionLowering.h"
#include "ptx/ReadPtx.h"
#include "ptx/Rows.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace heddle::ptx {

using namespace llvm;

namespace {

AtomicOrdering orderOf(const Form& form, AtomicOrdering otherwise) {
  if (form.has("acquire"))
    return AtomicOrdering::Acquire;
  if (form.has("release"))
    return AtomicOrdering::Release;
  if (form.has("acq_rel"))
    return AtomicOrdering::AcquireRelease;
  return form.has("relaxed") ? AtomicOrdering::Monotonic : otherwise;
}

/// `v2` and `{a, b}` belong together.
bool isVectorRight(const Form& form, const Operand& operand) {
  return form.elements() == 1
             ? operand.kind != Operand::Kind::Vector
             : operand.kind == Operand::Kind::Vector && operand.parts.size() == form.elements();
}

/// A part of a scalar parameter. Parameters of a kernel are no memory here.
void loadScalar(FunctionLowering& f, const Form& form, Value* whole) {
  IRBuilder<>& builder = f.builder();
  const ScalarType type = form.type();
  const std::int64_t offset = form.operand(1).offset;
  const auto bits = unsigned(whole->getType()->getPrimitiveSizeInBits());
  const unsigned wanted = type.bits * form.elements();
  if (offset < 0 || offset >= 16 || unsigned(offset) * 8 + wanted > std::max(bits, 8u))
    return f.refuse(form, "it reads beyond the parameter");
  Value* number = builder.CreateBitCast(whole, builder.getIntNTy(bits));
  const auto part = [&](unsigned index) {
    Value* value = builder.CreateLShr(number, unsigned(offset) * 8 + index * type.bits);
    return builder.CreateTrunc(value, builder.getIntNTy(type.bits));
  };
  if (form.elements() == 1)
    return f.write(form.operand(0), part(0), type.isSigned());
  for (unsigned i = 0; i < form.elements(); ++i)
    f.write(form.operand(0).parts[i], part(i), type.isSigned());
}

Type* accessType(FunctionLowering& f, const Form& form) {
  Type* element = f.typeOf(form.type());
  return form.elements() == 1 ? element : FixedVectorType::get(element, form.elements());
}

template <class Access> void setOrder(const Form& form, Access* access) {
  access->setVolatile(form.has("volatile"));
  const AtomicOrdering order = orderOf(form, AtomicOrdering::NotAtomic);
  if (order != AtomicOrdering::NotAtomic && form.elements() == 1)
    access->setAtomic(order);
}

std::optional<AtomicRMWInst::BinOp> operationOf(const Form& form) {
  const ScalarType type = form.type();
  if (form.has("add"))
    return type.isFloat() ? AtomicRMWInst::FAdd : AtomicRMWInst::Add;
  if (type.isFloat())
    return std::nullopt;
  if (form.has("min"))
    return type.isSigned() ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
  if (form.has("max"))
    return type.isSigned() ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
  static const std::map<std::string_view, AtomicRMWInst::BinOp> plain = {
      {"and", AtomicRMWInst::And},      {"or", AtomicRMWInst::Or},
      {"xor", AtomicRMWInst::Xor},      {"exch", AtomicRMWInst::Xchg},
      {"inc", AtomicRMWInst::UIncWrap}, {"dec", AtomicRMWInst::UDecWrap}};
  const auto found = plain.find(form.oneOf({"and", "or", "xor", "exch", "inc", "dec"}));
  return found == plain.end() ? std::nullopt : std::optional(found->second);
}

/// `atom.add.noftz.f16x2`: LLVM has no such operation, so it is an exchange with a note.
Value* modifySmall(FunctionLowering& f, const Form& form, Value* pointer, const Operand& value) {
  const std::string_view operation = form.oneOf({"add", "min", "max"});
  if (operation.empty() || !form.has("noftz"))
    return nullptr;
  AtomicRMWInst* made = f.builder().CreateAtomicRMW(
      AtomicRMWInst::Xchg, pointer, f.read(value, {'b', form.type().bits}), MaybeAlign(),
      orderOf(form, AtomicOrdering::Monotonic));
  LLVMContext& context = made->getContext();
  made->setMetadata(smallAtomicMetadata,
                    MDNode::get(context, MDString::get(context, fmt::format("{}.{}", operation,
                                                                            nameOf(form.type())))));
  return made;
}

Value* modifyOne(FunctionLowering& f, const Form& form, const Operand& where,
                 const Operand& value) {
  Value* pointer = f.address(where, form.space());
  if (form.type().isSmall())
    return modifySmall(f, form, pointer, value);
  const auto operation = operationOf(form);
  if (!operation)
    return nullptr;
  return f.builder().CreateAtomicRMW(*operation, pointer, f.read(value, form.type()), MaybeAlign(),
                                     orderOf(form, AtomicOrdering::Monotonic));
}

/// The old value; those of a vector are atomic each for itself. `old` is nothing for red.
bool modify(FunctionLowering& f, const Form& form, const Operand& where, const Operand& value,
            const Operand* old) {
  const unsigned count = form.elements();
  if (where.kind != Operand::Kind::Memory || !isVectorRight(form, value) ||
      (old != nullptr && !isVectorRight(form, *old)))
    return false;
  for (unsigned i = 0; i < count; ++i) {
    Operand place = where;
    place.offset += std::int64_t{i} * form.type().bytes();
    Value* made = modifyOne(f, form, place, count == 1 ? value : value.parts[i]);
    if (made == nullptr)
      return false;
    if (old != nullptr)
      f.write(count == 1 ? *old : old->parts[i], made);
  }
  return true;
}

} // namespace

void lowerLd(FunctionLowering& f, const Form& form) {
  const Operand& from = form.operand(1);
  const Operand& to = form.operand(0);
  if (form.sizeWithoutHint() != 2 || from.kind != Operand::Kind::Memory || !isVectorRight(form, to))
    return f.refuse(form);
  if (form.space() == Space::Param)
    if (Value* scalar = f.scalarParameter(from.name))
      return loadScalar(f, form, scalar);
  Type* type = accessType(f, form);
  const Align alignment(std::uint64_t{form.type().bytes()} * form.elements());
  LoadInst* load = f.builder().CreateAlignedLoad(type, f.address(from, form.space()), alignment);
  if (form.space() != Space::Param)
    setOrder(form, load);
  if (form.elements() == 1)
    return f.write(to, load, form.type().isSigned());
  for (unsigned i = 0; i < form.elements(); ++i)
    f.write(to.parts[i], f.builder().CreateExtractElement(load, std::uint64_t{i}),
            form.type().isSigned());
}

void lowerSt(FunctionLowering& f, const Form& form) {
  const Operand& to = form.operand(0);
  const Operand& from = form.operand(1);
  if (form.sizeWithoutHint() != 2 || to.kind != Operand::Kind::Memory ||
      !isVectorRight(form, from) || f.scalarParameter(to.name) != nullptr)
    return f.refuse(form);
  Value* value = nullptr;
  if (form.elements() == 1) {
    value = f.read(from, form.type());
  } else {
    value = PoisonValue::get(accessType(f, form));
    for (unsigned i = 0; i < form.elements(); ++i)
      value = f.builder().CreateInsertElement(value, f.read(from.parts[i], form.type()),
                                              std::uint64_t{i});
  }
  const Align alignment(std::uint64_t{form.type().bytes()} * form.elements());
  StoreInst* store = f.builder().CreateAlignedStore(value, f.address(to, form.space()), alignment);
  if (form.space() != Space::Param)
    setOrder(form, store);
}

void lowerAtom(FunctionLowering& f, const Form& form) {
  if (!form.has("cas")) {
    if (form.sizeWithoutHint() != 3 ||
        !modify(f, form, form.operand(1), form.operand(2), &form.operand(0)))
      f.refuse(form);
    return;
  }
  if (form.sizeWithoutHint() != 4 || form.type().isFloat() ||
      form.operand(1).kind != Operand::Kind::Memory)
    return f.refuse(form);
  const AtomicOrdering order = orderOf(form, AtomicOrdering::Monotonic);
  Value* pair = f.builder().CreateAtomicCmpXchg(
      f.address(form.operand(1), form.space()), f.read(form.operand(2), form.type()),
      f.read(form.operand(3), form.type()), MaybeAlign(), order,
      AtomicCmpXchgInst::getStrongestFailureOrdering(order));
  f.write(form.operand(0), f.builder().CreateExtractValue(pair, 0));
}

void lowerRed(FunctionLowering& f, const Form& form) {
  if (form.sizeWithoutHint() != 2 || !modify(f, form, form.operand(0), form.operand(1), nullptr))
    f.refuse(form);
}

void lowerFence(FunctionLowering& f, const Form& form) {
  const Intrinsic::ID id = form.has("cta")   ? Intrinsic::nvvm_membar_cta
                           : form.has("sys") ? Intrinsic::nvvm_membar_sys
                                             : Intrinsic::nvvm_membar_gl;
  f.builder().CreateIntrinsic(id, {}, {});
}

} // namespace heddle::ptx
