// SPDX-License-Identifier: Apache-2.0
//
// Reading textures, and reading and writing surfaces: the engine finds the texel, channel by
// channel, and the address in a surface.
#ifndef HEDDLE_COMPAT_TEXTURES_H
#define HEDDLE_COMPAT_TEXTURES_H

#define HEDDLE_DEVICE static __inline__ __attribute__((device, always_inline))

// The engine's own. `shape` is the number of dimensions, 4 for a cube, with bits beside it: 16
// layered, 32 coordinates are integers, 64 a gather. `outside` is a cudaSurfaceBoundaryMode.
__attribute__((device)) unsigned int
__heddle_texture(unsigned long long object, unsigned int shape, unsigned int x, unsigned int y,
                 unsigned int z, unsigned int layer,
                 unsigned int channel) __asm__("heddle.ptx.texture");
__attribute__((device)) unsigned long long
__heddle_surface(unsigned long long object, unsigned int x, unsigned int y, unsigned int z,
                 unsigned int bytes, unsigned int outside) __asm__("heddle.ptx.surface");

struct __heddle_fetch {
  unsigned long long object;
  unsigned int shape, x, y, z, layer, channels;

  __attribute__((device)) unsigned int bits(unsigned int channel) const {
    return __heddle_texture(object, shape, x, y, z, layer, channels | channel);
  }
};

// What a type is made of: one, two or four channels.
template <class T> struct __heddle_texel;
#define HEDDLE_TEXEL(TYPE, TEXEL)                                                                  \
  template <> struct __heddle_texel<TYPE> {                                                        \
    HEDDLE_DEVICE TYPE read(const __heddle_fetch& f) {                                             \
      return TEXEL;                                                                                \
    }                                                                                              \
  };
#define HEDDLE_TEXELS(TYPE, ELEMENT, CHANNEL)                                                      \
  HEDDLE_TEXEL(ELEMENT, CHANNEL(0))                                                                \
  HEDDLE_TEXEL(TYPE##1, make_##TYPE##1(CHANNEL(0)))                                                \
  HEDDLE_TEXEL(TYPE##2, make_##TYPE##2(CHANNEL(0), CHANNEL(1)))                                    \
  HEDDLE_TEXEL(TYPE##4, make_##TYPE##4(CHANNEL(0), CHANNEL(1), CHANNEL(2), CHANNEL(3)))
#define HEDDLE_FLOAT_CHANNEL(I) __uint_as_float(f.bits(I))
#define HEDDLE_WORD_CHANNEL(I) f.bits(I)
HEDDLE_TEXEL(char, f.bits(0))
HEDDLE_TEXELS(char, signed char, HEDDLE_WORD_CHANNEL)
HEDDLE_TEXELS(uchar, unsigned char, HEDDLE_WORD_CHANNEL)
HEDDLE_TEXELS(short, short, HEDDLE_WORD_CHANNEL)
HEDDLE_TEXELS(ushort, unsigned short, HEDDLE_WORD_CHANNEL)
HEDDLE_TEXELS(int, int, HEDDLE_WORD_CHANNEL)
HEDDLE_TEXELS(uint, unsigned int, HEDDLE_WORD_CHANNEL)
HEDDLE_TEXELS(float, float, HEDDLE_FLOAT_CHANNEL)
#undef HEDDLE_WORD_CHANNEL
#undef HEDDLE_FLOAT_CHANNEL
#undef HEDDLE_TEXELS
#undef HEDDLE_TEXEL

// A function of CUDA: its parameters in parentheses, their names in parentheses, and what to fetch.
#define HEDDLE_REST(...) , __VA_ARGS__
#define HEDDLE_FETCH(NAME, PARAMETERS, NAMES, SHAPE, X, Y, Z, LAYER, CHANNELS)                     \
  template <class T> HEDDLE_DEVICE T NAME(cudaTextureObject_t object HEDDLE_REST PARAMETERS) {     \
    return __heddle_texel<T>::read(__heddle_fetch{object, SHAPE, (unsigned int)(X),                \
                                                  (unsigned int)(Y), (unsigned int)(Z),            \
                                                  (unsigned int)(LAYER), CHANNELS});               \
  }                                                                                                \
  template <class T>                                                                               \
  HEDDLE_DEVICE void NAME(T* result, cudaTextureObject_t object HEDDLE_REST PARAMETERS) {          \
    *result = NAME<T>(object HEDDLE_REST NAMES);                                                   \
  }
#define HEDDLE_BITS(VALUE) __float_as_uint(VALUE)
HEDDLE_FETCH(tex1Dfetch, (int x), (x), 1 | 32, x, 0, 0, 0, 0)
HEDDLE_FETCH(tex1D, (float x), (x), 1, HEDDLE_BITS(x), 0, 0, 0, 0)
HEDDLE_FETCH(tex2D, (float x, float y), (x, y), 2, HEDDLE_BITS(x), HEDDLE_BITS(y), 0, 0, 0)
HEDDLE_FETCH(tex3D, (float x, float y, float z), (x, y, z), 3, HEDDLE_BITS(x), HEDDLE_BITS(y),
             HEDDLE_BITS(z), 0, 0)
HEDDLE_FETCH(tex1DLayered, (float x, int layer), (x, layer), 1 | 16, HEDDLE_BITS(x), 0, 0, layer, 0)
HEDDLE_FETCH(tex2DLayered, (float x, float y, int layer), (x, y, layer), 2 | 16, HEDDLE_BITS(x),
             HEDDLE_BITS(y), 0, layer, 0)
HEDDLE_FETCH(texCubemap, (float x, float y, float z), (x, y, z), 4, HEDDLE_BITS(x), HEDDLE_BITS(y),
             HEDDLE_BITS(z), 0, 0)
HEDDLE_FETCH(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer), 4 | 16,
             HEDDLE_BITS(x), HEDDLE_BITS(y), HEDDLE_BITS(z), layer, 0)
HEDDLE_FETCH(tex2Dgather, (float x, float y, int channel = 0), (x, y, channel), 2 | 64,
             HEDDLE_BITS(x), HEDDLE_BITS(y), 0, 0, (unsigned int)channel << 8)
// There is one level, so that neither a level nor gradients choose another.
HEDDLE_FETCH(tex1DLod, (float x, float), (x, 0), 1, HEDDLE_BITS(x), 0, 0, 0, 0)
HEDDLE_FETCH(tex2DLod, (float x, float y, float), (x, y, 0), 2, HEDDLE_BITS(x), HEDDLE_BITS(y), 0,
             0, 0)
HEDDLE_FETCH(tex3DLod, (float x, float y, float z, float), (x, y, z, 0), 3, HEDDLE_BITS(x),
             HEDDLE_BITS(y), HEDDLE_BITS(z), 0, 0)
HEDDLE_FETCH(tex1DGrad, (float x, float, float), (x, 0, 0), 1, HEDDLE_BITS(x), 0, 0, 0, 0)
HEDDLE_FETCH(tex2DGrad, (float x, float y, float2, float2), (x, y, {}, {}), 2, HEDDLE_BITS(x),
             HEDDLE_BITS(y), 0, 0, 0)
#undef HEDDLE_FETCH

// A surface: x counts bytes.
#define HEDDLE_SURFACE(DIMENSIONS, PARAMETERS, NAMES, X, Y, Z)                                     \
  template <class T>                                                                               \
  HEDDLE_DEVICE T surf##DIMENSIONS##read(cudaSurfaceObject_t surface HEDDLE_REST PARAMETERS,       \
                                         cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap) { \
    const T* at = (const T*)__heddle_surface(surface, X, Y, Z, sizeof(T), outside);                \
    return at != nullptr || outside != cudaBoundaryModeZero ? *at : T{};                           \
  }                                                                                                \
  template <class T>                                                                               \
  HEDDLE_DEVICE void surf##DIMENSIONS##read(                                                       \
      T* result, cudaSurfaceObject_t surface HEDDLE_REST PARAMETERS,                               \
      cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap) {                                    \
    *result = surf##DIMENSIONS##read<T>(surface HEDDLE_REST NAMES, outside);                       \
  }                                                                                                \
  template <class T>                                                                               \
  HEDDLE_DEVICE void surf##DIMENSIONS##write(                                                      \
      T value, cudaSurfaceObject_t surface HEDDLE_REST PARAMETERS,                                 \
      cudaSurfaceBoundaryMode outside = cudaBoundaryModeTrap) {                                    \
    T* at = (T*)__heddle_surface(surface, X, Y, Z, sizeof(T), outside);                            \
    if (at != nullptr || outside != cudaBoundaryModeZero)                                          \
      *at = value;                                                                                 \
  }
HEDDLE_SURFACE(1D, (int x), (x), x, 0, 0)
HEDDLE_SURFACE(2D, (int x, int y), (x, y), x, y, 0)
HEDDLE_SURFACE(3D, (int x, int y, int z), (x, y, z), x, y, z)
HEDDLE_SURFACE(1DLayered, (int x, int layer), (x, layer), x, 0, layer)
HEDDLE_SURFACE(2DLayered, (int x, int y, int layer), (x, y, layer), x, y, layer)
HEDDLE_SURFACE(Cubemap, (int x, int y, int face), (x, y, face), x, y, face)
#undef HEDDLE_SURFACE
#undef HEDDLE_BITS
#undef HEDDLE_REST
#undef HEDDLE_DEVICE

#endif
