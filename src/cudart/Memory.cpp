// SPDX-License-Identifier: Apache-2.0
#include "cudart/Memory.h"

#include "cudart/HostGuard.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace heddle::cudart {
namespace {

bool countsAsDevice(MemoryKind kind) {
  return kind == MemoryKind::Device || kind == MemoryKind::Managed;
}

bool staysWithHost(MemoryKind kind) {
  return kind == MemoryKind::Pinned || kind == MemoryKind::Registered;
}

std::uintptr_t addressOf(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

} // namespace

Memory::~Memory() {
  releaseAll();
}

void* Memory::allocate(MemoryKind kind, std::size_t size, std::string_view function,
                       unsigned flags) {
  const bool device = countsAsDevice(kind);
  if (device && size > capacity_ - used_)
    return nullptr;
  const Fill fill = device && poison_ ? Fill::Poison : Fill::Zero;
  const bool guarded = kind == MemoryKind::Device && HostGuard::instance().wantsMore();
  const RawBlock block = allocateRaw(size, fill, guarded);
  if (block.begin == nullptr)
    return nullptr;
  if (guarded)
    HostGuard::instance().add(block.begin, block.length);
  const int number = ++counts_[std::string(function)];
  add({.begin = block.begin,
       .size = size,
       .kind = kind,
       .flags = flags,
       .block = block,
       .name = fmt::format("{} #{}", function, number),
       .number = number});
  return block.begin;
}

bool Memory::addRegistered(void* begin, std::size_t size, unsigned flags) {
  if (overlaps(addressOf(begin), size))
    return false;
  const int number = ++counts_["cudaHostRegister"];
  add({.begin = static_cast<std::byte*>(begin),
       .size = size,
       .kind = MemoryKind::Registered,
       .flags = flags,
       .block = {},
       .name = fmt::format("cudaHostRegister #{}", number),
       .number = number});
  return true;
}

void Memory::addVariable(std::byte* begin, std::size_t size, const std::string& name, bool constant,
                         bool managed) {
  add({.begin = begin,
       .size = size,
       .kind = managed ? MemoryKind::Managed : MemoryKind::Variable,
       .flags = 0,
       .block = {},
       .name = fmt::format("variable '{}'", name),
       .constant = constant});
}

void Memory::addFunction(std::byte* handle, const std::string& name) const {
  if (observer_ != nullptr)
    observer_->made({.begin = handle,
                     .size = 1,
                     .kind = MemoryKind::Variable,
                     .flags = 0,
                     .block = {},
                     .name = fmt::format("function '{}'", name),
                     .number = 0,
                     .constant = true});
}

bool Memory::release(const void* begin, MemoryKind kind) {
  const auto found = regions_.find(addressOf(begin));
  if (found == regions_.end() || found->second.kind != kind)
    return false;
  drop(found);
  return true;
}

void Memory::releaseAll() {
  while (!regions_.empty())
    drop(regions_.begin());
}

const Region* Memory::find(const void* address) const {
  const auto before = atOrBefore(address);
  if (before == regions_.end() || addressOf(address) - before->first >= before->second.size)
    return nullptr;
  return &before->second;
}

RangeKind Memory::classify(const void* begin, std::size_t size) const {
  const auto before = atOrBefore(begin);
  if (before == regions_.end())
    return RangeKind::Pageable;
  const Region& region = before->second;
  const std::size_t offset = addressOf(begin) - before->first;
  if (offset < region.size)
    return size <= region.size - offset ? RangeKind::Known : RangeKind::Outside;
  return offset < region.block.length ? RangeKind::Outside : RangeKind::Pageable;
}

void Memory::add(const Region& region) {
  if (countsAsDevice(region.kind))
    used_ += region.size;
  live_.add(
      region.begin, region.size,
      fmt::format("{} ({} {})", region.name, region.size, region.size == 1 ? "byte" : "bytes"),
      staysWithHost(region.kind));
  const auto added = regions_.emplace(addressOf(region.begin), region);
  added.first->second.made = made_++;
  if (observer_ != nullptr)
    observer_->made(region);
}

void Memory::drop(Regions::iterator found) {
  const Region region = found->second;
  if (observer_ != nullptr)
    observer_->freed(region);
  if (countsAsDevice(region.kind))
    used_ -= region.size;
  live_.remove(region.begin);
  regions_.erase(found);
  if (region.block.begin != nullptr) {
    HostGuard::instance().remove(region.block.begin);
    releaseRaw(region.block);
  }
}

bool Memory::overlaps(std::uintptr_t begin, std::size_t size) const {
  const auto after = regions_.lower_bound(begin);
  if (after != regions_.end() && after->first - begin < size)
    return true;
  if (after == regions_.begin())
    return false;
  const auto before = std::prev(after);
  return begin - before->first < before->second.size;
}

Memory::Regions::const_iterator Memory::atOrBefore(const void* address) const {
  const auto after = regions_.upper_bound(addressOf(address));
  return after == regions_.begin() ? regions_.end() : std::prev(after);
}

} // namespace heddle::cudart
