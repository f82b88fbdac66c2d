// SPDX-License-Identifier: Apache-2.0
//
// Arrays, textures and surfaces.
#include "cudart/Copies.h"
#include "cudart/Remarks.h"
#include "engine/Textures.h"

#include <algorithm>
#include <array>
#include <limits>

namespace heddle::cudart {

std::size_t texelBytes(const cudaChannelFormatDesc& format) {
  const std::array<int, 4> bits = {format.x, format.y, format.z, format.w};
  const auto end = std::ranges::find(bits, 0);
  const auto channels = std::size_t(end - bits.begin());
  const bool isUniform =
      std::all_of(bits.begin(), end, [&](int each) { return each == bits[0]; }) &&
      std::all_of(end, bits.end(), [](int each) { return each == 0; });
  const bool isKnown =
      (bits[0] == 8 && format.f != cudaChannelFormatKindFloat) || bits[0] == 16 || bits[0] == 32;
  return isUniform && isKnown && (channels == 1 || channels == 2 || channels == 4)
             ? channels * std::size_t(bits[0]) / 8
             : 0;
}

namespace {

constexpr unsigned arrayFlags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;

cudaError_t makeArray(Runtime& runtime, cudaArray_t* array, const cudaChannelFormatDesc* format,
                      cudaExtent extent, unsigned flags, const char* function) {
  if (array == nullptr || format == nullptr || extent.width == 0 || (flags & ~arrayFlags) != 0)
    return cudaErrorInvalidValue;
  const std::size_t texel = texelBytes(*format);
  if (texel == 0)
    return cudaErrorInvalidChannelDescriptor;
  if (extent.width > std::size_t(std::numeric_limits<int>::max()) / texel)
    return cudaErrorInvalidValue;
  Array made{.format = *format, .extent = extent, .flags = flags, .pitch = extent.width * texel};
  const std::size_t rows = made.rows() * made.planes();
  if (rows > runtime.memory.capacity() / made.pitch)
    return cudaErrorMemoryAllocation;
  made.data = static_cast<std::byte*>(
      runtime.memory.allocate(MemoryKind::Device, made.pitch * rows, function));
  if (made.data == nullptr)
    return cudaErrorMemoryAllocation;
  Remarks::instance().allocated(made.data);
  *array = runtime.arrays.create(made);
  return cudaSuccess;
}

template <class Body> cudaError_t callWithArray(cudaArray_const_t array, Body body) {
  return call([&](Runtime& runtime) {
    const Array* const found = runtime.arrays.find(const_cast<cudaArray_t>(array));
    return found == nullptr ? cudaErrorInvalidResourceHandle : body(runtime, *found);
  });
}

/// Rows of an array from one byte on; nothing where the copy would leave it.
bool isInside(const Array& array, std::size_t x, std::size_t y, std::size_t width,
              std::size_t height) {
  return x <= array.pitch && width <= array.pitch - x && y <= array.rows() &&
         height <= array.rows() - y;
}

/// The same for bytes that may go over the ends of rows, which follow each other without a gap.
bool hasBytes(const Array& array, std::size_t offset, std::size_t size) {
  const std::size_t all = array.pitch * array.rows();
  return size <= all - std::min(offset, all);
}

PitchedRange rangeAt(const Array& array, std::size_t x, std::size_t y) {
  return {array.data + y * array.pitch + x, array.pitch, array.rows()};
}

engine::Texture withFormat(engine::Texture texture, const cudaChannelFormatDesc& format) {
  texture.bits = unsigned(format.x);
  texture.channels = unsigned(texelBytes(format) * 8) / texture.bits;
  texture.format = format.f == cudaChannelFormatKindSigned     ? engine::Texture::Format::Signed
                   : format.f == cudaChannelFormatKindUnsigned ? engine::Texture::Format::Unsigned
                                                               : engine::Texture::Format::Float;
  return texture;
}

engine::Texture ofArray(const Array& array) {
  engine::Texture texture;
  texture.data = array.data;
  texture.size = {std::int64_t(array.extent.width), std::int64_t(array.rows()),
                  std::int64_t(array.planes())};
  texture.pitch = array.pitch;
  texture.slice = array.pitch * array.rows();
  return withFormat(texture, array.format);
}

/// What a resource is, without how it is read; an error for what is no texture.
cudaError_t describe(Runtime& runtime, const cudaResourceDesc& resource, engine::Texture& texture) {
  if (resource.resType == cudaResourceTypeArray) {
    const Array* const array = runtime.arrays.find(resource.res.array.array);
    if (array == nullptr)
      return cudaErrorInvalidResourceHandle;
    texture = ofArray(*array);
    return cudaSuccess;
  }
  if (resource.resType == cudaResourceTypeMipmappedArray)
    return notSupported("a texture of a mipmapped array");
  const bool isLinear = resource.resType == cudaResourceTypeLinear;
  const auto& linear = resource.res.linear;
  const auto& pitched = resource.res.pitch2D;
  const cudaChannelFormatDesc& format = isLinear ? linear.desc : pitched.desc;
  const void* data = isLinear ? linear.devPtr : pitched.devPtr;
  const std::size_t texel = texelBytes(format);
  if (texel == 0)
    return cudaErrorInvalidChannelDescriptor;
  const std::size_t bytes = isLinear ? linear.sizeInBytes : pitched.pitchInBytes * pitched.height;
  if (data == nullptr || bytes < texel || runtime.memory.find(data) == nullptr ||
      runtime.memory.classify(data, isLinear ? bytes : 1) != RangeKind::Known)
    return cudaErrorInvalidValue;
  texture.data = static_cast<const std::byte*>(data);
  texture.isMemory = isLinear;
  texture.size = {std::int64_t(isLinear ? bytes / texel : pitched.width),
                  std::int64_t(isLinear ? 1 : pitched.height), 1};
  texture.pitch = isLinear ? bytes : pitched.pitchInBytes;
  texture.slice = bytes;
  texture = withFormat(texture, format);
  return cudaSuccess;
}

void setReading(const cudaTextureDesc& how, engine::Texture& texture) {
  for (std::size_t i = 0; i < texture.outside.size(); ++i)
    texture.outside[i] = engine::Texture::Outside(how.addressMode[i]);
  texture.linear = how.filterMode == cudaFilterModeLinear;
  texture.givesFloats = how.readMode == cudaReadModeNormalizedFloat;
  texture.normalized = how.normalizedCoords != 0;
  std::ranges::copy(how.borderColor, texture.border.begin());
}

} // namespace
} // namespace heddle::cudart

using namespace heddle::cudart;
using heddle::engine::Texture;
using heddle::engine::TextureTable;

HEDDLE_API cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                                         cudaExtent extent, unsigned int flags) {
  return call([&](Runtime& runtime) {
    return makeArray(runtime, array, format, extent, flags, "cudaMalloc3DArray");
  });
}

HEDDLE_API cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                                       size_t width, size_t height, unsigned int flags) {
  return call([&](Runtime& runtime) {
    return makeArray(runtime, array, format, {width, height, 0}, flags, "cudaMallocArray");
  });
}

HEDDLE_API cudaError_t cudaFreeArray(cudaArray_t array) {
  if (array == nullptr)
    return cudaSuccess;
  return callWithArray(array, [&](Runtime& runtime, const Array& found) {
    Remarks::instance().freed(found.data);
    runtime.memory.release(found.data, MemoryKind::Device);
    runtime.arrays.destroy(array);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent,
                                        unsigned int* flags, cudaArray_t array) {
  return callWithArray(array, [&](Runtime&, const Array& found) {
    if (format != nullptr)
      *format = found.format;
    if (extent != nullptr)
      *extent = found.extent;
    if (flags != nullptr)
      *flags = found.flags;
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
  return cudaArrayGetInfo(format, nullptr, nullptr, const_cast<cudaArray_t>(array));
}

HEDDLE_API cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                       cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

HEDDLE_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y,
                                                const void* from, size_t pitch, size_t width,
                                                size_t height, cudaMemcpyKind kind, cudaStream_t) {
  return callWithArray(to, [&](Runtime& runtime, const Array& array) {
    if (!isInside(array, x, y, width, height))
      return cudaErrorInvalidValue;
    return copyPitched(runtime, rangeAt(array, x, y), {from, pitch, height}, {width, height, 1},
                       kind);
  });
}

HEDDLE_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from,
                                           size_t pitch, size_t width, size_t height,
                                           cudaMemcpyKind kind) {
  return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, nullptr);
}

HEDDLE_API cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from,
                                                  size_t x, size_t y, size_t width, size_t height,
                                                  cudaMemcpyKind kind, cudaStream_t) {
  return callWithArray(from, [&](Runtime& runtime, const Array& array) {
    if (!isInside(array, x, y, width, height))
      return cudaErrorInvalidValue;
    return copyPitched(runtime, {to, pitch, height}, rangeAt(array, x, y), {width, height, 1},
                       kind);
  });
}

HEDDLE_API cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from,
                                             size_t x, size_t y, size_t width, size_t height,
                                             cudaMemcpyKind kind) {
  return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, nullptr);
}

HEDDLE_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY,
                                                cudaArray_const_t from, size_t fromX, size_t fromY,
                                                size_t width, size_t height, cudaMemcpyKind kind) {
  return callWithArray(to, [&](Runtime& runtime, const Array& target) {
    const Array* const source = runtime.arrays.find(const_cast<cudaArray_t>(from));
    if (source == nullptr)
      return cudaErrorInvalidResourceHandle;
    if (!isInside(target, toX, toY, width, height) ||
        !isInside(*source, fromX, fromY, width, height))
      return cudaErrorInvalidValue;
    return copyPitched(runtime, rangeAt(target, toX, toY), rangeAt(*source, fromX, fromY),
                       {width, height, 1}, kind);
  });
}

HEDDLE_API cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t*, const cudaChannelFormatDesc*,
                                                cudaExtent, unsigned int, unsigned int) {
  return call([](Runtime&) { return notSupported("cudaMallocMipmappedArray"); });
}

HEDDLE_API cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t) {
  return call([](Runtime&) { return notSupported("cudaFreeMipmappedArray"); });
}

HEDDLE_API cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t*, cudaMipmappedArray_const_t,
                                                  unsigned int) {
  return call([](Runtime&) { return notSupported("cudaGetMipmappedArrayLevel"); });
}

HEDDLE_API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from,
                                         size_t size, cudaMemcpyKind kind) {
  return callWithArray(to, [&](Runtime& runtime, const Array& array) {
    if (!hasBytes(array, y * array.pitch + x, size))
      return cudaErrorInvalidValue;
    return copyBytes(runtime, array.data + y * array.pitch + x, from, size, kind);
  });
}

HEDDLE_API cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y,
                                           size_t size, cudaMemcpyKind kind) {
  return callWithArray(from, [&](Runtime& runtime, const Array& array) {
    if (!hasBytes(array, y * array.pitch + x, size))
      return cudaErrorInvalidValue;
    return copyBytes(runtime, to, array.data + y * array.pitch + x, size, kind);
  });
}

HEDDLE_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object,
                                               const cudaResourceDesc* resource,
                                               const cudaTextureDesc* how,
                                               const cudaResourceViewDesc* view) {
  return call([&](Runtime& runtime) {
    if (object == nullptr || resource == nullptr || how == nullptr)
      return cudaErrorInvalidValue;
    if (view != nullptr)
      return notSupported("cudaCreateTextureObject with a resource view");
    Texture texture;
    const cudaError_t status = describe(runtime, *resource, texture);
    if (status != cudaSuccess)
      return status;
    setReading(*how, texture);
    *object = TextureTable::instance().add(texture);
    return cudaSuccess;
  });
}

HEDDLE_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return call([&](Runtime&) {
    return object == 0 || TextureTable::instance().remove(object) ? cudaSuccess
                                                                  : cudaErrorInvalidValue;
  });
}

HEDDLE_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object,
                                               const cudaResourceDesc* resource) {
  return call([&](Runtime& runtime) {
    if (object == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
      return cudaErrorInvalidValue;
    Texture surface;
    const cudaError_t status = describe(runtime, *resource, surface);
    if (status == cudaSuccess)
      *object = TextureTable::instance().add(surface);
    return status;
  });
}

HEDDLE_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return cudaDestroyTextureObject(object);
}
