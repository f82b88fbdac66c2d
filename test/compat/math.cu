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
       int(__double2ll_rn(2.5)) + int(__longlong_as_double(w)) + __funnelshift_l(u, u, 3) +
       __dp4a(x, x, 1) + __dp4a(u, u, 1u);
}

// Parts of words and funnel shifts: clang's headers have them as inline PTX, which no CPU runs.
// CHECK-NOT: call {{.*}} asm
extern "C" __global__ void parts(unsigned* o, int x, unsigned u, unsigned w) {
  bool first, second;
  *o = __vadd2(u, w) + __vsub4(u, w) + __vabsdiffu4(u, w) + __vcmpgts2(u, w) + __vsetleu4(u, w) +
       __vmaxs4(u, w) + __vsadu4(u, w) + __vneg2(u) + __vavgs2(u, w) + __vhaddu4(u, w) +
       __dp4a(u, w, u) + __dp2a_lo(x, x, x) + __dp4a(char4{1, 2, 3, 4}, char4{1, 2, 3, 4}, x) +
       __viaddmax_s32(x, x, x) + __vimax3_u16x2(u, w, u) + __vibmin_s32(x, 3, &first) +
       __vibmax_u16x2(u, w, &first, &second) + __funnelshift_r(u, w, 3) + __funnelshift_lc(u, w, x);
}

// Results through pointers are defined in our header; the module calls functions with one result.
// CHECK-NOT: declare {{.*}}@__nv_sincos
// CHECK-NOT: declare {{.*}}@__nv_frexp
extern "C" __global__ void pointers(double* d, float* f, int* i) {
  sincos(d[0], d + 1, d + 2);
  sincosf(f[0], f + 1, f + 2);
  sincospi(d[0], d + 3, d + 4);
  __sincosf(f[0], f + 3, f + 4);
  d[5] = frexp(d[0], i) + modf(d[1], d + 6) + remquo(d[0], d[1], i + 1) + norm(3, d) + nan("");
  f[5] = frexpf(f[0], i) + modff(f[1], f + 6) + remquof(f[0], f[1], i + 1) + rnormf(3, f) + nanf("");
  f[7] = j0(f[0]) + yn(2, f[0]) + cyl_bessel_i0(f[0]) + erfcinv(f[0]) + __tanhf(f[0]);
}
