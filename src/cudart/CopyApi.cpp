// SPDX-License-Identifier: Apache-2.0
//
// cudaMemcpy and cudaMemset in all their forms. What runs on a stream is done when the call
// returns.
#include "cudart/Copies.h"
#include "cudart/Ending.h"
#include "cudart/Registry.h"

namespace heddle::cudart {
namespace {

/// Like `call`, for what names a stream.
template <class Body> cudaError_t callOn(cudaStream_t stream, Body body) {
  return call([&](Runtime& runtime) {
    return runtime.isStream(stream) ? body(runtime) : cudaErrorInvalidResourceHandle;
  });
}

/// A variable by its host shadow; one the program did not announce is cudaErrorInvalidSymbol.
template <class Body>
cudaError_t callWithSymbol(const void* symbol, cudaStream_t stream, Body body) {
  return callOn(stream, [&](Runtime& runtime) {
    const auto variable =
        Registry::instance().findVariable(symbol, runtime.settings, runtime.memory);
    if (!variable)
      endWithFault(variable.error().message);
    return *variable == nullptr ? cudaErrorInvalidSymbol : body(runtime, **variable);
  });
}

bool isInside(const VariableEntry& variable, size_t size, size_t offset) {
  return offset <= variable.size && size <= variable.size - offset;
}

cudaError_t copyToSymbol(const void* symbol, const void* from, size_t size, size_t offset,
                         cudaMemcpyKind kind, cudaStream_t stream) {
  return callWithSymbol(symbol, stream, [&](Runtime& runtime, const VariableEntry& variable) {
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost)
      return cudaErrorInvalidMemcpyDirection;
    if (!isInside(variable, size, offset))
      return cudaErrorInvalidValue;
    return copyBytes(runtime, variable.address + offset, from, size, kind);
  });
}

cudaError_t copyFromSymbol(void* to, const void* symbol, size_t size, size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream) {
  return callWithSymbol(symbol, stream, [&](Runtime& runtime, const VariableEntry& variable) {
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice)
      return cudaErrorInvalidMemcpyDirection;
    if (!isInside(variable, size, offset))
      return cudaErrorInvalidValue;
    return copyBytes(runtime, to, variable.address + offset, size, kind);
  });
}

/// The part of a pitched allocation that a 3D copy begins with.
PitchedRange rangeOf(const cudaPitchedPtr& pitched, const cudaPos& position) {
  PitchedRange range = {pitched.ptr, pitched.pitch, pitched.ysize};
  if (pitched.ptr != nullptr)
    range.begin = static_cast<const std::byte*>(pitched.ptr) +
                  (position.z * pitched.ysize + position.y) * pitched.pitch + position.x;
  return range;
}

/// Positions in an array count texels. Nothing where the copy would leave it.
std::optional<PitchedRange> rangeOf(const Array& array, const cudaPos& at, cudaExtent extent) {
  const std::size_t texel = texelBytes(array.format);
  const bool isInside = at.x * texel + extent.width <= array.pitch &&
                        at.y + extent.height <= array.rows() &&
                        at.z + extent.depth <= array.planes();
  if (!isInside)
    return {};
  return PitchedRange{array.data + (at.z * array.rows() + at.y) * array.pitch + at.x * texel,
                      array.pitch, array.rows()};
}

cudaError_t copyWithArrays(Runtime& runtime, const cudaMemcpy3DParms& copy) {
  const Array* const to = runtime.arrays.find(copy.dstArray);
  const Array* const from = runtime.arrays.find(copy.srcArray);
  if ((copy.dstArray != nullptr && to == nullptr) || (copy.srcArray != nullptr && from == nullptr))
    return cudaErrorInvalidResourceHandle;
  cudaExtent extent = copy.extent;
  extent.width *= texelBytes((to != nullptr ? to : from)->format); // texels, where one is an array
  const auto target = to != nullptr ? rangeOf(*to, copy.dstPos, extent)
                                    : std::optional(rangeOf(copy.dstPtr, copy.dstPos));
  const auto source = from != nullptr ? rangeOf(*from, copy.srcPos, extent)
                                      : std::optional(rangeOf(copy.srcPtr, copy.srcPos));
  if (!target || !source)
    return cudaErrorInvalidValue;
  return copyPitched(runtime, *target, *source, extent, copy.kind);
}

cudaError_t copy3D(const cudaMemcpy3DParms* copy, cudaStream_t stream) {
  return callOn(stream, [&](Runtime& runtime) {
    if (copy == nullptr)
      return cudaErrorInvalidValue;
    if (copy->srcArray != nullptr || copy->dstArray != nullptr)
      return copyWithArrays(runtime, *copy);
    return copyPitched(runtime, rangeOf(copy->dstPtr, copy->dstPos),
                       rangeOf(copy->srcPtr, copy->srcPos), copy->extent, copy->kind);
  });
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;

HEDDLE_API cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  if (noteWork(stream, cudaGraphNodeTypeMemcpy,
               [=](cudaStream_t later) { return cudaMemcpyAsync(to, from, size, kind, later); }))
    return cudaSuccess;
  return callOn(stream, [&](Runtime& runtime) { return copyBytes(runtime, to, from, size, kind); });
}

HEDDLE_API cudaError_t cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind) {
  return cudaMemcpyAsync(to, from, size, kind, nullptr);
}

HEDDLE_API cudaError_t cudaMemcpy2DAsync(void* to, size_t toPitch, const void* from,
                                         size_t fromPitch, size_t width, size_t height,
                                         cudaMemcpyKind kind, cudaStream_t stream) {
  if (noteWork(stream, cudaGraphNodeTypeMemcpy, [=](cudaStream_t later) {
        return cudaMemcpy2DAsync(to, toPitch, from, fromPitch, width, height, kind, later);
      }))
    return cudaSuccess;
  return callOn(stream, [&](Runtime& runtime) {
    return copyPitched(runtime, {to, toPitch, height}, {from, fromPitch, height},
                       {width, height, 1}, kind);
  });
}

HEDDLE_API cudaError_t cudaMemcpy2D(void* to, size_t toPitch, const void* from, size_t fromPitch,
                                    size_t width, size_t height, cudaMemcpyKind kind) {
  return cudaMemcpy2DAsync(to, toPitch, from, fromPitch, width, height, kind, nullptr);
}

HEDDLE_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream) {
  if (copy != nullptr &&
      noteWork(stream, cudaGraphNodeTypeMemcpy,
               [kept = *copy](cudaStream_t later) { return cudaMemcpy3DAsync(&kept, later); }))
    return cudaSuccess;
  return copy3D(copy, stream);
}

HEDDLE_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) {
  return copy3D(copy, nullptr);
}

HEDDLE_API cudaError_t cudaMemcpyPeerAsync(void* to, int toDevice, const void* from, int fromDevice,
                                           size_t size, cudaStream_t stream) {
  return callOn(stream, [&](Runtime& runtime) {
    if (toDevice != 0 || fromDevice != 0)
      return cudaErrorInvalidDevice;
    return copyBytes(runtime, to, from, size, cudaMemcpyDeviceToDevice);
  });
}

HEDDLE_API cudaError_t cudaMemcpyPeer(void* to, int toDevice, const void* from, int fromDevice,
                                      size_t size) {
  return cudaMemcpyPeerAsync(to, toDevice, from, fromDevice, size, nullptr);
}

HEDDLE_API cudaError_t cudaMemsetAsync(void* pointer, int value, size_t size, cudaStream_t stream) {
  if (noteWork(stream, cudaGraphNodeTypeMemset,
               [=](cudaStream_t later) { return cudaMemsetAsync(pointer, value, size, later); }))
    return cudaSuccess;
  return callOn(stream, [&](Runtime& runtime) {
    return fillPitched(runtime, {pointer, size, 1}, value, {size, 1, 1});
  });
}

HEDDLE_API cudaError_t cudaMemset(void* pointer, int value, size_t size) {
  return cudaMemsetAsync(pointer, value, size, nullptr);
}

HEDDLE_API cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width,
                                         size_t height, cudaStream_t stream) {
  if (noteWork(stream, cudaGraphNodeTypeMemset, [=](cudaStream_t later) {
        return cudaMemset2DAsync(pointer, pitch, value, width, height, later);
      }))
    return cudaSuccess;
  return callOn(stream, [&](Runtime& runtime) {
    return fillPitched(runtime, {pointer, pitch, height}, value, {width, height, 1});
  });
}

HEDDLE_API cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width,
                                    size_t height) {
  return cudaMemset2DAsync(pointer, pitch, value, width, height, nullptr);
}

HEDDLE_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr pitched, int value, cudaExtent extent,
                                         cudaStream_t stream) {
  return callOn(stream, [&](Runtime& runtime) {
    return fillPitched(runtime, rangeOf(pitched, {0, 0, 0}), value, extent);
  });
}

HEDDLE_API cudaError_t cudaMemset3D(cudaPitchedPtr pitched, int value, cudaExtent extent) {
  return cudaMemset3DAsync(pitched, value, extent, nullptr);
}

HEDDLE_API cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t size,
                                               size_t offset, cudaMemcpyKind kind,
                                               cudaStream_t stream) {
  if (noteWork(stream, cudaGraphNodeTypeMemcpy, [=](cudaStream_t later) {
        return cudaMemcpyToSymbolAsync(symbol, from, size, offset, kind, later);
      }))
    return cudaSuccess;
  return copyToSymbol(symbol, from, size, offset, kind, stream);
}

HEDDLE_API cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t size,
                                          size_t offset, cudaMemcpyKind kind) {
  return copyToSymbol(symbol, from, size, offset, kind, nullptr);
}

HEDDLE_API cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t size,
                                                 size_t offset, cudaMemcpyKind kind,
                                                 cudaStream_t stream) {
  if (noteWork(stream, cudaGraphNodeTypeMemcpy, [=](cudaStream_t later) {
        return cudaMemcpyFromSymbolAsync(to, symbol, size, offset, kind, later);
      }))
    return cudaSuccess;
  return copyFromSymbol(to, symbol, size, offset, kind, stream);
}

HEDDLE_API cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t size,
                                            size_t offset, cudaMemcpyKind kind) {
  return copyFromSymbol(to, symbol, size, offset, kind, nullptr);
}

HEDDLE_API cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  return callWithSymbol(symbol, nullptr, [&](Runtime&, const VariableEntry& variable) {
    if (pointer == nullptr)
      return cudaErrorInvalidValue;
    *pointer = variable.address;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return callWithSymbol(symbol, nullptr, [&](Runtime&, const VariableEntry& variable) {
    if (size == nullptr)
      return cudaErrorInvalidValue;
    *size = variable.size;
    return cudaSuccess;
  });
}
