// SPDX-License-Identifier: Apache-2.0
//
// PTX says which lane holds which element. With g = lane / 4, t = lane % 4 and E elements in a
// register:
//
//   A   register r, element e: row g + 8 (r & 1), column 4 E (r / 2) + t E + e   (16 rows)
//                              row g, column 4 E r + t E + e                     (8 rows)
//   B   register r, element e: row 4 E r + t E + e, column g
//   C   element i of a lane:   row g + 8 (i / 2), column 2 t + i % 2
#include "engine/MatrixMultiply.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringSwitch.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace heddle::engine {
namespace {

constexpr unsigned lanes = 32;

enum Element : unsigned { None, F16, Bf16, Tf32, F32, F64, S8, U8, S32, E4m3, E5m2 };

Element elementNamed(llvm::StringRef name) {
  return llvm::StringSwitch<Element>(name)
      .Case("f16", F16)
      .Case("bf16", Bf16)
      .Case("tf32", Tf32)
      .Case("f32", F32)
      .Case("f64", F64)
      .Case("s8", S8)
      .Case("u8", U8)
      .Case("s32", S32)
      .Case("e4m3", E4m3)
      .Case("e5m2", E5m2)
      .Default(None);
}

unsigned bitsOf(Element element) {
  switch (element) {
  case F16:
  case Bf16:
    return 16;
  case S8:
  case U8:
  case E4m3:
  case E5m2:
    return 8;
  case F64:
    return 64;
  default:
    return 32;
  }
}

/// Fields of the number that stands for an operation.
struct Operation {
  unsigned m, n, k;
  Element d, a, b, c;
  bool isFinite, isLoad, isTransposed;
  unsigned count;
  bool isWmma, columnsA, columnsB; ///< and whether A and B lie in columns

  explicit Operation(std::uint64_t bits)
      : m(bits & 63), n(bits >> 6 & 63), k(bits >> 12 & 63), d(Element(bits >> 18 & 15)),
        a(Element(bits >> 22 & 15)), b(Element(bits >> 26 & 15)), c(Element(bits >> 30 & 15)),
        isFinite((bits >> 34 & 1) != 0), isLoad((bits >> 35 & 1) != 0),
        isTransposed((bits >> 36 & 1) != 0), count(bits >> 37 & 7), isWmma((bits >> 40 & 1) != 0),
        columnsA((bits >> 41 & 1) != 0), columnsB((bits >> 42 & 1) != 0) {}
};

double small(unsigned bits, unsigned width, unsigned stored, int bias, bool hasInfinity) {
  const unsigned size = bits & ((1u << (width - 1)) - 1);
  const double sign = (bits >> (width - 1) & 1) != 0 ? -1.0 : 1.0;
  const unsigned exponent = size >> stored, fraction = size & ((1u << stored) - 1);
  const unsigned last = (1u << (width - 1 - stored)) - 1;
  if (hasInfinity && exponent == last)
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  if (!hasInfinity && size == (1u << (width - 1)) - 1)
    return std::numeric_limits<double>::quiet_NaN();
  return exponent == 0 ? sign * std::ldexp(double(fraction), 1 - bias - int(stored))
                       : sign * std::ldexp(double(fraction + (1u << stored)),
                                           int(exponent) - bias - int(stored));
}

double valueOf(std::uint64_t bits, Element element) {
  switch (element) {
  case F16:
    return small(unsigned(bits), 16, 10, 15, true);
  case Bf16:
    return std::bit_cast<float>(std::uint32_t(bits) << 16);
  case Tf32: // the lower bits of a float are not looked at
    return std::bit_cast<float>(std::uint32_t(bits) & ~0x1fffu);
  case F32:
    return std::bit_cast<float>(std::uint32_t(bits));
  case F64:
    return std::bit_cast<double>(bits);
  case S8:
    return std::int8_t(bits);
  case U8:
    return std::uint8_t(bits);
  case S32:
    return std::int32_t(std::uint32_t(bits));
  case E4m3:
    return small(unsigned(bits), 8, 3, 7, false);
  case E5m2:
    return small(unsigned(bits), 8, 2, 15, true);
  case None:
    break;
  }
  return 0;
}

/// To nearest even.
std::uint32_t halfOf(double value) {
  if (std::isnan(value))
    return 0x7fff;
  const std::uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  const double size = std::abs(value);
  if (size >= 65520)
    return sign | 0x7c00;
  const int exponent = std::max(size == 0 ? -14 : std::ilogb(size), -14);
  const auto whole = std::uint32_t(std::nearbyint(std::ldexp(size, 10 - exponent)));
  return sign | ((std::uint32_t(exponent + 14) << 10) + whole);
}

/// One element of a fragment: of a register, or of two where it has 64 bits.
std::uint64_t pick(const std::uint32_t* fragment, unsigned index, unsigned lane, unsigned bits) {
  if (bits == 64)
    return std::uint64_t{fragment[(2 * index + 1) * lanes + lane]} << 32 |
           fragment[2 * index * lanes + lane];
  const unsigned each = 32 / bits;
  const std::uint32_t word = fragment[index / each * lanes + lane];
  const std::uint32_t mask = bits == 32 ? ~0u : (1u << bits) - 1;
  return word >> (index % each * bits) & mask;
}

void put(std::uint32_t* fragment, unsigned index, unsigned lane, Element element, double value) {
  if (element == F64) {
    const auto raw = std::bit_cast<std::uint64_t>(value);
    fragment[2 * index * lanes + lane] = std::uint32_t(raw);
    fragment[(2 * index + 1) * lanes + lane] = std::uint32_t(raw >> 32);
  } else if (element == F16) {
    std::uint32_t& word = fragment[index / 2 * lanes + lane];
    word = index % 2 == 0 ? halfOf(value) : word | halfOf(value) << 16;
  } else {
    fragment[index * lanes + lane] = std::bit_cast<std::uint32_t>(float(value));
  }
}

/// Elements of A or B that a lane holds: wmma has 16 halves whatever the shape.
unsigned inLane(const Operation& op, Element element, unsigned elements) {
  return op.isWmma && element == F16 ? 16 : elements / lanes;
}

struct Place {
  unsigned row, column;
};

/// Element `at` of a matrix in the order of its layout.
Place placeInOrder(unsigned at, unsigned rows, unsigned columns, bool inColumns) {
  return inColumns ? Place{at % rows, at / rows} : Place{at / columns, at % columns};
}

Place placeOfA(const Operation& op, unsigned index, unsigned lane) {
  const unsigned each = std::max(32 / bitsOf(op.a), 1u), g = lane / 4, t = lane % 4;
  const unsigned r = index / each, e = index % each;
  if (op.isWmma)
    return placeInOrder((lane * inLane(op, op.a, op.m * op.k) + index) % (op.m * op.k), op.m, op.k,
                        op.columnsA);
  if (op.m == 8)
    return {g, 4 * each * r + t * each + e};
  return {g + 8 * (r & 1), 4 * each * (r / 2) + t * each + e};
}

Place placeOfB(const Operation& op, unsigned index, unsigned lane) {
  const unsigned each = std::max(32 / bitsOf(op.b), 1u);
  if (op.isWmma)
    return placeInOrder((lane * inLane(op, op.b, op.k * op.n) + index) % (op.k * op.n), op.k, op.n,
                        op.columnsB);
  return {4 * each * (index / each) + lane % 4 * each + index % each, lane / 4};
}

Place placeOfC(const Operation& op, unsigned index, unsigned lane) {
  if (op.isWmma)
    return placeInOrder(lane * (op.m * op.n / lanes) + index, op.m, op.n, false);
  return {lane / 4 + 8 * (index / 2), lane % 4 * 2 + index % 2};
}

/// 32-bit registers of a fragment of that many elements in a warp.
unsigned registersOf(unsigned elements, Element element) {
  return elements * bitsOf(element) / 32 / lanes;
}

void putInteger(const Operation& op, std::uint32_t* out, unsigned index, unsigned lane,
                std::int64_t sum) {
  if (op.isFinite)
    sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
  out[index * lanes + lane] = std::uint32_t(sum);
}

void multiply(const Operation& op, const std::uint32_t* in, std::uint32_t* out) {
  const unsigned ofA = inLane(op, op.a, op.m * op.k), ofB = inLane(op, op.b, op.k * op.n);
  const std::uint32_t* inB = in + registersOf(ofA * lanes, op.a) * lanes;
  const std::uint32_t* inC = inB + registersOf(ofB * lanes, op.b) * lanes;
  std::vector<double> a(op.m * op.k), b(op.k * op.n);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    for (unsigned i = 0; i < ofA; ++i) {
      const Place place = placeOfA(op, i, lane);
      a[place.row * op.k + place.column] = valueOf(pick(in, i, lane, bitsOf(op.a)), op.a);
    }
    for (unsigned i = 0; i < ofB; ++i) {
      const Place place = placeOfB(op, i, lane);
      b[place.row * op.n + place.column] = valueOf(pick(inB, i, lane, bitsOf(op.b)), op.b);
    }
  }
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < op.m * op.n / lanes; ++i) {
      const Place place = placeOfC(op, i, lane);
      double sum = valueOf(pick(inC, i, lane, bitsOf(op.c)), op.c);
      for (unsigned k = 0; k < op.k; ++k)
        sum = std::fma(a[place.row * op.k + k], b[k * op.n + place.column], sum);
      if (op.d == S32) // below 2^53: exact
        putInteger(op, out, i, lane, std::int64_t(sum));
      else
        put(out, i, lane, op.d, sum);
    }
}

/// Each lane has brought a row of 16 bytes; a lane of a fragment gets two of its 8 numbers.
void distribute(const Operation& op, const std::uint32_t* in, std::uint32_t* out) {
  const auto half = [&](unsigned row, unsigned column) {
    return in[column / 2 * lanes + row] >> (column % 2 * 16) & 0xffff;
  };
  for (unsigned matrix = 0; matrix < op.count; ++matrix)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      std::uint32_t word = 0;
      for (unsigned e = 0; e < 2; ++e) {
        const unsigned outer = lane / 4, inner = lane % 4 * 2 + e;
        word |=
            (op.isTransposed ? half(matrix * 8 + inner, outer) : half(matrix * 8 + outer, inner))
            << (16 * e);
      }
      out[matrix * lanes + lane] = word;
    }
}

bool isKnown(const Operation& op) {
  const bool integers = (op.a == S8 || op.a == U8) && (op.b == S8 || op.b == U8);
  const bool sums = integers      ? op.d == S32 && op.c == S32
                    : op.a == F64 ? op.b == F64 && op.c == F64 && op.d == F64
                    : op.a == F16 ? op.b == F16 && (op.d == F16 || op.d == F32)
                    : op.a == E4m3 || op.a == E5m2
                        ? (op.b == E4m3 || op.b == E5m2) && (op.d == F16 || op.d == F32)
                        : op.a == op.b && (op.a == Bf16 || op.a == Tf32) && op.d == F32;
  if (!sums || (op.c != F16 && op.c != F32 && op.c != F64 && op.c != S32))
    return false;
  if (op.isWmma && (op.a == F64 || op.a == Tf32))
    return op.a == F64 ? op.m == 8 && op.n == 8 && op.k == 4
                       : op.m == 16 && op.n == 16 && op.k == 8;
  if (op.isWmma)
    return op.k == 16 && op.m * op.n == 256 && op.m >= 8 && op.n >= 8 && op.a != E4m3 &&
           op.a != E5m2;
  if (op.n != 8)
    return false;
  const unsigned row = op.k * bitsOf(op.a); // bits of a row of A
  if (op.m == 8)
    return (op.a == F64 && op.k == 4) || (integers && op.k == 16);
  return op.m == 16 &&
         (op.a == F64 ? op.k == 4 || op.k == 8 || op.k == 16 : row == 128 || row == 256);
}

} // namespace

std::optional<std::uint64_t> matrixOperation(llvm::StringRef name) {
  llvm::SmallVector<llvm::StringRef, 10> words;
  name.split(words, '.');
  std::uint64_t bits = 0;
  const auto number = [&](unsigned at) {
    unsigned value = 0;
    return at < words.size() && !words[at].getAsInteger(10, value) ? std::uint64_t{value} : 0;
  };
  if (words[0] == "ldmatrix") {
    bits = number(1) << 37 | 1ull << 35 | (name.ends_with(".trans") ? 1ull << 36 : 0);
    const unsigned count = Operation(bits).count;
    return count == 1 || count == 2 || count == 4 ? std::optional(bits) : std::nullopt;
  }
  const bool isWmma = words[0] == "wmma";
  if ((words[0] != "mma" && !isWmma) || words.size() < (isWmma ? 10 : 8) || number(1) > 32 ||
      number(2) > 32 || number(3) > 32)
    return std::nullopt;
  if (isWmma)
    bits |= 1ull << 40 | std::uint64_t{words[8] == "col"} << 41 |
            std::uint64_t{words[9] == "col"} << 42;
  for (unsigned i = 0; i < 3; ++i)
    bits |= number(i + 1) << (6 * i);
  for (unsigned i = 0; i < 4; ++i)
    bits |= std::uint64_t{elementNamed(words[4 + i])} << (18 + 4 * i);
  bits |= words.back() == "satfinite" ? 1ull << 34 : 0;
  return isKnown(Operation(bits)) ? std::optional(bits) : std::nullopt;
}

void heddleMatrix(std::uint64_t operation, const std::uint32_t* in, std::uint32_t* out) {
  const Operation op(operation);
  if (op.isLoad)
    distribute(op, in, out);
  else
    multiply(op, in, out);
}

} // namespace heddle::engine
