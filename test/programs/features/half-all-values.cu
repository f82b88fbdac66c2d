// SPDX-License-Identifier: Apache-2.0
// All 65536 halves and bfloat16 numbers through every function of one number, against a double
// that is rounded once, and through all conversions.
#include <climits>
#include <cstring>

#include "../check.h"
#include "../small_floats.h"

constexpr int numbers = 65536;

#define FUNCTIONS(apply)                                                                           \
  apply(hsqrt) apply(hrsqrt) apply(hrcp) apply(hexp) apply(hexp2) apply(hexp10) apply(hlog)        \
      apply(hlog2) apply(hlog10) apply(hsin) apply(hcos) apply(htanh) apply(hfloor) apply(hceil)   \
          apply(htrunc) apply(hrint) apply(__hneg) apply(__habs)

#define COUNT(name) +1
constexpr int functions = FUNCTIONS(COUNT);

template <class F> __global__ void unary(unsigned short* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const typename F::Number x = made(F(), i);
#define APPLY(name)                                                                                \
  *out_ = raw(name(x));                                                                            \
  out_ += numbers;
  unsigned short* out_ = out + i;
  FUNCTIONS(APPLY)
}

struct Expected {
  const char* name;
  double (*of)(double);
  int near; // numbers that the result may be away
};
const Expected expected[functions] = {
    {"hsqrt", [](double x) { return std::sqrt(x); }, 0},
    {"hrsqrt", [](double x) { return 1 / std::sqrt(x); }, 1},
    {"hrcp", [](double x) { return 1 / x; }, 0},
    {"hexp", [](double x) { return std::exp(x); }, 1},
    {"hexp2", [](double x) { return std::exp2(x); }, 1},
    {"hexp10", [](double x) { return std::pow(10, x); }, 1},
    {"hlog", [](double x) { return std::log(x); }, 1},
    {"hlog2", [](double x) { return std::log2(x); }, 1},
    {"hlog10", [](double x) { return std::log10(x); }, 1},
    {"hsin", [](double x) { return std::sin(x); }, 1},
    {"hcos", [](double x) { return std::cos(x); }, 1},
    {"htanh", [](double x) { return std::tanh(x); }, 1},
    {"hfloor", [](double x) { return std::floor(x); }, 0},
    {"hceil", [](double x) { return std::ceil(x); }, 0},
    {"htrunc", [](double x) { return std::trunc(x); }, 0},
    {"hrint", [](double x) { return std::nearbyint(x); }, 0},
    {"__hneg", [](double x) { return -x; }, 0},
    {"__habs", [](double x) { return std::fabs(x); }, 0},
};

// bfloat16 has a float's exponents: a device may take its subnormal numbers for 0, and finds the
// sine of large ones badly.
template <class F> bool isFair(int function, double x, double y) {
  const double smallest = std::ldexp(1.0, -126);
  return F::isHalf || function >= 12 || std::isnan(x) ||
         (std::fabs(x) >= smallest && std::fabs(y) >= smallest && std::fabs(y) < INFINITY &&
          (std::fabs(x) < 100000 || (function != 9 && function != 10)));
}

template <class F> void checkUnary() {
  DeviceArray<unsigned short> out(functions * numbers);
  unary<F><<<numbers / 256, 256>>>(out);
  CHECK_LAUNCH();
  const std::vector<unsigned short> got = out.read();
  for (int f = 0; f < functions; ++f)
    for (int i = 0; i < numbers; ++i) {
      const double x = valueOf<F>(i), y = expected[f].of(x);
      const unsigned short is = got[f * numbers + i], want = bitsOf<F>(y);
      if (!isFair<F>(f, x, y) || (f >= 16 && std::isnan(x)))
        continue;
      if (distance(is, want) > expected[f].near)
        report<unsigned>(std::string(expected[f].name) + "(" + text(i) + ")", is, want);
    }
}

#define INTEGERS(apply)                                                                            \
  apply(short, short) apply(ushort, unsigned short) apply(int, int) apply(uint, unsigned)          \
      apply(ll, long long) apply(ull, unsigned long long)

template <class T> T saturated(double value, Way way) {
  if (std::isnan(value))
    return sizeof(T) == 8 ? T(1ull << 63) : T(0);
  const double whole = wholeOf(value, way);
  const double top = std::ldexp(1.0, sizeof(T) * 8 - std::is_signed_v<T>);
  if (whole >= top)
    return std::numeric_limits<T>::max();
  return whole <= (std::is_signed_v<T> ? -top : 0) ? std::numeric_limits<T>::min() : T(whole);
}

// One number of the format to all integers, and integers and floats to the format.
#define TO_INTEGERS(word, type, format)                                                            \
  *to++ = (long long)__##format##2##word##_rn(x);                                                  \
  *to++ = (long long)__##format##2##word##_rz(x);                                                  \
  *to++ = (long long)__##format##2##word##_ru(x);                                                  \
  *to++ = (long long)__##format##2##word##_rd(x);
#define TO_INTEGERS_OF_HALF(word, type) TO_INTEGERS(word, type, half)
#define TO_INTEGERS_OF_BFLOAT(word, type) TO_INTEGERS(word, type, bfloat16)
__host__ __device__ void toIntegers(__half x, long long* to) {
#ifdef __CUDA_ARCH__ // most of them are the device's
  INTEGERS(TO_INTEGERS_OF_HALF)
#endif
  *to++ = (signed char)x;
  *to++ = (unsigned char)x;
}
__host__ __device__ void toIntegers(__nv_bfloat16 x, long long* to) {
#ifdef __CUDA_ARCH__
  INTEGERS(TO_INTEGERS_OF_BFLOAT)
#endif
  *to++ = (signed char)x;
  *to++ = (unsigned char)x;
}
template <class F> __global__ void integers(long long* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  toIntegers(made(F(), i), out + i * 26);
}
template <class T> void expectWhole(const char* type, int i, double value, const long long* got) {
  for (const Way way : {Way::Nearest, Way::TowardZero, Way::Up, Way::Down})
    expectEqual<T>(std::string(type) + " of " + text(i), T(got[int(way)]),
                   saturated<T>(value, way));
}
template <class F> void checkIntegers() {
  DeviceArray<long long> out(numbers * 26);
  integers<F><<<numbers / 256, 256>>>(out);
  CHECK_LAUNCH();
  const std::vector<long long> got = out.read();
  for (int i = 0; i < numbers; ++i) {
    const double value = valueOf<F>(i);
    const long long* row = &got[i * 26];
#define EXPECT_WHOLE(word, type)                                                                   \
  expectWhole<type>(#type, i, value, row);                                                         \
  row += 4;
    INTEGERS(EXPECT_WHOLE)
    expectEqual<int>("signed char of " + text(i), row[0],
                     saturated<signed char>(value, Way::TowardZero));
    expectEqual<int>("unsigned char of " + text(i), row[1],
                     saturated<unsigned char>(value, Way::TowardZero));
    long long host[2];
    toIntegers(made(F(), i), host);
    expectEqual<long long>("the host's signed char of " + text(i), host[0], row[0]);
    expectEqual<long long>("the host's unsigned char of " + text(i), host[1], row[1]);
  }
}

// Floats around every number of the format and around the middle between two of them.
template <class F> float probe(int i) {
  const double low = valueOf<F>((i >> 2) & 0xffff);
  const double high = valueOf<F>(((i >> 2) + 1) & 0xffff);
  const double middle = (low + high) / 2;
  return (i & 3) == 0   ? low
         : (i & 3) == 1 ? middle
         : (i & 3) == 2 ? std::nextafterf(middle, INFINITY)
                        : std::nextafterf(middle, -INFINITY);
}
__host__ __device__ void fromFloat(HalfFormat, float x, unsigned short* to) {
  to[0] = raw(__float2half_rn(x));
  to[1] = raw(__float2half_rz(x));
  to[2] = raw(__float2half_ru(x));
  to[3] = raw(__float2half_rd(x));
  to[4] = raw(__double2half(x * 1.0000000001));
}
__host__ __device__ void fromFloat(BfloatFormat, float x, unsigned short* to) {
  to[0] = raw(__float2bfloat16_rn(x));
  to[1] = raw(__float2bfloat16_rz(x));
  to[2] = raw(__float2bfloat16_ru(x));
  to[3] = raw(__float2bfloat16_rd(x));
  to[4] = raw(__double2bfloat16(x * 1.0000000001));
}
template <class F> __global__ void floats(const float* in, unsigned short* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  fromFloat(F(), in[i], out + i * 5);
}
// A GPU keeps of a double's NaN what fits, and says that it is quiet.
template <class F> unsigned short nanOf(double nan) {
  unsigned long long bits;
  memcpy(&bits, &nan, sizeof bits);
  const unsigned fraction = (bits >> (52 - F::digits)) & ((1 << F::digits) - 1);
  return (bits >> 48 & 0x8000) | (0x7fff >> F::digits << F::digits) | fraction | 1 << (F::digits - 1);
}
template <class F> void checkFloats() {
  std::vector<float> in(4 * numbers);
  for (int i = 0; i < 4 * numbers; ++i)
    in[i] = probe<F>(i);
  DeviceArray<float> source(in);
  DeviceArray<unsigned short> out(5 * in.size());
  floats<F><<<in.size() / 256, 256>>>(source, out);
  CHECK_LAUNCH();
  const std::vector<unsigned short> got = out.read();
  for (size_t i = 0; i < in.size(); ++i) {
    unsigned short host[5];
    fromFloat(F(), in[i], host);
    for (int way = 0; way < 5; ++way) {
      const unsigned short want =
          way < 4 ? bitsOf<F>(in[i], Way(way)) : bitsOf<F>(in[i] * 1.0000000001);
      const std::string what = "way " + text(way) + " of " + text(in[i]);
      const bool isNan = way == 4 && std::isnan(in[i]);
      expectEqual<unsigned>(what, got[5 * i + way], isNan ? nanOf<F>(in[i] * 1.0000000001) : want);
      expectEqual<unsigned>(what + " on the host", host[way], want);
    }
  }
}

template <class F> __global__ void widen(float* out, bool* isNan) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = made(F(), i);
  isNan[i] = __hisnan(made(F(), i));
}
template <class F> void checkWidening() {
  DeviceArray<float> out(numbers);
  DeviceArray<bool> isNan(numbers);
  widen<F><<<numbers / 256, 256>>>(out, isNan);
  CHECK_LAUNCH();
  std::vector<float> got = out.read();
  std::vector<char> nan(numbers);
  CHECK_CUDA(cudaMemcpy(nan.data(), isNan, numbers, cudaMemcpyDeviceToHost));
  for (int i = 0; i < numbers; ++i) {
    const double want = valueOf<F>(i);
    expectNear("float of " + text(i), got[i], want, 0);
    expectNear("the host's float of " + text(i), float(made(F(), i)), want, 0);
    expectEqual<int>("isnan of " + text(i), nan[i], std::isnan(want));
    expectTrue("the host's NaN", __hisnan(made(F(), i)) == std::isnan(want));
    expectTrue("infinity", (__hisinf(made(F(), i)) != 0) == std::isinf(want));
  }
}

template <class F> void check() {
  checkUnary<F>();
  checkIntegers<F>();
  checkFloats<F>();
  checkWidening<F>();
}

int main() {
  check<HalfFormat>();
  check<BfloatFormat>();
  return finish();
}
