// SPDX-License-Identifier: Apache-2.0
#include "cudart/Copies.h"

#include "cudart/FirstTouches.h"

#include <array>
#include <cstring>

namespace heddle::cudart {
namespace {

bool isEmpty(cudaExtent extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

std::size_t bytesOf(cudaExtent extent) {
  return extent.width * extent.height * extent.depth;
}

/// From the first byte to the last one touched; nothing where that overflows.
std::optional<std::size_t> spanOf(const PitchedRange& range, cudaExtent extent) {
  std::size_t lastRow = 0, bytes = 0;
  if (__builtin_mul_overflow(extent.depth - 1, range.rows, &lastRow) ||
      __builtin_add_overflow(lastRow, extent.height - 1, &lastRow) ||
      __builtin_mul_overflow(lastRow, range.pitch, &bytes) ||
      __builtin_add_overflow(bytes, extent.width, &bytes))
    return std::nullopt;
  return bytes;
}

/// Whether one side of a copy may be there. Where the kind says "device", plain host memory is not.
bool isAcceptable(const Memory& memory, const PitchedRange& range, cudaExtent extent,
                  bool mustBeDevice) {
  const auto span = spanOf(range, extent);
  if (!span || range.begin == nullptr)
    return false;
  const RangeKind kind = memory.classify(range.begin, *span);
  return kind == RangeKind::Known || (kind == RangeKind::Pageable && !mustBeDevice);
}

std::byte* rowAt(const PitchedRange& range, std::size_t slice, std::size_t row) {
  auto* const begin = static_cast<std::byte*>(const_cast<void*>(range.begin));
  return begin + (slice * range.rows + row) * range.pitch;
}

timing::Region regionAt(const Runtime& runtime, const PitchedRange& range, std::size_t bytes,
                        bool isRead) {
  const auto address = reinterpret_cast<std::uintptr_t>(range.begin);
  const engine::Allocation* found = runtime.memory.live().find(address, 1);
  return {found == nullptr ? address : found->placeOf(address), double(bytes), isRead, 1, true};
}

void passCopy(Runtime& runtime, const PitchedRange& to, const PitchedRange& from,
              std::size_t bytes) {
  const std::array regions = {regionAt(runtime, from, bytes, true),
                              regionAt(runtime, to, bytes, false)};
  runtime.clock.pass(runtime.launches.timer().secondsToMove(regions));
}

void passTransfer(Runtime& runtime, const PitchedRange& to, std::size_t bytes, bool toDevice) {
  runtime.clock.passTransfer(bytes);
  if (toDevice)
    runtime.launches.timer().receive(regionAt(runtime, to, bytes, false));
}

void noteHostWrite(Runtime& runtime, const PitchedRange& to, cudaExtent extent) {
  if (runtime.touches)
    runtime.touches->hostWrote(runtime.memory, to.begin, *spanOf(to, extent));
}

bool isOnDevice(const Region* region) {
  return region != nullptr &&
         (region->kind == MemoryKind::Device || region->kind == MemoryKind::Managed ||
          region->kind == MemoryKind::Variable);
}

/// Where the memory lies decides what the host sees, not the kind that the program named.
void recordCopy(Runtime& runtime, const PitchedRange& to, const PitchedRange& from,
                cudaExtent extent) {
  const Region* const source = runtime.memory.find(from.begin);
  if (!runtime.recorder || !isOnDevice(source) || isOnDevice(runtime.memory.find(to.begin)))
    return;
  if (runtime.touches &&
      runtime.touches->watchesInside(runtime.memory, from.begin, *spanOf(from, extent)))
    runtime.recordWriter();
  const bool onePiece = extent.height * extent.depth == 1;
  runtime.recorder->copied(*source, static_cast<const std::byte*>(from.begin),
                           {.width = onePiece ? 0 : extent.width,
                            .height = extent.height,
                            .pitch = from.pitch,
                            .slice = from.pitch * from.rows},
                           bytesOf(extent));
}

} // namespace

cudaError_t copyPitched(Runtime& runtime, const PitchedRange& to, const PitchedRange& from,
                        cudaExtent extent, cudaMemcpyKind kind) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  if (isEmpty(extent))
    return cudaSuccess;
  if (to.pitch < extent.width || from.pitch < extent.width)
    return cudaErrorInvalidPitchValue;
  const bool toDevice = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool fromDevice = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  if (!isAcceptable(runtime.memory, to, extent, toDevice) ||
      !isAcceptable(runtime.memory, from, extent, fromDevice))
    return cudaErrorInvalidValue;
  for (std::size_t slice = 0; slice < extent.depth; ++slice)
    for (std::size_t row = 0; row < extent.height; ++row)
      std::memmove(rowAt(to, slice, row), rowAt(from, slice, row), extent.width);
  recordCopy(runtime, to, from, extent);
  noteHostWrite(runtime, to, extent);
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyHostToHost)
    noteManagedWrite(runtime, to.begin, *spanOf(to, extent));
  if (kind == cudaMemcpyDeviceToDevice)
    passCopy(runtime, to, from, bytesOf(extent));
  else
    passTransfer(runtime, to, bytesOf(extent), toDevice);
  return cudaSuccess;
}

cudaError_t copyBytes(Runtime& runtime, void* to, const void* from, std::size_t size,
                      cudaMemcpyKind kind) {
  return copyPitched(runtime, {to, size, 1}, {from, size, 1}, {size, 1, 1}, kind);
}

cudaError_t fillPitched(Runtime& runtime, const PitchedRange& to, int value, cudaExtent extent) {
  if (isEmpty(extent))
    return cudaSuccess;
  if (to.pitch < extent.width)
    return cudaErrorInvalidValue;
  if (!isAcceptable(runtime.memory, to, extent, true))
    return cudaErrorInvalidValue;
  for (std::size_t slice = 0; slice < extent.depth; ++slice)
    for (std::size_t row = 0; row < extent.height; ++row)
      std::memset(rowAt(to, slice, row), value, extent.width);
  noteHostWrite(runtime, to, extent);
  noteManagedWrite(runtime, to.begin, *spanOf(to, extent));
  const timing::Region written = regionAt(runtime, to, bytesOf(extent), false);
  runtime.clock.pass(runtime.launches.timer().secondsToMove({&written, 1}));
  return cudaSuccess;
}

} // namespace heddle::cudart
