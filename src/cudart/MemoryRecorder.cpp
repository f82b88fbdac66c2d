// SPDX-License-Identifier: Apache-2.0
#include "cudart/MemoryRecorder.h"

#include "cudart/CallPlace.h"
#include "cudart/Ending.h"
#include "cudart/FileCopies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <tuple>

namespace heddle::cudart {
namespace {

using profile::RecordEntry;
using profile::RecordKind;

/// The host reads and writes such memory in place.
bool isOpenToHost(MemoryKind kind) {
  return kind == MemoryKind::Managed || kind == MemoryKind::Pinned;
}

/// Registered memory is the program's own: what is in it before it is shown to us is anybody's.
bool isKept(const Region& region) {
  return region.kind != MemoryKind::Registered && !region.constant;
}

RecordEntry entryFor(RecordKind kind, const Region& region, std::size_t size) {
  return {.kind = kind,
          .region = region.name,
          .address = reinterpret_cast<std::uint64_t>(region.begin),
          .regionSize = region.size,
          .offset = 0,
          .rows = {},
          .size = size};
}

/// Kinds of allocations one after the other, each in order of creation; then variables by name.
std::vector<const Region*> inOrder(const Memory& memory) {
  std::vector<const Region*> regions;
  for (const auto& [address, region] : memory.regions())
    if (isKept(region))
      regions.push_back(&region);
  std::ranges::sort(regions, {}, [](const Region* region) {
    const std::string_view name = region->name;
    const bool isVariable = region->kind == MemoryKind::Variable;
    return std::tuple(isVariable, isVariable ? name : name.substr(0, name.find(" #")),
                      region->number);
  });
  return regions;
}

/// Numbers of /proc/self/stat by their places in proc(5).
std::vector<std::uint64_t> processNumbers() {
  std::ifstream file("/proc/self/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::istringstream words(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::vector<std::uint64_t> numbers(4); // the third is a letter
  std::string word;
  for (words >> word; words >> word;)
    numbers.push_back(std::strtoull(word.c_str(), nullptr, 10));
  return numbers;
}

/// Where the host's own memory is: another program of the same host code has it elsewhere, and
/// pointers to it are the same where they are as far from its begin.
std::vector<RecordEntry> hostRegions() {
  constexpr std::size_t startStack = 28, startData = 45, startHeap = 47;
  constexpr std::uint64_t mostStack = std::uint64_t{1} << 30, mostHeap = std::uint64_t{1} << 40;
  const std::vector<std::uint64_t> numbers = processNumbers();
  if (numbers.size() <= startHeap || numbers[startData] == 0 || numbers[startStack] < mostStack ||
      numbers[startHeap] <= numbers[startData])
    return {};
  const auto region = [](const char* name, std::uint64_t begin, std::uint64_t size) {
    return RecordEntry{
        .kind = RecordKind::Made, .region = name, .address = begin, .regionSize = size};
  };
  return {
      region("the host's variables", numbers[startData], numbers[startHeap] - numbers[startData]),
      region("the host's heap", numbers[startHeap], mostHeap),
      region("the host's stack", numbers[startStack] - mostStack, mostStack)};
}

} // namespace

Expected<std::unique_ptr<MemoryRecorder>> MemoryRecorder::create(const std::string& path) {
  const OwnFiles own;
  HEDDLE_TRY(profile::RecordWriter writer, profile::RecordWriter::create(path));
  for (const RecordEntry& region : hostRegions())
    writer.begin(region);
  return std::unique_ptr<MemoryRecorder>(new MemoryRecorder(std::move(writer)));
}

/// A process that the program forked writes no record.
bool MemoryRecorder::isOver() const {
  return ended_ || !isFirstProcess();
}

void MemoryRecorder::made(const Region& region) {
  if (isOver())
    return;
  writer_.begin(entryFor(RecordKind::Made, region, 0));
  if (region.name != watched_ || region.block.begin == nullptr)
    return;
  const profile::SourceLocation place = CallPlace::here().find();
  if (place.line > 0)
    place_ = fmt::format("{}:{}", place.file, place.line);
}

void MemoryRecorder::freed(const Region& region) {
  if (isOver())
    return;
  const std::size_t size = isOpenToHost(region.kind) ? region.size : 0;
  writer_.begin(entryFor(RecordKind::Freed, region, size));
  writer_.append({region.begin, size});
}

void MemoryRecorder::copied(const Region& region, const std::byte* begin,
                            const profile::RowShape& rows, std::size_t size) {
  if (isOver())
    return;
  RecordEntry entry = entryFor(RecordKind::Copied, region, size);
  entry.offset = std::uint64_t(begin - region.begin);
  entry.rows = rows;
  writer_.begin(entry);
  const std::size_t width = rows.width == 0 ? size : rows.width;
  for (std::size_t byte = 0; byte < size; byte += width)
    writer_.append({begin + rows.offsetOf(byte), width});
}

void MemoryRecorder::wrote(const std::string& writer) {
  if (isOver())
    return;
  const std::string made = place_.empty() ? "" : fmt::format("; allocated at {}", place_);
  writer_.begin({.kind = RecordKind::Wrote, .region = writer + made});
}

void MemoryRecorder::leave(const Memory& memory) {
  if (isOver())
    return;
  for (const Region* region : inOrder(memory)) {
    writer_.begin(entryFor(RecordKind::Left, *region, region->size));
    writer_.append({region->begin, region->size});
  }
}

Expected<void> MemoryRecorder::end(const Memory& memory, const std::string& fault) {
  if (isOver())
    return {};
  leave(memory);
  writer_.begin({.kind = RecordKind::Ended, .region = fault});
  ended_ = true;
  return writer_.finish();
}

} // namespace heddle::cudart
