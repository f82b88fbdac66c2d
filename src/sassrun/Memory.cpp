// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores and constants. What orders accesses or concerns caches does nothing: a block that
// runs by itself sees its own accesses in order.
#include "sassrun/MemoryForms.h"

#include "sassrun/Block.h"
#include "sassrun/Handlers.h"

#include <array>
#include <cstring>

namespace heddle::sassrun {
namespace memory {
namespace {

using Words = std::array<std::uint32_t, largestAccess / sizeof(std::uint32_t)>;

/// A small number in a whole register.
std::uint32_t extended(std::uint32_t value, const AccessSize& size) {
  const unsigned unused = 32 - 8u * size.bytes;
  return size.isSigned ? std::uint32_t(std::int32_t(value << unused) >> unused) : value;
}

void setWords(Warp& warp, unsigned first, int lane, const Words& words, const AccessSize& size) {
  if (first == zeroRegister)
    return;
  if (size.bytes < sizeof(std::uint32_t)) {
    warp.set(first, lane, extended(words[0], size));
    return;
  }
  for (unsigned i = 0; i < size.bytes / sizeof(std::uint32_t); ++i)
    warp.set(first + i, lane, words[i]);
}

Words getWords(const Warp& warp, unsigned first, int lane, const AccessSize& size) {
  Words words = {};
  if (first != zeroRegister)
    for (unsigned i = 0; i * sizeof(std::uint32_t) < size.bytes; ++i)
      words[i] = warp.get(first + i, lane);
  return words;
}

void load(Warp& warp, const Instruction& instruction, LaneMask lanes) {
  const auto form = loadFormOf(instruction.code);
  const auto size = accessSizeOf(instruction.code);
  forEachLane(lanes, [&](int lane) {
    Words words = {};
    if (readMemory(warp, lane, form->at(warp, lane), words.data(), size->bytes))
      setWords(warp, instruction.result, lane, words, *size);
  });
}

void store(Warp& warp, const Instruction& instruction, LaneMask lanes) {
  const auto form = storeFormOf(instruction.code);
  const auto size = accessSizeOf(instruction.code);
  const unsigned data = storedRegisterOf(instruction.code);
  forEachLane(lanes, [&](int lane) {
    const Words words = getWords(warp, data, lane, *size);
    writeMemory(warp, lane, form->at(warp, lane), words.data(), size->bytes);
  });
}

/// LDGSTS: from global to shared memory, now rather than later.
void copy(Warp& warp, const Instruction& instruction, LaneMask lanes) {
  const Encoding& code = instruction.code;
  const auto size = accessSizeOf(code);
  const LaneMask reading = warp.predicateAt(code, 87, 90);
  const bool fillsWithZero = code.bit(82);
  forEachLane(lanes, [&](int lane) {
    Words words = {};
    std::uint64_t from =
        warp.getPair(instruction.a.index, lane) + std::uint64_t(code.signedBits(32, 12));
    // With .ZFILL the address is that of the whole piece, and how many bytes are not read.
    const std::uint64_t missing = fillsWithZero ? from & (size->bytes - 1u) : 0;
    from -= missing;
    if ((reading >> lane & 1) != 0 &&
        !readMemory(warp, lane, {Space::Global, from}, words.data(), size->bytes))
      return;
    std::memset(reinterpret_cast<std::byte*>(words.data()) + size->bytes - missing, 0, missing);
    const std::uint32_t to =
        warp.get(instruction.result, lane) + std::uint32_t(code.signedBits(44, 20));
    writeMemory(warp, lane, {Space::Shared, to}, words.data(), size->bytes);
  });
}

/// An offset in a bank: the one of the instruction is below 64 KiB, or stands for a negative one.
std::uint32_t constantOffset(std::uint32_t index, std::uint32_t offset) {
  constexpr std::uint32_t bankBytes = 0x10000;
  const std::uint32_t sum = index + offset;
  return sum < bankBytes ? sum : sum - bankBytes;
}

/// Where functions are called through pointers, ptxas keeps their places in bank 2, and a pointer
/// is an offset there. Our memory has handles instead, of which machine code only reads the lower
/// half.
bool readFunction(Warp& warp, const Encoding& code, std::uint32_t index, Words& words) {
  if (unsigned(code.bits(54, 5)) != 2 || code.bits(38, 16) != 0)
    return false;
  const auto& functions = warp.block().kernel().functionByHandle;
  const auto found = functions.find(index);
  if (found == functions.end())
    return false;
  std::memcpy(words.data(), &found->second, sizeof(found->second));
  return true;
}

bool readBank(Warp& warp, const Encoding& code, std::uint32_t index, const AccessSize& size,
              Words& words) {
  words = {};
  if (size.bytes == sizeof(std::uint64_t) && readFunction(warp, code, index, words))
    return true;
  const std::uint32_t offset = constantOffset(index, std::uint32_t(code.bits(38, 16)));
  if (warp.block().readConstant(unsigned(code.bits(54, 5)), offset, words.data(), size.bytes))
    return true;
  warp.fail("reads a constant that is not there");
  return false;
}

void loadConstant(Warp& warp, const Instruction& instruction, LaneMask lanes) {
  const auto size = accessSizeOf(instruction.code);
  const bool isShared = instruction.a.index == zeroRegister;
  Words words = {};
  bool isRead = isShared && readBank(warp, instruction.code, 0, *size, words);
  forEachLane(lanes, [&](int lane) {
    if (!isShared)
      isRead = readBank(warp, instruction.code, warp.get(instruction.a.index, lane), *size, words);
    if (isRead)
      setWords(warp, instruction.result, lane, words, *size);
  });
}

void loadUniformConstant(Warp& warp, const Instruction& instruction, LaneMask /*lanes*/) {
  const Encoding& code = instruction.code;
  const auto size = accessSizeOf(code);
  const std::uint32_t index =
      code.operation() == Operation::UldcIndexed ? warp.uniform(unsigned(code.bits(24, 6))) : 0;
  Words words;
  if (!readBank(warp, code, index, *size, words) || instruction.result == uniformZeroRegister)
    return;
  if (size->bytes < sizeof(std::uint32_t))
    words[0] = extended(words[0], *size);
  for (unsigned i = 0; i * sizeof(std::uint32_t) < size->bytes; ++i)
    warp.setUniform(instruction.result + i, words[i]);
}

/// Whether a generic address is one of the block's shared memory (.S), or of that of another block
/// of its cluster (.D).
void querySpace(Warp& warp, const Instruction& instruction, LaneMask lanes) {
  const Encoding& code = instruction.code;
  const auto form = queryFormOf(code);
  const LaneMask answer = lanesWhere(lanes, [&](int lane) {
    const Location at = form->at(warp, lane);
    const bool isOwn = at.address >> sharedOffsetBits == 0;
    return at.space == Space::Shared && isOwn == (code.bits(73, 3) == queryShared);
  });
  warp.setPredicate(unsigned(code.bits(81, 3)), lanes, answer);
}

void doNothing(Warp& /*warp*/, const Instruction& /*instruction*/, LaneMask /*lanes*/) {}

constexpr HandlerEntry handlers[] = {
    {Operation::Ld, load},
    {Operation::Ldg, load},
    {Operation::Lds, load},
    {Operation::Ldl, load},
    {Operation::St, store},
    {Operation::Stg, store},
    {Operation::Sts, store},
    {Operation::Stl, store},
    {Operation::Ldgsts, copy},
    {Operation::Ldc, loadConstant},
    {Operation::Uldc, loadUniformConstant},
    {Operation::UldcIndexed, loadUniformConstant},
    {Operation::Qspc, querySpace},
    {Operation::Preexit, doNothing},
    {Operation::Acqbulk, doNothing},
    {Operation::Depbar, doNothing},
    {Operation::Cctl, doNothing},
    {Operation::Membar, doNothing},
    {Operation::Errbar, doNothing},
    {Operation::Ldgdepbar, doNothing},
    {Operation::Fence, doNothing},
};

} // namespace
} // namespace memory

std::span<const HandlerEntry> memoryHandlers() {
  return memory::handlers;
}

} // namespace heddle::sassrun
