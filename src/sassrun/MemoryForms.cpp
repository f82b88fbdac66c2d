// SPDX-License-Identifier: Apache-2.0
#include "sassrun/MemoryForms.h"

namespace heddle::sassrun {
namespace {

std::optional<Space> spaceOf(unsigned operation) {
  switch (operation) {
  case Operation::Ld:
  case Operation::St:
  case Operation::Atom:
  case Operation::AtomCas:
  case Operation::AtomFloat:
    return Space::Generic;
  case Operation::Ldg:
  case Operation::Stg:
  case Operation::Atomg:
  case Operation::AtomgCas:
  case Operation::AtomgFloat:
  case Operation::Redg:
  case Operation::RedgFloat:
    return Space::Global;
  case Operation::Lds:
  case Operation::Sts:
  case Operation::Atoms:
  case Operation::AtomsCas:
    return Space::Shared;
  case Operation::Ldl:
  case Operation::Stl:
    return Space::Local;
  default:
    return {};
  }
}

/// LD and ST without a descriptor have a constant of 32 bits, and what is stored behind it.
bool hasLongOffset(const Encoding& code) {
  return (code.operation() == Operation::Ld || code.operation() == Operation::St) && !code.bit(91);
}

std::optional<AddressForm> formOf(const Encoding& code, unsigned uniformAt) {
  const auto space = spaceOf(code.operation());
  auto made = space ? addressFormOf(code, *space, uniformAt, 90) : std::nullopt;
  if (made && hasLongOffset(code))
    made->offset = std::int32_t(code.bits(32, 32));
  if (made && made->space == Space::Global && !code.bit(91))
    return {};
  return made;
}

bool isKnownLoad(const Encoding& code) {
  // LDG could write a predicate, too.
  const bool writesPredicate = code.operation() == Operation::Ldg && code.bits(81, 3) != 7;
  return loadFormOf(code) && accessSizeOf(code) && !writesPredicate && code.bits(64, 8) == 0 &&
         code.bits(87, 3) == 0;
}

bool isKnownStore(const Encoding& code) {
  return storeFormOf(code) && accessSizeOf(code) && code.bits(87, 3) == 0;
}

bool isKnownCopy(const Encoding& code) {
  constexpr unsigned withDescriptor = 7;
  const auto size = accessSizeOf(code);
  return code.form() == withDescriptor && code.bit(91) && code.bits(70, 2) == 1 && size &&
         size->bytes >= sizeof(std::uint32_t);
}

bool isKnownConstant(const Encoding& code) {
  constexpr unsigned fromBank = 5;
  const bool hasUniform = code.operation() == Operation::UldcIndexed;
  return code.form() == fromBank && accessSizeOf(code) && code.bits(78, 2) == 0 &&
         code.bit(91) == hasUniform;
}

bool isKnownQuery(const Encoding& code) {
  return queryFormOf(code) && code.bits(16, 8) == zeroRegister &&
         (code.bits(73, 3) == queryShared || code.bits(73, 3) == queryCluster);
}

} // namespace

std::optional<AddressForm> loadFormOf(const Encoding& code) {
  return formOf(code, 32);
}

std::optional<AddressForm> storeFormOf(const Encoding& code) {
  return formOf(code, 64);
}

unsigned storedRegisterOf(const Encoding& code) {
  return unsigned(code.bits(hasLongOffset(code) ? 64 : 32, 8));
}

std::optional<AddressForm> queryFormOf(const Encoding& code) {
  return addressFormOf(code, Space::Generic, 64, 90);
}

std::optional<AddressForm> atomicFormOf(const Encoding& code) {
  const unsigned operation = code.operation();
  const auto space = spaceOf(operation);
  if (!space)
    return {};
  const bool isReduction = operation == Operation::Redg || operation == Operation::RedgFloat;
  return addressFormOf(code, *space, 64, isReduction ? 90 : 70);
}

bool hasKnownMemoryForm(const Encoding& code) {
  switch (code.operation()) {
  case Operation::Ld:
  case Operation::Ldg:
  case Operation::Lds:
  case Operation::Ldl:
    return isKnownLoad(code);
  case Operation::St:
  case Operation::Stg:
  case Operation::Sts:
  case Operation::Stl:
    return isKnownStore(code);
  case Operation::Ldgsts:
    return isKnownCopy(code);
  case Operation::Ldc:
  case Operation::Uldc:
  case Operation::UldcIndexed:
    return isKnownConstant(code);
  case Operation::Qspc:
    return isKnownQuery(code);
  case Operation::Atom:
  case Operation::AtomCas:
  case Operation::AtomFloat:
  case Operation::Atomg:
  case Operation::AtomgCas:
  case Operation::AtomgFloat:
  case Operation::Atoms:
  case Operation::AtomsCas:
  case Operation::Redg:
  case Operation::RedgFloat:
    return hasKnownAtomicForm(code);
  default:
    return true;
  }
}

} // namespace heddle::sassrun
