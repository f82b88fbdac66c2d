// The single- and double-precision math library, in C's spelling, in C++'s, and mixed. Everything must end
// in a libdevice function or an intrinsic: a name that only the toolkit defines would stay behind.
#include <cmath>
#include <cuda_runtime.h>

// CHECK: __nv_sinf
extern "C" __global__ void single(float* o, float x, float y, int n) {
  *o = sinf(x) + cosf(x) + tanf(x) + asinf(x) + acosf(x) + atanf(x) + atan2f(x, y) + sinhf(x) +
       coshf(x) + tanhf(x) + expf(x) + exp2f(x) + exp10f(x) + expm1f(x) + logf(x) + log2f(x) +
       log10f(x) + log1pf(x) + powf(x, y) + sqrtf(x) + rsqrtf(x) + cbrtf(x) + hypotf(x, y) +
       floorf(x) + ceilf(x) + truncf(x) + roundf(x) + rintf(x) + fabsf(x) + fmodf(x, y) +
       fminf(x, y) + fmaxf(x, y) + fmaf(x, y, x) + copysignf(x, y) + erff(x) + erfcf(x) +
       tgammaf(x) + lgammaf(x) + ldexpf(x, n) + normcdff(x) + __expf(x) + __sinf(x) + __cosf(x) +
       __logf(x) + __powf(x, y) + __fdividef(x, y) + __frcp_rn(x) + __fsqrt_rn(x) + __saturatef(x);
}

extern "C" __global__ void doubles(double* o, double x, double y) {
  *o = sin(x) + cos(x) + tan(x) + exp(x) + log(x) + pow(x, y) + sqrt(x) + rsqrt(x) + cbrt(x) +
       floor(x) + ceil(x) + trunc(x) + round(x) + fabs(x) + fmod(x, y) + fmin(x, y) + fmax(x, y) +
       fma(x, y, x) + erf(x) + erfc(x) + tgamma(x) + lgamma(x) + atan2(x, y) + hypot(x, y) +
       normcdf(x) + __dadd_rn(x, y) + __dmul_rn(x, y);
}

// Overloads for float under the plain names: declared by clang, defined by the toolkit, so by us.
extern "C" __global__ void overloads(float* o, double* d, float x, float y, int i, unsigned u, long long l) {
  float s, c;
  sincos(x, &s, &c);
  *o = fmax(x, y) + fmin(x, y) + trunc(x) + log2(x) + fma(x, y, x) + erf(x) + round(x) + rsqrt(x) +
       normcdf(x) + sin(x) + pow(x, y) + abs(x) + std::abs(x) + std::sqrt(x) + std::max(x, y) + s + c +
       cbrt(x) + hypot(x, y) + exp2(x) + log1p(x) + tgamma(x) + copysign(x, y) + pow(x, i);
  *d = max(x, 1.0) + min(2.0, x) + max(i, 3) + max(u, 3u) + max(i, u) + min(l, 3ll) + abs(i) + abs(l) +
       sqrt(double(i)) + isnan(x) + isinf(x) + std::isfinite(x) + signbit(x);
}

extern "C" __global__ void integers(int* o, int x, unsigned u, unsigned long long w) {
  *o = __popc(u) + __popcll(w) + __clz(x) + __clzll(w) + __ffs(x) + __ffsll(w) + __brev(u) +
       __mul24(x, x) + __mulhi(x, x) + __umulhi(u, u) + __byte_perm(u, u, 0x3210) + __sad(x, x, u) +
       __float_as_int(1.5f) + __float2int_rn(1.5f) + int(__int_as_float(x)) + __hadd(x, x) +
       int(__double2ll_rn(2.5)) + int(__longlong_as_double(w)) + __funnelshift_l(u, u, 3);
}
