// SPDX-License-Identifier: Apache-2.0
//
// Functions on the halves and bytes of a word: __vadd2 ... __vsubus4, the dot products __dp4a and
// __dp2a, the __vi... functions that combine additions and comparisons, and funnel shifts. Clang's
// headers have most of them as inline PTX; the prelude makes them call these, which any CPU runs.
#ifndef HEDDLE_COMPAT_SIMD_H
#define HEDDLE_COMPAT_SIMD_H

// One libdevice function for both sizes of parts. The expression makes a part of `a` and `b`, as
// ints; only its low bits are kept.
#define HEDDLE_PARTS_OF(name, bits, part, expression)                                              \
  extern "C" __attribute__((device)) inline int name(int left, int right) {                        \
    unsigned int result = 0;                                                                       \
    for (int place = 0; place < 32; place += bits) {                                               \
      const int a = static_cast<part>(static_cast<unsigned int>(left) >> place);                   \
      const int b = static_cast<part>(static_cast<unsigned int>(right) >> place);                  \
      constexpr int least = static_cast<part>(-1) < 0 ? -(1 << (bits - 1)) : 0;                    \
      constexpr int most = least + (1 << bits) - 1;                                                \
      (void)a, (void)b, (void)most;                                                                \
      result |= (static_cast<unsigned int>(expression) & ((1u << bits) - 1)) << place;             \
    }                                                                                              \
    return static_cast<int>(result);                                                               \
  }
#define HEDDLE_SIGNED(name, expression)                                                            \
  HEDDLE_PARTS_OF(__nv_##name##2, 16, short, expression)                                           \
  HEDDLE_PARTS_OF(__nv_##name##4, 8, signed char, expression)
#define HEDDLE_UNSIGNED(name, expression)                                                          \
  HEDDLE_PARTS_OF(__nv_##name##2, 16, unsigned short, expression)                                  \
  HEDDLE_PARTS_OF(__nv_##name##4, 8, unsigned char, expression)
#define HEDDLE_CLAMP(value) ((value) < least ? least : (value) > most ? most : (value))

HEDDLE_UNSIGNED(vadd, a + b)
HEDDLE_SIGNED(vaddss, HEDDLE_CLAMP(a + b))
HEDDLE_UNSIGNED(vaddus, HEDDLE_CLAMP(a + b))
HEDDLE_UNSIGNED(vsub, a - b)
HEDDLE_SIGNED(vsubss, HEDDLE_CLAMP(a - b))
HEDDLE_UNSIGNED(vsubus, HEDDLE_CLAMP(a - b))
HEDDLE_SIGNED(vabsdiffs, a < b ? b - a : a - b)
HEDDLE_UNSIGNED(vabsdiffu, a < b ? b - a : a - b)
HEDDLE_SIGNED(vavgs, (a + b + (a + b >= 0 ? 1 : 0)) >> 1)
HEDDLE_UNSIGNED(vavgu, (a + b + 1) >> 1)
HEDDLE_UNSIGNED(vhaddu, (a + b) >> 1)
HEDDLE_SIGNED(vmaxs, a < b ? b : a)
HEDDLE_UNSIGNED(vmaxu, a < b ? b : a)
HEDDLE_SIGNED(vmins, a < b ? a : b)
HEDDLE_UNSIGNED(vminu, a < b ? a : b)

// Comparisons: all bits of a part, or its lowest.
#define HEDDLE_COMPARISON(mask, one, kind, operation)                                              \
  kind(mask, a operation b ? -1 : 0) kind(one, a operation b ? 1 : 0)
HEDDLE_COMPARISON(vcmpeq, vseteq, HEDDLE_UNSIGNED, ==)
HEDDLE_COMPARISON(vcmpne, vsetne, HEDDLE_UNSIGNED, !=)
HEDDLE_COMPARISON(vcmpges, vsetges, HEDDLE_SIGNED, >=)
HEDDLE_COMPARISON(vcmpgeu, vsetgeu, HEDDLE_UNSIGNED, >=)
HEDDLE_COMPARISON(vcmpgts, vsetgts, HEDDLE_SIGNED, >)
HEDDLE_COMPARISON(vcmpgtu, vsetgtu, HEDDLE_UNSIGNED, >)
HEDDLE_COMPARISON(vcmples, vsetles, HEDDLE_SIGNED, <=)
HEDDLE_COMPARISON(vcmpleu, vsetleu, HEDDLE_UNSIGNED, <=)
HEDDLE_COMPARISON(vcmplts, vsetlts, HEDDLE_SIGNED, <)
HEDDLE_COMPARISON(vcmpltu, vsetltu, HEDDLE_UNSIGNED, <)
#undef HEDDLE_COMPARISON

// Of one word.
#define HEDDLE_ONE_WORD(name, expression)                                                          \
  extern "C" __attribute__((device)) inline int __nv_##name(int x) {                               \
    return expression;                                                                             \
  }
HEDDLE_SIGNED(heddle_vabsss, HEDDLE_CLAMP(a < 0 ? -a : a))
HEDDLE_ONE_WORD(vabs2, __nv_vabsdiffs2(x, 0))
HEDDLE_ONE_WORD(vabs4, __nv_vabsdiffs4(x, 0))
HEDDLE_ONE_WORD(vabsss2, __nv_heddle_vabsss2(x, 0))
HEDDLE_ONE_WORD(vabsss4, __nv_heddle_vabsss4(x, 0))
HEDDLE_ONE_WORD(vneg2, __nv_vsub2(0, x))
HEDDLE_ONE_WORD(vneg4, __nv_vsub4(0, x))
HEDDLE_ONE_WORD(vnegss2, __nv_vsubss2(0, x))
HEDDLE_ONE_WORD(vnegss4, __nv_vsubss4(0, x))
#undef HEDDLE_ONE_WORD

// Sums of differences over all parts.
#define HEDDLE_SUM(name, bits, difference)                                                         \
  extern "C" __attribute__((device)) inline int __nv_##name(int a, int b) {                        \
    const unsigned int parts = static_cast<unsigned int>(__nv_##difference(a, b));                 \
    unsigned int sum = 0;                                                                          \
    for (int place = 0; place < 32; place += bits)                                                 \
      sum += (parts >> place) & ((1u << bits) - 1);                                                \
    return static_cast<int>(sum);                                                                  \
  }
HEDDLE_SUM(vsads2, 16, vabsdiffs2)
HEDDLE_SUM(vsads4, 8, vabsdiffs4)
HEDDLE_SUM(vsadu2, 16, vabsdiffu2)
HEDDLE_SUM(vsadu4, 8, vabsdiffu4)
#undef HEDDLE_SUM
#undef HEDDLE_CLAMP
#undef HEDDLE_UNSIGNED
#undef HEDDLE_SIGNED
#undef HEDDLE_PARTS_OF

#define HEDDLE_BOTH_SIDES static __inline__ __attribute__((always_inline, host, device))

// Dot products of four bytes, and of two halves with two of the bytes.
#define HEDDLE_DOT_PRODUCTS(word, half, byte)                                                      \
  HEDDLE_BOTH_SIDES word __dp4a(word a, word b, word sum) {                                        \
    for (int place = 0; place < 32; place += 8)                                                    \
      sum += static_cast<byte>(a >> place) * static_cast<byte>(b >> place);                        \
    return sum;                                                                                    \
  }                                                                                                \
  HEDDLE_BOTH_SIDES word __dp2a_lo(word a, word b, word sum) {                                     \
    return sum + static_cast<half>(a) * static_cast<byte>(b) +                                     \
           static_cast<half>(a >> 16) * static_cast<byte>(b >> 8);                                 \
  }                                                                                                \
  HEDDLE_BOTH_SIDES word __dp2a_hi(word a, word b, word sum) {                                     \
    return __dp2a_lo(a, b >> 16, sum);                                                             \
  }
HEDDLE_DOT_PRODUCTS(int, short, signed char)
HEDDLE_DOT_PRODUCTS(unsigned int, unsigned short, unsigned char)
#undef HEDDLE_DOT_PRODUCTS
HEDDLE_BOTH_SIDES int __dp4a(char4 a, char4 b, int sum) {
  return sum + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
HEDDLE_BOTH_SIDES unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int sum) {
  return sum + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
HEDDLE_BOTH_SIDES int __dp2a_lo(short2 a, char4 b, int sum) {
  return sum + a.x * b.x + a.y * b.y;
}
HEDDLE_BOTH_SIDES unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int sum) {
  return sum + a.x * b.x + a.y * b.y;
}
HEDDLE_BOTH_SIDES int __dp2a_hi(short2 a, char4 b, int sum) {
  return sum + a.x * b.z + a.y * b.w;
}
HEDDLE_BOTH_SIDES unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int sum) {
  return sum + a.x * b.z + a.y * b.w;
}

// Three-way minima and maxima, and those of a sum and a number; _relu: not below zero.
#define HEDDLE_EXTREMUM(name, type, word, less)                                                    \
  HEDDLE_BOTH_SIDES type __vi##name##3_##word(type a, type b, type c) {                            \
    const type two = a less b ? a : b;                                                             \
    return two less c ? two : c;                                                                   \
  }                                                                                                \
  HEDDLE_BOTH_SIDES type __viadd##name##_##word(type a, type b, type c) {                          \
    const type sum =                                                                               \
        static_cast<type>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b));            \
    return sum less c ? sum : c;                                                                   \
  }                                                                                                \
  HEDDLE_BOTH_SIDES type __vib##name##_##word(type a, type b, bool* first) {                       \
    *first = !(b less a);                                                                          \
    return *first ? a : b;                                                                         \
  }
HEDDLE_EXTREMUM(max, int, s32, >)
HEDDLE_EXTREMUM(min, int, s32, <)
HEDDLE_EXTREMUM(max, unsigned int, u32, >)
HEDDLE_EXTREMUM(min, unsigned int, u32, <)
#undef HEDDLE_EXTREMUM

#define HEDDLE_RELU(name)                                                                          \
  HEDDLE_BOTH_SIDES int __vi##name##3_s32_relu(int a, int b, int c) {                              \
    const int result = __vi##name##3_s32(a, b, c);                                                 \
    return result < 0 ? 0 : result;                                                                \
  }                                                                                                \
  HEDDLE_BOTH_SIDES int __viadd##name##_s32_relu(int a, int b, int c) {                            \
    const int result = __viadd##name##_s32(a, b, c);                                               \
    return result < 0 ? 0 : result;                                                                \
  }                                                                                                \
  HEDDLE_BOTH_SIDES int __vi##name##_s32_relu(int a, int b) {                                      \
    return __vi##name##3_s32_relu(a, b, b);                                                        \
  }
HEDDLE_RELU(max)
HEDDLE_RELU(min)
#undef HEDDLE_RELU

// The same of two halves. Sums wrap around within their half.
#define HEDDLE_EACH_HALF(name, part, expression)                                                   \
  HEDDLE_BOTH_SIDES unsigned int name(unsigned int x, unsigned int y, unsigned int z) {            \
    unsigned int result = 0;                                                                       \
    for (int place = 0; place < 32; place += 16) {                                                 \
      const int a = static_cast<part>(x >> place), b = static_cast<part>(y >> place);              \
      const int c = static_cast<part>(z >> place);                                                 \
      const int sum = static_cast<part>(a + b);                                                    \
      (void)sum;                                                                                   \
      result |= (static_cast<unsigned int>(expression) & 0xFFFFu) << place;                        \
    }                                                                                              \
    return result;                                                                                 \
  }
#define HEDDLE_HALVES(sign, part)                                                                  \
  HEDDLE_EACH_HALF(__vimax3_##sign##16x2, part, __vimax3_s32(a, b, c))                             \
  HEDDLE_EACH_HALF(__vimin3_##sign##16x2, part, __vimin3_s32(a, b, c))                             \
  HEDDLE_EACH_HALF(__viaddmax_##sign##16x2, part, sum > c ? sum : c)                               \
  HEDDLE_EACH_HALF(__viaddmin_##sign##16x2, part, sum < c ? sum : c)
HEDDLE_HALVES(s, short)
HEDDLE_HALVES(u, unsigned short)
HEDDLE_EACH_HALF(__vimax3_s16x2_relu, short, __vimax3_s32_relu(a, b, c))
HEDDLE_EACH_HALF(__vimin3_s16x2_relu, short, __vimin3_s32_relu(a, b, c))
HEDDLE_EACH_HALF(__viaddmax_s16x2_relu, short, __vimax_s32_relu(sum, c))
HEDDLE_EACH_HALF(__viaddmin_s16x2_relu, short, __vimin_s32_relu(sum, c))
#undef HEDDLE_HALVES
#undef HEDDLE_EACH_HALF
HEDDLE_BOTH_SIDES unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b) {
  return __vimax3_s16x2_relu(a, b, b);
}
HEDDLE_BOTH_SIDES unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b) {
  return __vimin3_s16x2_relu(a, b, b);
}

#define HEDDLE_CHOOSING(name, sign, part, less)                                                    \
  HEDDLE_BOTH_SIDES unsigned int __vib##name##_##sign##16x2(unsigned int a, unsigned int b,        \
                                                            bool* high, bool* low) {               \
    *high = static_cast<part>(a >> 16) less static_cast<part>(b >> 16);                            \
    *low = static_cast<part>(a) less static_cast<part>(b);                                         \
    return ((*high ? a : b) & 0xFFFF0000u) | ((*low ? a : b) & 0xFFFFu);                           \
  }
HEDDLE_CHOOSING(max, s, short, >=)
HEDDLE_CHOOSING(min, s, short, <=)
HEDDLE_CHOOSING(max, u, unsigned short, >=)
HEDDLE_CHOOSING(min, u, unsigned short, <=)
#undef HEDDLE_CHOOSING
#undef HEDDLE_BOTH_SIDES

// Shifts of the 64 bits high:low; a distance is taken modulo 32, or (c) is 32 at most.
#define HEDDLE_FUNNEL(name, expression)                                                            \
  static __inline__ __attribute__((always_inline, device)) unsigned int name(                      \
      unsigned int low, unsigned int high, unsigned int distance) {                                \
    const unsigned long long both = static_cast<unsigned long long>(high) << 32 | low;             \
    const unsigned int capped = distance < 32 ? distance : 32;                                     \
    (void)capped;                                                                                  \
    return static_cast<unsigned int>(expression);                                                  \
  }
HEDDLE_FUNNEL(__funnelshift_l, both << (distance & 31) >> 32)
HEDDLE_FUNNEL(__funnelshift_r, both >> (distance & 31))
HEDDLE_FUNNEL(__funnelshift_lc, both << capped >> 32)
HEDDLE_FUNNEL(__funnelshift_rc, both >> capped)
#undef HEDDLE_FUNNEL

#endif
