// SPDX-License-Identifier: Apache-2.0
//
// Texture references, which CUDA 12 no longer has: `texture<float, 2> t;` at file scope, bound by
// the host, read by tex2D(t, x, y). The device's part of such a variable is the handle of a texture
// object, which binding makes. Included for programs that clang finds to lack it: others may have a
// `texture` of their own.
#ifndef HEDDLE_COMPAT_TEXTURE_REFERENCES_H
#define HEDDLE_COMPAT_TEXTURE_REFERENCES_H

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC

struct textureReference {
  int normalized;
  cudaTextureFilterMode filterMode;
  cudaTextureAddressMode addressMode[3];
  cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias;
  float minMipmapLevelClamp;
  float maxMipmapLevelClamp;
};

template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  texture(int norm = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
          cudaTextureAddressMode outside = cudaAddressModeClamp)
      : texture(norm, filter, outside, cudaCreateChannelDesc<T>()) {}
  texture(int norm, cudaTextureFilterMode filter, cudaTextureAddressMode outside,
          cudaChannelFormatDesc format)
      : textureReference{norm, filter, {outside, outside, outside}, format} {}
};

// What a fetch gives.
template <class T, cudaTextureReadMode mode> struct __heddle_fetched {
  typedef T type;
};
#define HEDDLE_NORMALIZED(ELEMENT, VECTOR)                                                         \
  template <> struct __heddle_fetched<ELEMENT, cudaReadModeNormalizedFloat> {                      \
    typedef float type;                                                                            \
  };                                                                                               \
  template <> struct __heddle_fetched<VECTOR##1, cudaReadModeNormalizedFloat> {                    \
    typedef float1 type;                                                                           \
  };                                                                                               \
  template <> struct __heddle_fetched<VECTOR##2, cudaReadModeNormalizedFloat> {                    \
    typedef float2 type;                                                                           \
  };                                                                                               \
  template <> struct __heddle_fetched<VECTOR##4, cudaReadModeNormalizedFloat> {                    \
    typedef float4 type;                                                                           \
  };
HEDDLE_NORMALIZED(signed char, char)
HEDDLE_NORMALIZED(unsigned char, uchar)
HEDDLE_NORMALIZED(short, short)
HEDDLE_NORMALIZED(unsigned short, ushort)
#undef HEDDLE_NORMALIZED
template <> struct __heddle_fetched<char, cudaReadModeNormalizedFloat> {
  typedef float type;
};

// A static variable has no value that the compiler can see, and it would take any.
template <class T, int type, cudaTextureReadMode mode>
static __inline__ __attribute__((device, always_inline)) cudaTextureObject_t
__heddle_object(const texture<T, type, mode>& reference) {
  return *(const volatile cudaTextureObject_t*)&reference;
}

#define HEDDLE_REST(...) , __VA_ARGS__
#define HEDDLE_FETCH(NAME, TYPE, PARAMETERS, NAMES)                                                \
  template <class T, cudaTextureReadMode mode>                                                     \
  static __inline__ __attribute__((device, always_inline))                                         \
  typename __heddle_fetched<T, mode>::type                                                         \
  NAME(const texture<T, TYPE, mode>& reference HEDDLE_REST PARAMETERS) {                           \
    return NAME<typename __heddle_fetched<T, mode>::type>(__heddle_object(reference)               \
                                                              HEDDLE_REST NAMES);                  \
  }
HEDDLE_FETCH(tex1Dfetch, cudaTextureType1D, (int x), (x))
HEDDLE_FETCH(tex1D, cudaTextureType1D, (float x), (x))
HEDDLE_FETCH(tex2D, cudaTextureType2D, (float x, float y), (x, y))
HEDDLE_FETCH(tex3D, cudaTextureType3D, (float x, float y, float z), (x, y, z))
HEDDLE_FETCH(tex1DLayered, cudaTextureType1DLayered, (float x, int layer), (x, layer))
HEDDLE_FETCH(tex2DLayered, cudaTextureType2DLayered, (float x, float y, int layer), (x, y, layer))
HEDDLE_FETCH(texCubemap, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z))
HEDDLE_FETCH(texCubemapLayered, cudaTextureTypeCubemapLayered,
             (float x, float y, float z, int layer), (x, y, z, layer))
#undef HEDDLE_FETCH
#undef HEDDLE_REST

extern "C" {
// `variable` is the host's part; its fields say how to read. A resource of 0 unbinds.
cudaError_t __cudaHeddleBindTexture(const void* variable, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* how);
}

template <class T, int type, cudaTextureReadMode mode>
cudaError_t __heddle_bind(const texture<T, type, mode>& reference,
                          const cudaResourceDesc& resource) {
  cudaTextureDesc how = {};
  for (int i = 0; i < 3; ++i)
    how.addressMode[i] = reference.addressMode[i];
  how.filterMode = reference.filterMode;
  how.readMode = mode;
  how.normalizedCoords = reference.normalized;
  return __cudaHeddleBindTexture(&reference, &resource, &how);
}

template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference,
                            const void* memory, const cudaChannelFormatDesc& format,
                            size_t size = UINT_MAX) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void*>(memory);
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = size;
  if (offset != nullptr)
    *offset = 0;
  return __heddle_bind(reference, resource);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t* offset, const texture<T, type, mode>& reference,
                            const void* memory, size_t size = UINT_MAX) {
  return cudaBindTexture(offset, reference, memory, reference.channelDesc, size);
}

template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference,
                              const void* memory, const cudaChannelFormatDesc& format, size_t width,
                              size_t height, size_t pitch) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = const_cast<void*>(memory);
  resource.res.pitch2D.desc = format;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  if (offset != nullptr)
    *offset = 0;
  return __heddle_bind(reference, resource);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, type, mode>& reference,
                              const void* memory, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, reference, memory, reference.channelDesc, width, height, pitch);
}

template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference,
                                   cudaArray_const_t array) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return __heddle_bind(reference, resource);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, type, mode>& reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc&) {
  return cudaBindTextureToArray(reference, array);
}

template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaUnbindTexture(const texture<T, type, mode>& reference) {
  return __cudaHeddleBindTexture(&reference, nullptr, nullptr);
}
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const texture<T, type, mode>&) {
  *offset = 0;
  return cudaSuccess;
}

#endif
