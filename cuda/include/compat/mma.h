// SPDX-License-Identifier: Apache-2.0
//
// Products of small matrices by a warp: nvcuda::wmma over PTX's wmma instructions. A fragment is a
// lane's part of a matrix; its registers are what PTX says they are. The tables at the end of each
// part have a row for each shape and type.
#ifndef __CUDA_MMA_H__
#define __CUDA_MMA_H__

#if defined(__cplusplus) && defined(__CUDA__)

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
}
namespace heddle {

#define HEDDLE_WMMA static __inline__ __attribute__((always_inline, device))

// Elements as the program sees them, in registers of a type of PTX's.
template <class T, class Register, int Registers> struct Part {
  static constexpr int num_elements = Registers * sizeof(Register) / sizeof(T);
  static constexpr int num_storage_elements = num_elements;
  typedef T element_type;
  typedef T storage_element_type;
  union {
    T x[num_elements];
    Register heddle_registers[Registers];
  };
  __device__ Part() {}
};

} // namespace heddle

template <class Use, int M, int N, int K, class T, class Layout = void> struct fragment;

#define HEDDLE_FRAGMENT(use, m, n, k, name, type, word, count)                                     \
  template <class Layout>                                                                          \
  struct fragment<use, m, n, k, name, Layout> : heddle::Part<type, word, count> {};
#define HEDDLE_FRAGMENTS(m, n, k, bfloatA, bfloatB, byteA, byteB)                                  \
  HEDDLE_FRAGMENT(matrix_a, m, n, k, __half, __half, unsigned, 8)                                  \
  HEDDLE_FRAGMENT(matrix_b, m, n, k, __half, __half, unsigned, 8)                                  \
  HEDDLE_FRAGMENT(matrix_a, m, n, k, __nv_bfloat16, __nv_bfloat16, unsigned, bfloatA)              \
  HEDDLE_FRAGMENT(matrix_b, m, n, k, __nv_bfloat16, __nv_bfloat16, unsigned, bfloatB)              \
  HEDDLE_FRAGMENT(matrix_a, m, n, k, signed char, signed char, unsigned, byteA)                    \
  HEDDLE_FRAGMENT(matrix_b, m, n, k, signed char, signed char, unsigned, byteB)                    \
  HEDDLE_FRAGMENT(matrix_a, m, n, k, unsigned char, unsigned char, unsigned, byteA)                \
  HEDDLE_FRAGMENT(matrix_b, m, n, k, unsigned char, unsigned char, unsigned, byteB)                \
  HEDDLE_FRAGMENT(accumulator, m, n, k, __half, __half, unsigned, 4)                               \
  HEDDLE_FRAGMENT(accumulator, m, n, k, float, float, float, 8)                                    \
  HEDDLE_FRAGMENT(accumulator, m, n, k, int, int, int, 8)
HEDDLE_FRAGMENTS(16, 16, 16, 4, 4, 2, 2)
HEDDLE_FRAGMENTS(32, 8, 16, 8, 2, 4, 1)
HEDDLE_FRAGMENTS(8, 32, 16, 2, 8, 1, 4)
HEDDLE_FRAGMENT(matrix_a, 16, 16, 8, precision::tf32, float, unsigned, 4)
HEDDLE_FRAGMENT(matrix_b, 16, 16, 8, precision::tf32, float, unsigned, 4)
HEDDLE_FRAGMENT(accumulator, 16, 16, 8, float, float, float, 8)
HEDDLE_FRAGMENT(matrix_a, 8, 8, 4, double, double, double, 1)
HEDDLE_FRAGMENT(matrix_b, 8, 8, 4, double, double, double, 1)
HEDDLE_FRAGMENT(accumulator, 8, 8, 4, double, double, double, 2)
#undef HEDDLE_FRAGMENTS
#undef HEDDLE_FRAGMENT

template <class T, class Register, int Registers, class Value>
HEDDLE_WMMA void fill_fragment(heddle::Part<T, Register, Registers>& part, const Value& value) {
#pragma unroll
  for (int i = 0; i < heddle::Part<T, Register, Registers>::num_elements; ++i)
    part.x[i] = value;
}

// A number with the ten bits that tensor cores read.
HEDDLE_WMMA float __float_to_tf32(float value) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
}

// A fragment's registers: the list in PTX, and the operands by the names there.
#define HEDDLE_LIST1(n) "{%[" #n "0]}"
#define HEDDLE_LIST2(n) "{%[" #n "0],%[" #n "1]}"
#define HEDDLE_LIST4(n) "{%[" #n "0],%[" #n "1],%[" #n "2],%[" #n "3]}"
#define HEDDLE_LIST8(n)                                                                            \
  "{%[" #n "0],%[" #n "1],%[" #n "2],%[" #n "3],%[" #n "4],%[" #n "5],%[" #n "6],%[" #n "7]}"
#define HEDDLE_GIVE1(n, how) [n##0] how(n.heddle_registers[0])
#define HEDDLE_GIVE2(n, how) HEDDLE_GIVE1(n, how), [n##1] how(n.heddle_registers[1])
#define HEDDLE_GIVE4(n, how)                                                                       \
  HEDDLE_GIVE2(n, how), [n##2] how(n.heddle_registers[2]), [n##3] how(n.heddle_registers[3])
#define HEDDLE_GIVE8(n, how)                                                                       \
  HEDDLE_GIVE4(n, how), [n##4] how(n.heddle_registers[4]), [n##5] how(n.heddle_registers[5]),      \
      [n##6] how(n.heddle_registers[6]), [n##7] how(n.heddle_registers[7])

// Loads and stores. The stride is in elements.
#define HEDDLE_LOAD_TEXT(letter, word, m, n, k, ptx, count, how)                                   \
  asm volatile("wmma.load." letter ".sync.aligned." word ".m" #m "n" #n "k" #k "." ptx             \
               " " HEDDLE_LIST##count(d) ", [%[at]], %[stride];"                                   \
               : HEDDLE_GIVE##count(d, "=" how)                                                    \
               : [at] "l"(at), [stride] "r"(stride)                                                \
               : "memory")
#define HEDDLE_LOAD_AS(use, letter, m, n, k, name, type, ptx, count, how, layout, word)            \
  HEDDLE_WMMA void load_matrix_sync(fragment<use, m, n, k, name, layout>& d, const type* at,       \
                                    unsigned stride) {                                             \
    HEDDLE_LOAD_TEXT(letter, word, m, n, k, ptx, count, how);                                      \
  }
#define HEDDLE_LOAD(use, letter, m, n, k, name, type, ptx, count, how)                             \
  HEDDLE_LOAD_AS(use, letter, m, n, k, name, type, ptx, count, how, row_major, "row")              \
  HEDDLE_LOAD_AS(use, letter, m, n, k, name, type, ptx, count, how, col_major, "col")
#define HEDDLE_STORE_TEXT(word, m, n, k, ptx, count, how)                                          \
  asm volatile("wmma.store.d.sync.aligned." word ".m" #m "n" #n "k" #k "." ptx                     \
               " [%[at]], " HEDDLE_LIST##count(d) ", %[stride];"                                   \
               :                                                                                   \
               : HEDDLE_GIVE##count(d, how), [at] "l"(at), [stride] "r"(stride)                    \
               : "memory")
#define HEDDLE_SUMS(m, n, k, type, ptx, count, how)                                                \
  HEDDLE_WMMA void load_matrix_sync(fragment<accumulator, m, n, k, type>& d, const type* at,       \
                                    unsigned stride, layout_t layout) {                            \
    if (layout == mem_row_major)                                                                   \
      HEDDLE_LOAD_TEXT("c", "row", m, n, k, ptx, count, how);                                      \
    else                                                                                           \
      HEDDLE_LOAD_TEXT("c", "col", m, n, k, ptx, count, how);                                      \
  }                                                                                                \
  HEDDLE_WMMA void store_matrix_sync(type* at, const fragment<accumulator, m, n, k, type>& d,      \
                                     unsigned stride, layout_t layout) {                           \
    if (layout == mem_row_major)                                                                   \
      HEDDLE_STORE_TEXT("row", m, n, k, ptx, count, how);                                          \
    else                                                                                           \
      HEDDLE_STORE_TEXT("col", m, n, k, ptx, count, how);                                          \
  }
#define HEDDLE_LOADS(m, n, k, bfloatA, bfloatB, byteA, byteB)                                      \
  HEDDLE_LOAD(matrix_a, "a", m, n, k, __half, __half, "f16", 8, "r")                               \
  HEDDLE_LOAD(matrix_b, "b", m, n, k, __half, __half, "f16", 8, "r")                               \
  HEDDLE_LOAD(matrix_a, "a", m, n, k, __nv_bfloat16, __nv_bfloat16, "bf16", bfloatA, "r")          \
  HEDDLE_LOAD(matrix_b, "b", m, n, k, __nv_bfloat16, __nv_bfloat16, "bf16", bfloatB, "r")          \
  HEDDLE_LOAD(matrix_a, "a", m, n, k, signed char, signed char, "s8", byteA, "r")                  \
  HEDDLE_LOAD(matrix_b, "b", m, n, k, signed char, signed char, "s8", byteB, "r")                  \
  HEDDLE_LOAD(matrix_a, "a", m, n, k, unsigned char, unsigned char, "u8", byteA, "r")              \
  HEDDLE_LOAD(matrix_b, "b", m, n, k, unsigned char, unsigned char, "u8", byteB, "r")              \
  HEDDLE_SUMS(m, n, k, __half, "f16", 4, "r")                                                      \
  HEDDLE_SUMS(m, n, k, float, "f32", 8, "f")                                                       \
  HEDDLE_SUMS(m, n, k, int, "s32", 8, "r")
HEDDLE_LOADS(16, 16, 16, 4, 4, 2, 2)
HEDDLE_LOADS(32, 8, 16, 8, 2, 4, 1)
HEDDLE_LOADS(8, 32, 16, 2, 8, 1, 4)
HEDDLE_LOAD(matrix_a, "a", 16, 16, 8, precision::tf32, float, "tf32", 4, "r")
HEDDLE_LOAD(matrix_b, "b", 16, 16, 8, precision::tf32, float, "tf32", 4, "r")
HEDDLE_SUMS(16, 16, 8, float, "f32", 8, "f")
HEDDLE_LOAD(matrix_a, "a", 8, 8, 4, double, double, "f64", 1, "d")
HEDDLE_LOAD(matrix_b, "b", 8, 8, 4, double, double, "f64", 1, "d")
HEDDLE_SUMS(8, 8, 4, double, "f64", 2, "d")
#undef HEDDLE_LOADS
#undef HEDDLE_SUMS
#undef HEDDLE_STORE_TEXT
#undef HEDDLE_LOAD
#undef HEDDLE_LOAD_AS
#undef HEDDLE_LOAD_TEXT

// d = a * b + c. The types in PTX are those of d, a, b and c; for half, of d and c.
#define HEDDLE_TEXT(words, m, n, k, types, countA, countB, countC, countD, howA, howC, howD)       \
  asm volatile("wmma.mma.sync.aligned." words ".m" #m "n" #n "k" #k "." types                      \
               " " HEDDLE_LIST##countD(d) ", " HEDDLE_LIST##countA(a) ", " HEDDLE_LIST##countB(    \
                   b) ", " HEDDLE_LIST##countC(c) ";"                                              \
               : HEDDLE_GIVE##countD(d, "=" howD)                                                  \
               : HEDDLE_GIVE##countA(a, howA), HEDDLE_GIVE##countB(b, howA),                       \
                 HEDDLE_GIVE##countC(c, howC))
#define HEDDLE_MULTIPLY_AS(layoutA, layoutB, words, m, n, k, name, types, countA, countB, howA,    \
                           typeC, countC, howC, typeD, countD, howD)                               \
  HEDDLE_WMMA void mma_sync(fragment<accumulator, m, n, k, typeD>& d,                              \
                            const fragment<matrix_a, m, n, k, name, layoutA>& a,                   \
                            const fragment<matrix_b, m, n, k, name, layoutB>& b,                   \
                            const fragment<accumulator, m, n, k, typeC>& c) {                      \
    HEDDLE_TEXT(words, m, n, k, types, countA, countB, countC, countD, howA, howC, howD);          \
  }
#define HEDDLE_MULTIPLY(...)                                                                       \
  HEDDLE_MULTIPLY_AS(row_major, row_major, "row.row", __VA_ARGS__)                                 \
  HEDDLE_MULTIPLY_AS(row_major, col_major, "row.col", __VA_ARGS__)                                 \
  HEDDLE_MULTIPLY_AS(col_major, row_major, "col.row", __VA_ARGS__)                                 \
  HEDDLE_MULTIPLY_AS(col_major, col_major, "col.col", __VA_ARGS__)
#define HEDDLE_BYTES_AS(layoutA, layoutB, words, m, n, k, name, types, countA, countB)             \
  HEDDLE_WMMA void mma_sync(fragment<accumulator, m, n, k, int>& d,                                \
                            const fragment<matrix_a, m, n, k, name, layoutA>& a,                   \
                            const fragment<matrix_b, m, n, k, name, layoutB>& b,                   \
                            const fragment<accumulator, m, n, k, int>& c, bool stays = false) {    \
    if (stays)                                                                                     \
      HEDDLE_TEXT(words, m, n, k, types ".satfinite", countA, countB, 8, 8, "r", "r", "r");        \
    else                                                                                           \
      HEDDLE_TEXT(words, m, n, k, types, countA, countB, 8, 8, "r", "r", "r");                     \
  }
#define HEDDLE_BYTES(...)                                                                          \
  HEDDLE_BYTES_AS(row_major, row_major, "row.row", __VA_ARGS__)                                    \
  HEDDLE_BYTES_AS(row_major, col_major, "row.col", __VA_ARGS__)                                    \
  HEDDLE_BYTES_AS(col_major, row_major, "col.row", __VA_ARGS__)                                    \
  HEDDLE_BYTES_AS(col_major, col_major, "col.col", __VA_ARGS__)
#define HEDDLE_PRODUCTS(m, n, k, bfloatA, bfloatB, byteA, byteB)                                   \
  HEDDLE_MULTIPLY(m, n, k, __half, "f16.f16", 8, 8, "r", __half, 4, "r", __half, 4, "r")           \
  HEDDLE_MULTIPLY(m, n, k, __half, "f32.f32", 8, 8, "r", float, 8, "f", float, 8, "f")             \
  HEDDLE_MULTIPLY(m, n, k, __half, "f32.f16", 8, 8, "r", __half, 4, "r", float, 8, "f")            \
  HEDDLE_MULTIPLY(m, n, k, __half, "f16.f32", 8, 8, "r", float, 8, "f", __half, 4, "r")            \
  HEDDLE_MULTIPLY(m, n, k, __nv_bfloat16, "f32.bf16.bf16.f32", bfloatA, bfloatB, "r", float, 8,    \
                  "f", float, 8, "f")                                                              \
  HEDDLE_BYTES(m, n, k, signed char, "s32.s8.s8.s32", byteA, byteB)                                \
  HEDDLE_BYTES(m, n, k, unsigned char, "s32.u8.u8.s32", byteA, byteB)
HEDDLE_PRODUCTS(16, 16, 16, 4, 4, 2, 2)
HEDDLE_PRODUCTS(32, 8, 16, 8, 2, 4, 1)
HEDDLE_PRODUCTS(8, 32, 16, 2, 8, 1, 4)
HEDDLE_MULTIPLY(16, 16, 8, precision::tf32, "f32.tf32.tf32.f32", 4, 4, "r", float, 8, "f", float, 8,
                "f")
HEDDLE_MULTIPLY(8, 8, 4, double, "f64.f64.f64.f64", 1, 1, "d", double, 2, "d", double, 2, "d")
#undef HEDDLE_PRODUCTS
#undef HEDDLE_BYTES
#undef HEDDLE_BYTES_AS
#undef HEDDLE_MULTIPLY
#undef HEDDLE_MULTIPLY_AS
#undef HEDDLE_TEXT
#undef HEDDLE_LIST1
#undef HEDDLE_LIST2
#undef HEDDLE_LIST4
#undef HEDDLE_LIST8
#undef HEDDLE_GIVE1
#undef HEDDLE_GIVE2
#undef HEDDLE_GIVE4
#undef HEDDLE_GIVE8
#undef HEDDLE_WMMA

} // namespace wmma
} // namespace nvcuda

#endif
#endif
