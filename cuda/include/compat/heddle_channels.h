// SPDX-License-Identifier: Apache-2.0
//
// cudaCreateChannelDesc<T>(): what the channels of a texel are.
#ifndef HEDDLE_COMPAT_CHANNELS_H
#define HEDDLE_COMPAT_CHANNELS_H

template <class T> struct __heddle_channels;

#define HEDDLE_CHANNELS(TYPE, SIZE, COUNT, KIND)                                                   \
  template <> struct __heddle_channels<TYPE> {                                                     \
    static constexpr int bits = 8 * SIZE, count = COUNT;                                           \
    static constexpr cudaChannelFormatKind kind = cudaChannelFormatKind##KIND;                     \
  };
#define HEDDLE_VECTOR_CHANNELS(TYPE, SIZE, KIND)                                                   \
  HEDDLE_CHANNELS(TYPE##1, SIZE, 1, KIND)                                                          \
  HEDDLE_CHANNELS(TYPE##2, SIZE, 2, KIND)                                                          \
  HEDDLE_CHANNELS(TYPE##3, SIZE, 3, KIND)                                                          \
  HEDDLE_CHANNELS(TYPE##4, SIZE, 4, KIND)

HEDDLE_CHANNELS(char, 1, 1, Signed)
HEDDLE_CHANNELS(signed char, 1, 1, Signed)
HEDDLE_CHANNELS(unsigned char, 1, 1, Unsigned)
HEDDLE_CHANNELS(short, 2, 1, Signed)
HEDDLE_CHANNELS(unsigned short, 2, 1, Unsigned)
HEDDLE_CHANNELS(int, 4, 1, Signed)
HEDDLE_CHANNELS(unsigned int, 4, 1, Unsigned)
HEDDLE_CHANNELS(float, 4, 1, Float)
HEDDLE_VECTOR_CHANNELS(char, 1, Signed)
HEDDLE_VECTOR_CHANNELS(uchar, 1, Unsigned)
HEDDLE_VECTOR_CHANNELS(short, 2, Signed)
HEDDLE_VECTOR_CHANNELS(ushort, 2, Unsigned)
HEDDLE_VECTOR_CHANNELS(int, 4, Signed)
HEDDLE_VECTOR_CHANNELS(uint, 4, Unsigned)
HEDDLE_VECTOR_CHANNELS(float, 4, Float)
#undef HEDDLE_VECTOR_CHANNELS
#undef HEDDLE_CHANNELS

template <class T> cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Channels = __heddle_channels<T>;
  const int bits = Channels::bits;
  return cudaChannelFormatDesc{bits, Channels::count > 1 ? bits : 0, Channels::count > 2 ? bits : 0,
                               Channels::count > 3 ? bits : 0, Channels::kind};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaChannelFormatDesc{16, 0, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return cudaCreateChannelDescHalf();
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaChannelFormatDesc{16, 16, 0, 0, cudaChannelFormatKindFloat};
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaChannelFormatDesc{16, 16, 16, 16, cudaChannelFormatKindFloat};
}

#endif
