// SPDX-License-Identifier: Apache-2.0
#include "cudart/HostGuard.h"

#include "cudart/Ending.h"

#include <algorithm>

#include <sys/mman.h>

namespace heddle::cudart {
namespace {

constexpr std::uint64_t freeClosings = 100; ///< whatever they cost
constexpr int mostShare = 50;               ///< of the program's time: a fiftieth

} // namespace

HostGuard& HostGuard::instance() {
  static HostGuard* const guard = new HostGuard;
  return *guard;
}

void HostGuard::add(void* begin, std::size_t length) {
  ranges_[count_] = {static_cast<std::byte*>(begin), length};
  ++count_;
}

void HostGuard::remove(void* begin) {
  const auto end = ranges_.begin() + std::ptrdiff_t(count_);
  const auto found =
      std::find_if(ranges_.begin(), end, [&](const Range& range) { return range.begin == begin; });
  if (found == end)
    return;
  *found = *(end - 1);
  --count_;
}

void HostGuard::protect(int access) {
  for (std::size_t i = 0; i < count_; ++i)
    mprotect(ranges_[i].begin, ranges_[i].length, access);
}

void HostGuard::open() {
  if (!closed_)
    return;
  const auto begin = Clock::now();
  protect(PROT_READ | PROT_WRITE);
  closed_ = false;
  spent_ += Clock::now() - begin;
}

void HostGuard::close() {
  if (!enabled_ || closed_ || count_ == 0 || instruction_ != nullptr || !catchesSegfaults())
    return;
  const auto begin = Clock::now();
  if (++closings_ > freeClosings && spent_ * mostShare > begin - begin_)
    return;
  closed_ = true;
  protect(PROT_NONE);
  spent_ += Clock::now() - begin;
}

bool HostGuard::answer(const void* address, const void* instruction) {
  if (!closed_)
    return false;
  const auto* const at = static_cast<const std::byte*>(address);
  for (std::size_t i = 0; i < count_; ++i)
    if (at >= ranges_[i].begin && at < ranges_[i].begin + ranges_[i].length) {
      address_ = address;
      instruction_ = instruction;
      protect(PROT_READ | PROT_WRITE);
      closed_ = false;
      return true;
    }
  return false;
}

} // namespace heddle::cudart
