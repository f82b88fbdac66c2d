// SPDX-License-Identifier: Apache-2.0
//
// Complex numbers in two floats or doubles. Products and quotients are computed as everyone expects
// them: a quotient is scaled, so that nothing overflows on the way.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_functions.h"
#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// of: the type; suffix: of its functions; real, and what is called for it
#define HEDDLE_COMPLEX(of, suffix, real, absolute, hypotenuse, fused, make)                        \
  static __inline__ __host__ __device__ real cuCreal##suffix(of x) {                               \
    return x.x;                                                                                    \
  }                                                                                                \
  static __inline__ __host__ __device__ real cuCimag##suffix(of x) {                               \
    return x.y;                                                                                    \
  }                                                                                                \
  static __inline__ __host__ __device__ of make(real x, real y) {                                  \
    of result;                                                                                     \
    result.x = x;                                                                                  \
    result.y = y;                                                                                  \
    return result;                                                                                 \
  }                                                                                                \
  static __inline__ __host__ __device__ of cuConj##suffix(of x) {                                  \
    return make(x.x, -x.y);                                                                        \
  }                                                                                                \
  static __inline__ __host__ __device__ of cuCadd##suffix(of x, of y) {                            \
    return make(x.x + y.x, x.y + y.y);                                                             \
  }                                                                                                \
  static __inline__ __host__ __device__ of cuCsub##suffix(of x, of y) {                            \
    return make(x.x - y.x, x.y - y.y);                                                             \
  }                                                                                                \
  static __inline__ __host__ __device__ of cuCmul##suffix(of x, of y) {                            \
    return make(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);                                     \
  }                                                                                                \
  static __inline__ __host__ __device__ of cuCdiv##suffix(of x, of y) {                            \
    const real scale = 1 / (absolute(y.x) + absolute(y.y));                                        \
    const real a = x.x * scale, b = x.y * scale, c = y.x * scale, d = y.y * scale;                 \
    const real inverse = 1 / (c * c + d * d);                                                      \
    return make((a * c + b * d) * inverse, (b * c - a * d) * inverse);                             \
  }                                                                                                \
  static __inline__ __host__ __device__ real cuCabs##suffix(of x) {                                \
    return hypotenuse(x.x, x.y);                                                                   \
  }                                                                                                \
  static __inline__ __host__ __device__ of cuCfma##suffix(of x, of y, of d) {                      \
    return make(fused(-x.y, y.y, fused(x.x, y.x, d.x)), fused(x.y, y.x, fused(x.x, y.y, d.y)));    \
  }
HEDDLE_COMPLEX(cuFloatComplex, f, float, fabsf, hypotf, fmaf, make_cuFloatComplex)
HEDDLE_COMPLEX(cuDoubleComplex, , double, fabs, hypot, fma, make_cuDoubleComplex)
#undef HEDDLE_COMPLEX

static __inline__ __host__ __device__ cuComplex make_cuComplex(float x, float y) {
  return make_cuFloatComplex(x, y);
}
static __inline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x) {
  return make_cuDoubleComplex(x.x, x.y);
}
static __inline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x) {
  return make_cuFloatComplex((float)x.x, (float)x.y);
}

#endif
