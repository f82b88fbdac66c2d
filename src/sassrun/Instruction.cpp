// SPDX-License-Identifier: Apache-2.0
#include "sassrun/Instruction.h"

#include "sassrun/MemoryForms.h"

#include <algorithm>

namespace heddle::sassrun {
namespace {

Source registerAt(const Encoding& code, unsigned first, Slot slot) {
  return {.kind = SourceKind::Register, .slot = slot, .index = std::uint8_t(code.bits(first, 8))};
}

constexpr unsigned specialToUniform = 0x1c3;

/// Instructions of the uniform unit have uniform registers where others have plain ones.
bool isUniform(const Encoding& code) {
  const unsigned operation = code.operation();
  return operation >= 0x080 && operation < 0x0c0;
}

Source wide(const Encoding& code) {
  switch (code.form()) {
  case 2:
  case 4:
    return {.kind = SourceKind::Immediate,
            .slot = Slot::Wide,
            .index = zeroRegister,
            .value = std::uint32_t(code.bits(32, 32))};
  case 3:
  case 5:
    return {.kind = SourceKind::Constant,
            .slot = Slot::Wide,
            .index = zeroRegister,
            .bank = std::uint8_t(code.bits(54, 5)),
            .value = std::uint32_t(code.bits(38, 16))};
  case 6:
  case 7:
    return {
        .kind = SourceKind::Uniform, .slot = Slot::Wide, .index = std::uint8_t(code.bits(32, 6))};
  default:
    return registerAt(code, 32, Slot::Wide);
  }
}

void makeUniform(Source& source) {
  if (source.kind != SourceKind::Register)
    return;
  source.kind = SourceKind::Uniform;
  source.index = std::uint8_t(source.index & uniformZeroRegister);
}

/// What warps do to each other through memory. A load of shared memory is no such thing: warps that
/// poll it are rare, and stopping at each takes time.
bool isSeenByOthers(const Encoding& code) {
  switch (code.operation()) {
  case Operation::Ld:
  case Operation::Ldg:
  case Operation::St:
  case Operation::Stg:
  case Operation::Redg:
  case Operation::RedgFloat:
  case Operation::Atoms:
  case Operation::AtomsCas:
    return true;
  default:
    return isGlobalAtomic(code);
  }
}

// Cycles: estimates for an H200, where a load that hits the second cache takes some 270 and one
// that does not some 700.
constexpr std::uint16_t globalLatency = 500, sharedLatency = 60;

std::uint16_t cyclesOf(const Encoding& code) {
  const auto planned = std::uint16_t(std::max<std::uint64_t>(code.bits(105, 4), 1));
  switch (code.operation()) {
  case Operation::Ld:
  case Operation::Ldg:
    return globalLatency;
  case Operation::Atoms:
  case Operation::AtomsCas:
    return sharedLatency;
  default:
    return isGlobalAtomic(code) ? globalLatency : planned;
  }
}

} // namespace

bool isGlobalAtomic(const Encoding& code) {
  switch (code.operation()) {
  case Operation::Atom:
  case Operation::AtomCas:
  case Operation::AtomFloat:
  case Operation::AtomgFloat:
  case Operation::Atomg:
  case Operation::AtomgCas:
    return true;
  default:
    return false;
  }
}

Instruction decode(const Encoding& code) {
  const bool swaps = code.form() == 2 || code.form() == 3 || code.form() == 7;
  Instruction made{.code = code,
                   .guard = std::uint8_t(code.bits(12, 3)),
                   .guardIsNegated = code.bit(15),
                   .guardIsUniform = isUniform(code) || code.operation() == specialToUniform,
                   .result = std::uint8_t(code.bits(16, 8)),
                   .isSeenByOthers = isSeenByOthers(code),
                   .cycles = cyclesOf(code),
                   .a = registerAt(code, 24, Slot::A),
                   .b = swaps ? registerAt(code, 64, Slot::C) : wide(code),
                   .c = swaps ? wide(code) : registerAt(code, 64, Slot::C)};
  if (isUniform(code)) {
    makeUniform(made.a);
    makeUniform(made.b);
    makeUniform(made.c);
    made.result = std::uint8_t(made.result & uniformZeroRegister);
  }
  return made;
}

} // namespace heddle::sassrun
