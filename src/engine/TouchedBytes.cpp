// SPDX-License-Identifier: Apache-2.0
#include "engine/TouchedBytes.h"

namespace heddle::engine {
namespace {

bool conflicts(Touch earlier, Touch later) {
  if (earlier.kind == TouchKind::None || earlier.thread == later.thread)
    return false;
  return earlier.kind != later.kind || later.kind == TouchKind::Write;
}

} // namespace

/// The witness that a touch conflicts with; else the touch becomes one where it tells more.
const Touch* TouchedBytes::addTo(Cell& cell, Touch touch) {
  for (const Touch& witness : cell)
    if (conflicts(witness, touch))
      return &witness;
  auto& [first, second] = cell;
  if (first.kind == TouchKind::None || touch.kind == TouchKind::Write) {
    cell = {touch, Touch{}};
    return nullptr;
  }
  const bool known =
      first.kind == TouchKind::Write || (first.kind == touch.kind && first.thread == touch.thread);
  if (!known && second.kind == TouchKind::None)
    second = touch;
  return nullptr;
}

std::optional<TouchConflict> TouchedBytes::add(std::uint64_t address, unsigned bytes, Touch touch) {
  const bool wholeWords = address % wordBytes == 0 && bytes % wordBytes == 0;
  const std::uint64_t end = address + bytes;
  while (address < end) {
    Page& page = pageOf(address / pageBytes);
    if (!wholeWords && page.cellBytes == wordBytes)
      splitWords(page);
    Cell& cell = page.cells[address % pageBytes / page.cellBytes];
    if (const Touch* witness = addTo(cell, touch))
      return TouchConflict{address, *witness, touch};
    address += page.cellBytes;
  }
  return std::nullopt;
}

void TouchedBytes::clear() {
  pages_.clear();
  last_ = nullptr;
}

void TouchedBytes::splitWords(Page& page) {
  std::vector<Cell> cells;
  cells.reserve(pageBytes);
  for (const Cell& word : page.cells)
    cells.insert(cells.end(), wordBytes, word);
  page = {std::move(cells), 1};
}

TouchedBytes::Page& TouchedBytes::pageOf(std::uint64_t number) {
  if (last_ == nullptr || lastNumber_ != number) {
    last_ = &pages_[number];
    lastNumber_ = number;
  }
  return *last_;
}

} // namespace heddle::engine
