// SPDX-License-Identifier: Apache-2.0
//
// The time of day and random numbers of the system, as the host code of a program asks for them.
// With HEDDLE_CLOCK=fixed every run gets the same: the n-th question is answered n milliseconds
// after a fixed date, so that `srand(time(NULL))` makes the same numbers, and who waits for a time
// gets there. Only calls from the program itself are answered so: libraries, ours among them, wait
// by these clocks. The clocks that only run forward stay as they are.
#include "cudart/CudaTypes.h"
#include "cudart/NextFunction.h"
#include "profile/ProgramSettings.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include <link.h>
#include <sys/time.h>

#ifndef __SANITIZE_ADDRESS__
namespace {

using heddle::cudart::nextFunction;

constexpr std::int64_t firstSecond = 1'600'000'000;

/// Addresses of the program, without its libraries.
struct OwnText {
  std::uintptr_t begin = 0, end = 0;
};

/// The first that the system names is the program itself.
int takeFirst(dl_phdr_info* info, std::size_t, void* data) {
  auto& own = *static_cast<OwnText*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (const auto& part = info->dlpi_phdr[i];
        part.p_type == PT_LOAD && (part.p_flags & PF_X) != 0) {
      own.begin = info->dlpi_addr + part.p_vaddr;
      own.end = own.begin + part.p_memsz;
    }
  return 1;
}

bool isFixed(const void* caller) {
  static const bool fixed = [] {
    const char* const clock = heddle::profile::told(heddle::profile::Setting::Clock);
    return clock != nullptr && std::string_view(clock) == "fixed";
  }();
  if (!fixed)
    return false;
  static const OwnText own = [] {
    OwnText found;
    dl_iterate_phdr(takeFirst, &found);
    return found;
  }();
  const auto at = reinterpret_cast<std::uintptr_t>(caller);
  return own.begin <= at && at < own.end;
}

std::int64_t nextMillisecond() {
  static std::atomic<std::int64_t> count = 0;
  return firstSecond * 1000 + count++;
}

/// splitmix64: the same numbers in every run.
std::uint64_t nextRandom() {
  static std::atomic<std::uint64_t> state = 0;
  std::uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

} // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming): the names are the
// system's
HEDDLE_API time_t time(time_t* result) noexcept {
  if (!isFixed(__builtin_return_address(0))) {
    static auto* const real = nextFunction<time_t(time_t*)>("time");
    return real(result);
  }
  const time_t now = nextMillisecond() / 1000;
  if (result != nullptr)
    *result = now;
  return now;
}

HEDDLE_API int gettimeofday(timeval* __restrict result, void* __restrict zone) noexcept {
  if (!isFixed(__builtin_return_address(0))) {
    static auto* const real = nextFunction<int(timeval*, void*)>("gettimeofday");
    return real(result, zone);
  }
  const std::int64_t now = nextMillisecond();
  *result = {.tv_sec = now / 1000, .tv_usec = now % 1000 * 1000};
  return 0;
}

HEDDLE_API int clock_gettime(clockid_t clock, timespec* result) noexcept {
  if (clock != CLOCK_REALTIME || !isFixed(__builtin_return_address(0))) {
    static auto* const real = nextFunction<int(clockid_t, timespec*)>("clock_gettime");
    return real(clock, result);
  }
  const std::int64_t now = nextMillisecond();
  *result = {.tv_sec = now / 1000, .tv_nsec = now % 1000 * 1'000'000};
  return 0;
}

/// std::chrono::system_clock::now(), in nanoseconds.
HEDDLE_API std::int64_t _ZNSt6chrono3_V212system_clock3nowEv() {
  if (!isFixed(__builtin_return_address(0))) {
    static auto* const real = nextFunction<std::int64_t()>("_ZNSt6chrono3_V212system_clock3nowEv");
    return real();
  }
  return nextMillisecond() * 1'000'000;
}

/// std::random_device::operator()
HEDDLE_API unsigned _ZNSt13random_device9_M_getvalEv(void* device) {
  if (!isFixed(__builtin_return_address(0))) {
    static auto* const real = nextFunction<unsigned(void*)>("_ZNSt13random_device9_M_getvalEv");
    return real(device);
  }
  return unsigned(nextRandom());
}

HEDDLE_API ssize_t getrandom(void* buffer, std::size_t size, unsigned flags) {
  if (!isFixed(__builtin_return_address(0))) {
    static auto* const real = nextFunction<ssize_t(void*, std::size_t, unsigned)>("getrandom");
    return real(buffer, size, flags);
  }
  for (std::size_t i = 0; i < size; ++i)
    static_cast<unsigned char*>(buffer)[i] = static_cast<unsigned char>(nextRandom());
  return ssize_t(size);
}

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
#endif
