// SPDX-License-Identifier: Apache-2.0
//
// Integers by 128-bit arithmetic and loops over bits, conversions in long double, rounding modes by
// the processor's own.
#include "MathReference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <utility>

namespace heddle::engine {
namespace {

using Int128 = __int128;

template <class T> constexpr Kind kindOf() {
  if constexpr (std::is_same_v<T, float>)
    return Kind::Float;
  else if constexpr (std::is_same_v<T, double>)
    return Kind::Double;
  else if constexpr (sizeof(T) == 2)
    return std::is_signed_v<T> ? Kind::Int16 : Kind::UInt16;
  else if constexpr (sizeof(T) == 4)
    return std::is_signed_v<T> ? Kind::Int32 : Kind::UInt32;
  else
    return std::is_signed_v<T> ? Kind::Int64 : Kind::UInt64;
}

class Table {
public:
  template <class Result, class... Operands>
  void add(std::initializer_list<const char*> names, std::function<Result(Operands...)> function,
           std::uint64_t ulps = 0) {
    Reference reference{{kindOf<Operands>()...}, kindOf<Result>(), ulps, {}};
    reference.call = [function](const Tuple& tuple) {
      return [&]<std::size_t... index>(std::index_sequence<index...>) {
        return toBits<Result>(function(fromBits<Operands>(tuple[index])...));
      }(std::index_sequence_for<Operands...>());
    };
    for (const char* name : names)
      references.emplace(name, reference);
  }

  template <class Signature> struct Adder;
  template <class Result, class... Operands> struct Adder<Result(Operands...)> {
    Table& table;
    template <class Function>
    void operator()(std::initializer_list<const char*> names, Function function,
                    std::uint64_t ulps = 0) {
      table.add(names, std::function<Result(Operands...)>(function), ulps);
    }
    /// A function with the rounding mode as its last parameter, under the names of all modes.
    template <class Function>
    void modes(const std::string& libdevice, const std::string& nvvm, const std::string& suffix,
               Function function) {
      const std::tuple<int, const char*, const char*> all[] = {{FE_TONEAREST, "rn", "rn"},
                                                               {FE_TOWARDZERO, "rz", "rz"},
                                                               {FE_DOWNWARD, "rd", "rm"},
                                                               {FE_UPWARD, "ru", "rp"}};
      for (const auto& [mode, ours, theirs] : all) {
        const std::function<Result(Operands...)> bound = [function, mode](Operands... operands) {
          return function(operands..., mode);
        };
        const std::string first = libdevice + ours, second = nvvm + theirs + suffix;
        if (!libdevice.empty())
          table.add({first.c_str()}, bound);
        if (!nvvm.empty())
          table.add({second.c_str()}, bound);
      }
    }
  };
  template <class Signature> Adder<Signature> of() { return {*this}; }

  std::map<std::string, Reference> references;
};

/// Runs an operation in a rounding mode; its operands must come from volatile variables.
template <class Operation> auto inMode(int mode, Operation operation) {
  const int before = std::fegetround();
  std::fesetround(mode);
  volatile auto result = operation();
  std::fesetround(before);
  return result;
}

template <class Integer, class Number> Integer toInteger(Number x, int mode) {
  using Limits = std::numeric_limits<Integer>;
  if (std::isnan(x))
    return sizeof(Integer) == 4 && sizeof(Number) == 4
               ? Integer(0)
               : Integer(std::uint64_t(1) << (8 * sizeof(Integer) - 1));
  const long double wide = x;
  const long double rounded = mode == FE_TONEAREST    ? std::nearbyint(wide)
                              : mode == FE_TOWARDZERO ? std::trunc(wide)
                              : mode == FE_DOWNWARD   ? std::floor(wide)
                                                      : std::ceil(wide);
  if (rounded <= static_cast<long double>(Limits::min()))
    return Limits::min();
  return rounded >= static_cast<long double>(Limits::max()) ? Limits::max() : Integer(rounded);
}

template <class Number, class Integer> Number fromInteger(Integer x, int mode) {
  volatile Integer operand = x;
  return inMode(mode, [&] { return static_cast<Number>(operand); });
}

template <class Number, class Integer>
void addConversions(Table& table, const char* to, const char* from, const char* toNvvm,
                    const char* fromNvvm) {
  table.of<Integer(Number)>().modes(to, toNvvm, "", toInteger<Integer, Number>);
  table.of<Number(Integer)>().modes(from, fromNvvm, "", fromInteger<Number, Integer>);
}

void addConversions(Table& table) {
  using I = std::int32_t;
  using U = std::uint32_t;
  using L = std::int64_t;
  using Q = std::uint64_t;
  addConversions<float, I>(table, "__nv_float2int_", "__nv_int2float_", "llvm.nvvm.f2i.",
                           "llvm.nvvm.i2f.");
  addConversions<float, U>(table, "__nv_float2uint_", "__nv_uint2float_", "llvm.nvvm.f2ui.",
                           "llvm.nvvm.ui2f.");
  addConversions<float, L>(table, "__nv_float2ll_", "__nv_ll2float_", "llvm.nvvm.f2ll.",
                           "llvm.nvvm.ll2f.");
  addConversions<float, Q>(table, "__nv_float2ull_", "__nv_ull2float_", "llvm.nvvm.f2ull.",
                           "llvm.nvvm.ull2f.");
  addConversions<double, I>(table, "__nv_double2int_", "", "llvm.nvvm.d2i.", "llvm.nvvm.i2d.");
  addConversions<double, U>(table, "__nv_double2uint_", "", "llvm.nvvm.d2ui.", "llvm.nvvm.ui2d.");
  addConversions<double, L>(table, "__nv_double2ll_", "__nv_ll2double_", "llvm.nvvm.d2ll.",
                            "llvm.nvvm.ll2d.");
  addConversions<double, Q>(table, "__nv_double2ull_", "__nv_ull2double_", "llvm.nvvm.d2ull.",
                            "llvm.nvvm.ull2d.");
  table.of<double(I)>()({"__nv_int2double_rn"}, [](I x) { return double(x); });
  table.of<double(U)>()({"__nv_uint2double_rn"}, [](U x) { return double(x); });
  table.of<float(double)>().modes(
      "__nv_double2float_", "llvm.nvvm.d2f.", "", [](double x, int mode) {
        volatile double operand = x;
        return inMode(mode, [&] { return static_cast<float>(operand); });
      });
  table.of<L(double)>()({"__nv_llrint"}, [](double x) { return toInteger<L>(x, FE_TONEAREST); });
  table.of<L(float)>()({"__nv_llrintf"}, [](float x) { return toInteger<L>(x, FE_TONEAREST); });
  table.of<L(double)>()({"__nv_llround", "llvm.llround.i64.f64", "llvm.lround.i64.f64"},
                        [](double x) { return toInteger<L>(std::round(x), FE_TOWARDZERO); });
  table.of<L(float)>()({"__nv_llroundf", "llvm.llround.i64.f32", "llvm.lround.i64.f32"},
                       [](float x) { return toInteger<L>(std::round(x), FE_TOWARDZERO); });
}

/// To half by exact scaling: units of the last place of a half are 2^-10 of its power of two, and
/// at least 2^-24.
std::uint16_t toHalf(float x) {
  const auto sign = std::uint16_t(std::signbit(x) ? 0x8000 : 0);
  if (std::isnan(x))
    return 0x7FFF;
  const double magnitude = std::abs(double(x));
  if (magnitude >= 65520.0)
    return sign | 0x7C00;
  const int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
  const double units = std::nearbyint(std::ldexp(magnitude, 10 - exponent));
  return std::uint16_t(sign | ((exponent + 14) * 1024 + int(units)));
}

float fromHalf(std::uint16_t bits) {
  const int field = bits >> 10 & 31, mantissa = bits & 1023;
  float value = field == 0 ? std::ldexp(float(mantissa), -24)
                           : std::ldexp(float(mantissa + 1024), field - 25);
  if (field == 31)
    value = mantissa == 0 ? INFINITY : NAN;
  return (bits & 0x8000) != 0 ? -value : value;
}

void addCasts(Table& table) {
  using I = std::int32_t;
  using L = std::int64_t;
  table.of<I(float)>()({"__nv_float_as_int", "__nv_float_as_uint", "llvm.nvvm.bitcast.f2i"},
                       [](float x) { return I(toBits(x)); });
  table.of<float(I)>()({"__nv_int_as_float", "__nv_uint_as_float", "llvm.nvvm.bitcast.i2f"},
                       [](I x) { return fromBits<float>(toBits(x)); });
  table.of<L(double)>()({"__nv_double_as_longlong", "llvm.nvvm.bitcast.d2ll"},
                        [](double x) { return L(toBits(x)); });
  table.of<double(L)>()({"__nv_longlong_as_double", "llvm.nvvm.bitcast.ll2d"},
                        [](L x) { return fromBits<double>(toBits(x)); });
  table.of<I(double)>()({"__nv_double2hiint", "llvm.nvvm.d2i.hi"},
                        [](double x) { return I(toBits(x) >> 32); });
  table.of<I(double)>()({"__nv_double2loint", "llvm.nvvm.d2i.lo"},
                        [](double x) { return I(toBits(x)); });
  const auto join = [](I high, I low) {
    return fromBits<double>(toBits(high) << 32 | toBits(low));
  };
  table.of<double(I, I)>()({"__nv_hiloint2double"}, join);
  table.of<double(I, I)>()({"llvm.nvvm.lohi.i2d"}, [=](I low, I high) { return join(high, low); });
  table.of<std::uint16_t(float)>()({"__nv_float2half_rn", "llvm.nvvm.f2h.rn"}, toHalf);
  table.of<float(std::uint16_t)>()({"__nv_half2float"}, fromHalf);
  table.of<float(float)>()({"llvm.nvvm.move.float"}, [](float x) { return x; });
  table.of<double(double)>()({"llvm.nvvm.move.double"}, [](double x) { return x; });
  table.of<std::int16_t(std::int16_t)>()({"llvm.nvvm.move.i16"}, [](std::int16_t x) { return x; });
  table.of<I(I)>()({"llvm.nvvm.move.i32"}, [](I x) { return x; });
  table.of<L(L)>()({"llvm.nvvm.move.i64"}, [](L x) { return x; });
}

// Bit by bit.
template <class T> int countBits(T x) {
  int count = 0;
  for (unsigned place = 0; place < 8 * sizeof x; ++place)
    count += int(std::uint64_t(x) >> place & 1);
  return count;
}
template <class T> int firstBit(T x) {
  for (unsigned place = 0; place < 8 * sizeof x; ++place)
    if ((std::uint64_t(x) >> place & 1) != 0)
      return int(place) + 1;
  return 0;
}
template <class T> int leadingZeros(T x) {
  int zeros = 0;
  for (int place = int(8 * sizeof x) - 1; place >= 0 && (std::uint64_t(x) >> place & 1) == 0;
       --place)
    ++zeros;
  return zeros;
}
template <class T> T reversed(T x) {
  std::uint64_t result = 0;
  for (unsigned place = 0; place < 8 * sizeof x; ++place)
    result = result << 1 | (std::uint64_t(x) >> place & 1);
  return T(result);
}

template <bool replicates>
std::int32_t permuted(std::int32_t low, std::int32_t high, std::int32_t selector) {
  std::uint8_t pool[8], result[4];
  std::memcpy(pool, &low, 4);
  std::memcpy(pool + 4, &high, 4);
  for (int number = 0; number < 4; ++number) {
    const int digit = selector >> (4 * number) & 15;
    result[number] = pool[digit & 7];
    if (replicates && digit >= 8)
      result[number] = (result[number] & 0x80) != 0 ? 0xFF : 0;
  }
  std::int32_t word;
  std::memcpy(&word, result, 4);
  return word;
}

template <class T> T difference(T a, T b, T c) {
  const Int128 distance = Int128(a) - Int128(b);
  return T(std::uint64_t((distance < 0 ? -distance : distance) + Int128(c)));
}

template <class T> T high(T a, T b) {
  if constexpr (std::is_signed_v<T>)
    return T((Int128(a) * Int128(b)) >> (8 * sizeof a));
  else
    return T((static_cast<unsigned __int128>(a) * b) >> (8 * sizeof a));
}

template <class T> T mean(T a, T b, int roundUp) {
  const Int128 sum = Int128(a) + Int128(b) + roundUp;
  return T(sum >> 1); // rounds down, for negative numbers too
}

template <class T> T absolute(T x) {
  return x < 0 ? T(0 - std::make_unsigned_t<T>(x)) : x;
}

template <class T> T least(T a, T b) {
  return std::min(a, b);
}
template <class T> T most(T a, T b) {
  return std::max(a, b);
}

/// Functions that come in signed and unsigned, and in three widths.
template <class T> void addWidth(Table& table, const char* sad, const char* highName) {
  table.of<T(T, T, T)>()({sad}, difference<T>);
  table.of<T(T, T)>()({highName}, high<T>);
}

void addIntegers(Table& table) {
  using I = std::int32_t;
  using U = std::uint32_t;
  using L = std::int64_t;
  using Q = std::uint64_t;
  table.of<I(I)>()({"__nv_abs"}, absolute<I>);
  table.of<L(L)>()({"__nv_llabs"}, absolute<L>);
  table.of<I(U)>()({"__nv_popc"}, countBits<U>);
  table.of<I(Q)>()({"__nv_popcll"}, countBits<Q>);
  table.of<I(U)>()({"__nv_clz"}, leadingZeros<U>);
  table.of<I(Q)>()({"__nv_clzll"}, leadingZeros<Q>);
  table.of<I(U)>()({"__nv_ffs"}, firstBit<U>);
  table.of<I(Q)>()({"__nv_ffsll"}, firstBit<Q>);
  table.of<U(U)>()({"__nv_brev"}, reversed<U>);
  table.of<Q(Q)>()({"__nv_brevll"}, reversed<Q>);
  table.of<I(I, I, I)>()({"__nv_byte_perm"}, permuted<false>);
  table.of<I(I, I, I)>()({"llvm.nvvm.prmt"}, permuted<true>);
  table.of<I(I, I)>()({"__nv_min"}, least<I>);
  table.of<I(I, I)>()({"__nv_max"}, most<I>);
  table.of<U(U, U)>()({"__nv_umin"}, least<U>);
  table.of<U(U, U)>()({"__nv_umax"}, most<U>);
  table.of<L(L, L)>()({"__nv_llmin"}, least<L>);
  table.of<L(L, L)>()({"__nv_llmax"}, most<L>);
  table.of<Q(Q, Q)>()({"__nv_ullmin"}, least<Q>);
  table.of<Q(Q, Q)>()({"__nv_ullmax"}, most<Q>);
  table.of<I(I, I)>()({"__nv_mul24", "llvm.nvvm.mul24.i"}, [](I a, I b) {
    const auto low = [](I x) { return L((x & 0xFFFFFF) ^ 0x800000) - 0x800000; };
    return I(U(low(a) * low(b)));
  });
  table.of<U(U, U)>()({"__nv_umul24", "llvm.nvvm.mul24.ui"},
                      [](U a, U b) { return U(Q(a % 0x1000000) * (b % 0x1000000)); });
  addWidth<std::int16_t>(table, "llvm.nvvm.sad.s", "llvm.nvvm.mulhi.s");
  addWidth<std::uint16_t>(table, "llvm.nvvm.sad.us", "llvm.nvvm.mulhi.us");
  addWidth<I>(table, "llvm.nvvm.sad.i", "llvm.nvvm.mulhi.i");
  addWidth<U>(table, "llvm.nvvm.sad.ui", "llvm.nvvm.mulhi.ui");
  addWidth<L>(table, "llvm.nvvm.sad.ll", "llvm.nvvm.mulhi.ll");
  addWidth<Q>(table, "llvm.nvvm.sad.ull", "llvm.nvvm.mulhi.ull");
  addWidth<I>(table, "__nv_sad", "__nv_mulhi");
  addWidth<U>(table, "__nv_usad", "__nv_umulhi");
  table.of<L(L, L)>()({"__nv_mul64hi"}, high<L>);
  table.of<Q(Q, Q)>()({"__nv_umul64hi"}, high<Q>);
  table.of<I(I, I)>()({"__nv_hadd"}, [](I a, I b) { return mean(a, b, 0); });
  table.of<I(I, I)>()({"__nv_rhadd"}, [](I a, I b) { return mean(a, b, 1); });
  table.of<U(U, U)>()({"__nv_uhadd"}, [](U a, U b) { return mean(a, b, 0); });
  table.of<U(U, U)>()({"__nv_urhadd"}, [](U a, U b) { return mean(a, b, 1); });
}

/// A shift step by step: any number of bits is fine.
template <class T> T shiftedBy(T x, std::uint32_t distance, bool left) {
  for (unsigned step = 0; step < std::min<std::uint32_t>(distance, 70); ++step)
    x = left ? T(x << 1) : T(x >> 1);
  return x;
}

/// PTX's own words for bfe, bit by bit; of 64 bits an H200 takes places and lengths whole.
template <class T> T fieldOf(T a, std::uint32_t b, std::uint32_t c) {
  const auto count = [](std::uint32_t number) {
    return sizeof(T) == 8 ? std::min<std::uint32_t>(number, 0xff) : number & 0xff;
  };
  const unsigned bits = 8 * sizeof(T), position = count(b), length = count(c);
  const auto bitAt = [&](unsigned i) { return std::uint64_t(a) >> i & 1; };
  const std::uint64_t sign =
      std::is_signed_v<T> && length > 0 ? bitAt(std::min(position + length - 1, bits - 1)) : 0;
  std::uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i)
    result |= (i < length && position + i < bits ? bitAt(position + i) : sign) << i;
  return T(result);
}

/// The last bit that differs from the sign; all ones where there is none.
template <class T> std::uint32_t lastBit(T a, bool asShift) {
  const int bits = 8 * sizeof(T);
  for (int i = bits - 1; i >= 0; --i)
    if ((a >> i & 1) != T(std::is_signed_v<T> && a < 0 ? 1 : 0))
      return std::uint32_t(asShift ? bits - 1 - i : i);
  return ~0u;
}

template <class T> void addOperations(Table& table, const std::string& type) {
  using U = std::uint32_t;
  const auto name = [&](const char* base) { return "heddle.ptx." + (base + ("." + type)); };
  if (!std::is_signed_v<T>)
    table.of<T(T, U)>()({name("shl").c_str()}, [](T x, U by) { return shiftedBy(x, by, true); });
  table.of<T(T, U)>()({name("shr").c_str()}, [](T x, U by) { return shiftedBy(x, by, false); });
  if (sizeof(T) == 2)
    return;
  table.of<T(T, U, U)>()({name("bfe").c_str()}, fieldOf<T>);
  table.of<U(T)>()({name("bfind").c_str()}, [](T x) { return lastBit(x, false); });
  table.of<U(T)>()({name("bfind.shiftamt").c_str()}, [](T x) { return lastBit(x, true); });
}

/// The functions that stand for instructions of PTX. bfi has four operands: test_ptx.py has it.
void addPtx(Table& table) {
  using U = std::uint32_t;
  addOperations<std::uint16_t>(table, "u16");
  addOperations<std::int16_t>(table, "s16");
  addOperations<std::uint32_t>(table, "u32");
  addOperations<std::int32_t>(table, "s32");
  addOperations<std::uint64_t>(table, "u64");
  addOperations<std::int64_t>(table, "s64");
  const auto pair = [](U low, U high) { return std::uint64_t(high) << 32 | low; };
  table.of<U(U, U, U)>()({"heddle.ptx.shf.l"}, [=](U low, U high, U by) {
    return U(pair(low, high) << std::min(by, 32u) >> 32);
  });
  table.of<U(U, U, U)>()({"heddle.ptx.shf.r"}, [=](U low, U high, U by) {
    return U(pair(low, high) >> std::min(by, 32u));
  });
  table.of<U(U, U, U)>()({"heddle.ptx.lop3.232"}, // the majority
                         [](U a, U b, U c) { return (a & b) | (a & c) | (b & c); });
  for (const auto& [name, scale] :
       {std::pair("d8", 0.125), {"d4", 0.25}, {"d2", 0.5}, {"m2", 2.0}, {"m4", 4.0}, {"m8", 8.0}})
    table.of<float(float, float)>()(
        {("heddle.ptx.mul." + std::string(name) + ".f").c_str()}, [=](float a, float b) {
          return float(double(a) * double(b) * scale); // all of it is exact but the last
        });
}

void addRotations(Table& table) {
  using U = std::uint32_t;
  using Q = std::uint64_t;
  const auto left = [](auto x, unsigned distance) {
    for (unsigned step = 0; step < distance % (8 * sizeof x); ++step)
      x = x << 1 | x >> (8 * sizeof x - 1);
    return x;
  };
  table.of<U(U, U)>()({"llvm.nvvm.rotate.b32"}, [=](U x, U n) { return left(x, n); });
  table.of<Q(Q, U)>()({"llvm.nvvm.rotate.b64"}, [=](Q x, U n) { return left(x, n); });
  table.of<Q(Q, U)>()({"llvm.nvvm.rotate.right.b64"},
                      [=](Q x, U n) { return left(x, 64 - n % 64); });
  table.of<Q(Q)>()({"llvm.nvvm.swap.lo.hi.b64"}, [=](Q x) { return left(x, 32); });
}

/// NaN loses; -0 is less than +0.
template <class T> T minimum(T a, T b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) ? b : a;
  return a < b || (a == b && std::signbit(a)) ? a : b;
}
template <class T> T maximum(T a, T b) {
  return -minimum<T>(-a, -b);
}
template <class T> T saturated(T x) {
  return x > 0 ? std::min(x, T(1)) : T(0);
}
template <class T> T evenly(T x) {
  return std::nearbyint(x);
}

template <class T> void addFloats(Table& table, const std::string& suffix, const char* nvvm) {
  auto one = table.of<T(T)>();
  auto two = table.of<T(T, T)>();
  const auto both = [&](const char* name, auto function) {
    one({("__nv_" + std::string(name) + suffix).c_str(),
         ("llvm.nvvm." + std::string(name) + nvvm).c_str()},
        function);
  };
  both("ceil", [](T x) { return std::ceil(x); });
  both("floor", [](T x) { return std::floor(x); });
  both("trunc", [](T x) { return std::trunc(x); });
  both("fabs", [](T x) { return std::signbit(x) ? -x : x; });
  const auto plain = [&](const char* name) { return "__nv_" + std::string(name) + suffix; };
  one({plain("nearbyint").c_str(), plain("rint").c_str(),
       ("llvm.nvvm.round" + std::string(nvvm)).c_str()},
      evenly<T>);
  one({plain("round").c_str()}, [](T x) { return std::round(x); });
  one({plain("sqrt").c_str()}, [](T x) { return std::sqrt(x); });
  const auto inverse = [](T x) { return T(1 / std::sqrt(static_cast<long double>(x))); };
  one({plain("rsqrt").c_str(), ("llvm.nvvm.rsqrt.approx" + std::string(nvvm)).c_str()}, inverse,
      sizeof(T) == 8 ? 1 : 0);
  one({("llvm.nvvm.saturate" + std::string(nvvm)).c_str()}, saturated<T>);
  one({("llvm.nvvm.rcp.approx" + std::string(nvvm)).c_str()}, [](T x) { return 1 / x; });
  two({plain("copysign").c_str()}, [](T a, T b) { return std::copysign(a, b); });
  two({plain("fdim").c_str()}, [](T a, T b) { return std::fdim(a, b); });
  two({plain("fmin").c_str(), ("llvm.nvvm.fmin" + std::string(nvvm)).c_str()}, minimum<T>);
  two({plain("fmax").c_str(), ("llvm.nvvm.fmax" + std::string(nvvm)).c_str()}, maximum<T>);
  table.of<T(T, T, T)>()({plain("fma").c_str()}, [](T a, T b, T c) { return std::fma(a, b, c); });
}

void addTests(Table& table) {
  using I = std::int32_t;
  table.of<I(float)>()({"__nv_isnanf"}, [](float x) { return I(x != x); });
  table.of<I(double)>()({"__nv_isnand"}, [](double x) { return I(x != x); });
  table.of<I(float)>()({"__nv_isinff"}, [](float x) { return std::isinf(x) ? 1 : 0; });
  table.of<I(double)>()({"__nv_isinfd"}, [](double x) { return std::isinf(x) ? 1 : 0; });
  table.of<I(float)>()({"__nv_finitef"}, [](float x) { return std::isfinite(x) ? 1 : 0; });
  table.of<I(double)>()({"__nv_isfinited"}, [](double x) { return std::isfinite(x) ? 1 : 0; });
  table.of<I(float)>()({"__nv_signbitf"}, [](float x) { return std::signbit(x) ? 1 : 0; });
  table.of<I(double)>()({"__nv_signbitd"}, [](double x) { return std::signbit(x) ? 1 : 0; });
}

float flushed(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}

void addOddFloats(Table& table) {
  auto one = table.of<float(float)>();
  auto two = table.of<float(float, float)>();
  one({"__nv_saturatef"}, saturated<float>);
  one({"__nv_frsqrt_rn"},
      [](float x) { return float(1 / std::sqrt(static_cast<long double>(x))); });
  one({"llvm.nvvm.sqrt.f", "llvm.nvvm.sqrt.approx.f"}, [](float x) { return std::sqrt(x); });
  two({"__nv_fast_fdividef", "llvm.nvvm.div.approx.f"}, [](float a, float b) { return a / b; });
  table.of<double(double)>()({"__nv_rcp64h"}, [](double x) {
    const auto cut = [](double y) { return fromBits<double>(toBits(y) >> 32 << 32); };
    return cut(1 / cut(x));
  });
  const auto signedBy = [](float magnitude, float a, float b) {
    return std::copysign(magnitude, std::signbit(a) != std::signbit(b) ? -1.0f : 1.0f);
  };
  const auto strict = [](float a, float b, float result) {
    return std::isnan(a) || std::isnan(b) ? NAN : result;
  };
  two({"llvm.nvvm.fmin.nan.f"}, [=](float a, float b) { return strict(a, b, minimum(a, b)); });
  two({"llvm.nvvm.fmax.nan.f"}, [=](float a, float b) { return strict(a, b, maximum(a, b)); });
  const auto small = [=](float a, float b) {
    return signedBy(minimum(std::abs(a), std::abs(b)), a, b);
  };
  const auto large = [=](float a, float b) {
    return signedBy(maximum(std::abs(a), std::abs(b)), a, b);
  };
  two({"llvm.nvvm.fmin.xorsign.abs.f"}, small);
  two({"llvm.nvvm.fmax.xorsign.abs.f"}, large);
  two({"llvm.nvvm.fmin.nan.xorsign.abs.f"},
      [=](float a, float b) { return strict(a, b, small(a, b)); });
  two({"llvm.nvvm.fmax.nan.xorsign.abs.f"},
      [=](float a, float b) { return strict(a, b, large(a, b)); });
  two({"llvm.nvvm.mul.rn.ftz.f"}, [](float a, float b) { // below 2^-126 in 24 bits, not in 23
    const double exact = double(flushed(a)) * double(flushed(b));
    return std::abs(exact) < 0x1p-126 - 0x1p-151 ? std::copysign(0.0f, float(exact)) : float(exact);
  });
  table.of<std::int32_t(float)>()({"llvm.nvvm.f2i.rp.ftz"}, [](float x) {
    return toInteger<std::int32_t>(flushed(x), FE_UPWARD);
  });
}

void addRounded(Table& table) {
  auto two = table.of<float(float, float)>();
  auto one = table.of<float(float)>();
  two.modes("__nv_fadd_", "llvm.nvvm.add.", ".f", [](float x, float y, int mode) {
    volatile float a = x, b = y;
    return inMode(mode, [&] { return a + b; });
  });
  two.modes("__nv_fsub_", "", "", [](float x, float y, int mode) {
    volatile float a = x, b = y;
    return inMode(mode, [&] { return a - b; });
  });
  two.modes("__nv_fmul_", "llvm.nvvm.mul.", ".f", [](float x, float y, int mode) {
    volatile float a = x, b = y;
    return inMode(mode, [&] { return a * b; });
  });
  two.modes("__nv_fdiv_", "llvm.nvvm.div.", ".f", [](float x, float y, int mode) {
    volatile float a = x, b = y;
    return inMode(mode, [&] { return a / b; });
  });
  one.modes("__nv_frcp_", "llvm.nvvm.rcp.", ".f", [](float x, int mode) {
    volatile float a = x;
    return inMode(mode, [&] { return 1.0f / a; });
  });
  one.modes("__nv_fsqrt_", "llvm.nvvm.sqrt.", ".f", [](float x, int mode) {
    volatile float a = x;
    return inMode(mode, [&] { return std::sqrt(float(a)); });
  });
  const auto fused = [](float x, float y, float z, int mode) {
    volatile float a = x, b = y, c = z;
    return inMode(mode, [&] { return std::fma(float(a), float(b), float(c)); });
  };
  table.of<float(float, float, float)>().modes("__nv_fmaf_", "llvm.nvvm.fma.", ".f", fused);
  table.of<float(float, float, float)>().modes("__nv_fmaf_ieee_", "", "", fused);
}

void addDoubles(Table& table) {
  auto two = table.of<double(double, double)>();
  auto one = table.of<double(double)>();
  two({"__nv_dadd_rn", "llvm.nvvm.add.rn.d"}, [](double a, double b) { return a + b; });
  two({"__nv_dsub_rn"}, [](double a, double b) { return a - b; });
  two({"__nv_dmul_rn", "llvm.nvvm.mul.rn.d"}, [](double a, double b) { return a * b; });
  two({"__nv_ddiv_rn", "llvm.nvvm.div.rn.d"}, [](double a, double b) { return a / b; });
  one({"__nv_drcp_rn", "llvm.nvvm.rcp.rn.d"}, [](double x) { return 1 / x; });
  one({"__nv_dsqrt_rn", "llvm.nvvm.sqrt.rn.d"}, [](double x) { return std::sqrt(x); });
  table.of<double(double, double, double)>()(
      {"__nv_fma_rn", "llvm.nvvm.fma.rn.d"},
      [](double a, double b, double c) { return std::fma(a, b, c); });
}

template <class T> std::vector<std::uint64_t> floatEdges() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {
      0,         1,           0.5,         1.5,         2.5,         3.5,         0.1,
      2,         3,           1e-5,        0.9,         127.5,       1e5,         16777216,
      8388607.5, 2147483520., 2147483647., 2147483648., 4294967040., 4294967295., 4294967296.,
      9.2e18,    0x1p63,      1.8e19,      0x1p64,      1e30};
  for (const T extra : {Limits::min(), Limits::denorm_min(), Limits::max(), Limits::infinity(),
                        Limits::epsilon(), 1 + Limits::epsilon(), 1 - Limits::epsilon() / 2,
                        Limits::min() - Limits::denorm_min(), T(0.5) - Limits::epsilon() / 4})
    values.push_back(extra);
  std::vector<std::uint64_t> bits = {toBits(Limits::quiet_NaN())};
  for (const T value : values) {
    bits.push_back(toBits(value));
    bits.push_back(toBits(-value));
  }
  return bits;
}

std::vector<std::uint64_t> integerEdges(unsigned width) {
  std::vector<std::uint64_t> bits;
  for (unsigned place = 0; place < width; place += width / 16)
    for (const std::uint64_t near : {std::uint64_t(0), std::uint64_t(1), ~std::uint64_t(0)})
      bits.push_back((std::uint64_t(1) << place) + near);
  for (const std::uint64_t value :
       {~std::uint64_t(0), std::uint64_t(0x3210), std::uint64_t(0xFEDC), std::uint64_t(0x7FFFFFFF),
        std::uint64_t(0x1FFFFFF), ~std::uint64_t(0) >> 1, std::uint64_t(0x80000040)})
    bits.push_back(value);
  return bits;
}

std::vector<std::uint64_t> edgesOf(Kind kind) {
  if (kind == Kind::Float)
    return floatEdges<float>();
  return kind == Kind::Double ? floatEdges<double>() : integerEdges(unsigned(8 * sizeOf(kind)));
}

std::uint64_t cut(std::uint64_t bits, Kind kind) {
  return sizeOf(kind) == 8 ? bits : bits & ((std::uint64_t(1) << (8 * sizeOf(kind))) - 1);
}

template <class T> double asNumber(std::uint64_t bits) {
  return static_cast<double>(fromBits<T>(bits));
}

bool isNan(Kind kind, std::uint64_t bits) {
  return (kind == Kind::Float && std::isnan(fromBits<float>(bits))) ||
         (kind == Kind::Double && std::isnan(fromBits<double>(bits)));
}

std::string show(Kind kind, std::uint64_t bits) {
  const double number = kind == Kind::Float    ? asNumber<float>(bits)
                        : kind == Kind::Double ? asNumber<double>(bits)
                                               : asNumber<std::int64_t>(bits);
  return fmt::format("{:x} ({})", bits, number);
}

} // namespace

std::size_t sizeOf(Kind kind) {
  switch (kind) {
  case Kind::Int16:
  case Kind::UInt16:
    return 2;
  case Kind::Float:
  case Kind::Int32:
  case Kind::UInt32:
    return 4;
  default:
    return 8;
  }
}

std::map<std::string, Reference> vectorReferences() {
  Table table;
  addConversions(table);
  addCasts(table);
  addIntegers(table);
  addPtx(table);
  addRotations(table);
  addFloats<float>(table, "f", ".f");
  addFloats<double>(table, "", ".d");
  addTests(table);
  addOddFloats(table);
  addRounded(table);
  addDoubles(table);
  return std::move(table.references);
}

std::vector<Tuple> edgeCases(const std::vector<Kind>& operands) {
  std::vector<std::vector<std::uint64_t>> edges;
  for (const Kind kind : operands)
    edges.push_back(edgesOf(kind));
  edges.resize(3, {0});
  std::vector<Tuple> tuples;
  std::mt19937_64 random(20);
  for (const std::uint64_t a : edges[0])
    for (const std::uint64_t b : edges[1]) {
      tuples.push_back({a, b, edges[2][random() % edges[2].size()]});
      if (operands.size() > 2)
        tuples.push_back({b, a, edges[2][random() % edges[2].size()]});
    }
  // Near numbers too: a result of their difference is not just the larger one.
  for (int count = 0; count < 2000; ++count) {
    const std::uint64_t first = random();
    tuples.push_back({first, count % 2 == 0 ? random() : first ^ (random() % 512), random()});
  }
  for (Tuple& tuple : tuples)
    for (std::size_t index = 0; index < operands.size(); ++index)
      tuple[index] = cut(tuple[index], operands[index]);
  return tuples;
}

bool isClose(const Reference& reference, std::uint64_t found, std::uint64_t expected) {
  if (found == expected || (isNan(reference.result, found) && isNan(reference.result, expected)))
    return true;
  const std::uint64_t distance = found < expected ? expected - found : found - expected;
  return distance <= reference.ulps;
}

std::string describe(const Reference& reference, const Tuple& operands, std::uint64_t found,
                     std::uint64_t expected) {
  std::string text = "(";
  for (std::size_t index = 0; index < reference.operands.size(); ++index)
    text += (index == 0 ? "" : ", ") + show(reference.operands[index], operands[index]);
  return text + ") is " + show(reference.result, found) + ", expected " +
         show(reference.result, expected);
}

} // namespace heddle::engine
