// SPDX-License-Identifier: Apache-2.0
#include "cudart/ClosedTables.h"

#include <array>
#include <atomic>

#include <sys/mman.h>
#include <unistd.h>

namespace heddle::cudart {
namespace {

struct ClosedTable {
  const std::byte* begin = nullptr;
  const std::byte* end = nullptr;
  const char* message = nullptr;
};

constexpr std::size_t mostTables = 16; ///< there are six
std::array<ClosedTable, mostTables> tables;
std::atomic<std::size_t> tableCount{0};

std::size_t wholePages(std::size_t bytes) {
  const auto page = std::size_t(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

} // namespace

void* makeClosedTable(std::size_t known, std::size_t closed, std::string message) {
  const std::size_t open = wholePages(known);
  void* const memory = mmap(nullptr, open + wholePages(closed), PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED || tableCount == mostTables ||
      mprotect(memory, open, PROT_READ | PROT_WRITE) != 0)
    return nullptr;
  auto* const boundary = static_cast<std::byte*>(memory) + open;
  const auto* const kept = new std::string(std::move(message));
  tables[tableCount] = {boundary, boundary + closed, kept->c_str()};
  ++tableCount;
  return boundary - known;
}

const char* closedTableAt(const void* address) {
  const auto* const at = static_cast<const std::byte*>(address);
  for (std::size_t i = 0; i < tableCount; ++i)
    if (at >= tables[i].begin && at < tables[i].end)
      return tables[i].message;
  return nullptr;
}

} // namespace heddle::cudart
