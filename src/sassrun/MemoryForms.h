// SPDX-License-Identifier: Apache-2.0
//
// Instructions that use memory, and in which forms they can be run.
#pragma once

#include "sassrun/AddressForm.h"

#include <optional>

namespace heddle::sassrun {

namespace Operation {
enum : unsigned {
  Preexit = 0x02d,
  Acqbulk = 0x02e,
  Uldc = 0x0b9,
  UldcIndexed = 0x0bb,
  Depbar = 0x11a,
  Ld = 0x180,
  Ldg = 0x181,
  Ldc = 0x182,
  Ldl = 0x183,
  Lds = 0x184,
  St = 0x185,
  Stg = 0x186,
  Stl = 0x187,
  Sts = 0x188,
  Atom = 0x18a,
  AtomCas = 0x18b,
  Atoms = 0x18c,
  AtomsCas = 0x18d,
  Redg = 0x18e,
  Cctl = 0x18f,
  Membar = 0x192,
  AtomFloat = 0x1a2,
  AtomgFloat = 0x1a3,
  RedgFloat = 0x1a6,
  Atomg = 0x1a8,
  AtomgCas = 0x1a9,
  Qspc = 0x1aa,
  Errbar = 0x1ab, ///< and CGAERRBAR
  Ldgsts = 0x1ae,
  Ldgdepbar = 0x1af,
  Fence = 0x1c6,
};
} // namespace Operation

inline constexpr std::uint64_t queryShared = 2, queryCluster = 3; ///< of QSPC, at bit 73

// Nothing where the form is not known.
std::optional<AddressForm> loadFormOf(const Encoding& code);
std::optional<AddressForm> storeFormOf(const Encoding& code);
unsigned storedRegisterOf(const Encoding& code);
std::optional<AddressForm> queryFormOf(const Encoding& code);
std::optional<AddressForm> atomicFormOf(const Encoding& code);

/// Whether an instruction that uses memory is of a form that can be run; true for all others.
bool hasKnownMemoryForm(const Encoding& code);

/// The part of it that asks for atomics.
bool hasKnownAtomicForm(const Encoding& code);

} // namespace heddle::sassrun
