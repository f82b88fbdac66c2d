// SPDX-License-Identifier: Apache-2.0
//
// mov, also of several registers into one and back; addresses from one space to another.
#include "ptx/FunctionLowering.h"
#include "ptx/Rows.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace heddle::ptx {

using namespace llvm;

namespace {

/// {a, b}: a is the lower half.
Value* packed(FunctionLowering& f, const Operand& from, unsigned bits) {
  const auto count = unsigned(from.parts.size());
  const ScalarType part{'b', bits / count};
  IRBuilder<>& builder = f.builder();
  Value* result = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    Value* value = builder.CreateZExt(f.read(from.parts[i], part), builder.getIntNTy(bits));
    value = builder.CreateShl(value, i * part.bits);
    result = result == nullptr ? value : builder.CreateOr(result, value);
  }
  return result;
}

void unpack(FunctionLowering& f, const Operand& to, Value* from, unsigned bits) {
  const auto count = unsigned(to.parts.size());
  const unsigned width = bits / count;
  IRBuilder<>& builder = f.builder();
  for (unsigned i = 0; i < count; ++i)
    f.write(to.parts[i],
            builder.CreateTrunc(builder.CreateLShr(from, i * width), builder.getIntNTy(width)));
}

bool isDivisible(const Operand& vector, unsigned bits) {
  return (vector.parts.size() == 2 || vector.parts.size() == 4) && bits / vector.parts.size() >= 8;
}

} // namespace

void lowerMov(FunctionLowering& f, const Form& form) {
  const ScalarType type = form.type();
  const Operand& to = form.operand(0);
  const Operand& from = form.operand(1);
  if (to.kind == Operand::Kind::Vector) {
    if (!isDivisible(to, type.bits))
      return f.refuse(form);
    return unpack(f, to, f.read(from, {'b', type.bits}), type.bits);
  }
  if (from.kind != Operand::Kind::Vector)
    return f.write(to, f.read(from, type));
  if (!isDivisible(from, type.bits))
    return f.refuse(form);
  f.write(to, packed(f, from, type.bits));
}

/// Between a space's own addresses and those that hold for all spaces.
void lowerCvta(FunctionLowering& f, const Form& form) {
  IRBuilder<>& builder = f.builder();
  const bool toSpace = form.has("to");
  Type* generic = PointerType::get(f.function().getContext(), 0);
  Type* own = PointerType::get(f.function().getContext(), addressSpaceOf(form.space()));
  Value* number = f.read(form.operand(1), form.type());
  if (form.space() == Space::Cluster)
    return f.write(form.operand(0),
                   toSpace ? shortClusterAddress(f, number) : clusterAddress(f, number));
  if (form.space() != Space::Shared) // one number for both
    return f.write(form.operand(0), number);
  Value* pointer = builder.CreateIntToPtr(number, toSpace ? generic : own);
  pointer = builder.CreateAddrSpaceCast(pointer, toSpace ? own : generic);
  f.write(form.operand(0), builder.CreatePtrToInt(pointer, number->getType()));
}

void lowerIsspacep(FunctionLowering& f, const Form& form) {
  const Intrinsic::ID id = form.space() == Space::Global   ? Intrinsic::nvvm_isspacep_global
                           : form.space() == Space::Shared ? Intrinsic::nvvm_isspacep_shared
                           : form.space() == Space::Cluster
                               ? Intrinsic::nvvm_isspacep_shared_cluster
                           : form.space() == Space::Local ? Intrinsic::nvvm_isspacep_local
                                                          : Intrinsic::nvvm_isspacep_const;
  Value* pointer =
      f.builder().CreateIntToPtr(f.read(form.operand(1), {'u', 64}), f.builder().getPtrTy());
  f.write(form.operand(0), f.builder().CreateIntrinsic(id, {}, {pointer}));
}

/// A hint for a cache, which is a value here and changes nothing.
void lowerCreatepolicy(FunctionLowering& f, const Form& form) {
  f.write(form.operand(0), f.builder().getInt64(0));
}

void lowerNothing(FunctionLowering&, const Form&) {}

} // namespace heddle::ptx
