// SPDX-License-Identifier: Apache-2.0
#include "sassrun/Handlers.h"
#include "sassrun/MemoryForms.h"
#include "sassrun/Program.h"

#include <algorithm>
#include <array>

namespace heddle::sassrun {
namespace {

constexpr std::size_t operationCount = 512;
using Table = std::array<Handler, operationCount>;

/// Operations that the warp itself runs.
constexpr std::array controlOperations = {
    0x118u, // NOP
    0x11bu, // ENDCOLLECTIVE
    0x11du, // BAR
    0x141u, // BSYNC
    0x142u, // BREAK
    0x143u, // CALL.ABS
    0x144u, // CALL.REL
    0x145u, // BSSY
    0x146u, // YIELD
    0x147u, // BRA
    0x148u, // WARPSYNC
    0x149u, // BRX
    0x14du, // EXIT
    0x150u, // RET
    0x155u, // BMOV to a register
    0x156u, // BMOV to a barrier
    0x15cu, // BPT
    0x15du, // NANOSLEEP
};

Table makeTable() {
  Table made = {};
  for (const auto handlers :
       {integerHandlers(), uniformHandlers(), floatHandlers(), doubleHandlers(), halfHandlers(),
        conversionHandlers(), memoryHandlers(), atomicHandlers(), warpHandlers()})
    for (const HandlerEntry& each : handlers)
      made[each.operation] = each.handler;
  return made;
}

} // namespace

Handler handlerFor(const Encoding& code) {
  static const Table table = makeTable();
  return hasKnownMemoryForm(code) ? table[code.operation()] : nullptr;
}

bool isControl(const Encoding& code) {
  return std::ranges::find(controlOperations, code.operation()) != controlOperations.end();
}

} // namespace heddle::sassrun
