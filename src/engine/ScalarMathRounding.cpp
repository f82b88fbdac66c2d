// SPDX-License-Identifier: Apache-2.0
//
// Double arithmetic towards zero, down and up, by the processor's own rounding mode. The operands
// and the result are volatile: without, a compiler moves the operation out of the mode.
#include "engine/ScalarMathTable.h"

#include <cfenv>
#include <cmath>

namespace heddle::engine {
namespace {

class RoundingScope {
public:
  explicit RoundingScope(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~RoundingScope() { std::fesetround(before_); }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

private:
  int before_;
};

template <int mode> double add(double a, double b) {
  volatile double left = a, right = b;
  const RoundingScope scope(mode);
  volatile double result = left + right;
  return result;
}

template <int mode> double subtract(double a, double b) {
  return add<mode>(a, -b);
}

template <int mode> double multiply(double a, double b) {
  volatile double left = a, right = b;
  const RoundingScope scope(mode);
  volatile double result = left * right;
  return result;
}

template <int mode> double divide(double a, double b) {
  volatile double left = a, right = b;
  const RoundingScope scope(mode);
  volatile double result = left / right;
  return result;
}

template <int mode> double multiplyAdd(double a, double b, double c) {
  volatile double left = a, right = b, addend = c;
  const RoundingScope scope(mode);
  volatile double result = std::fma(left, right, addend);
  return result;
}

template <int mode> double reciprocal(double x) {
  return divide<mode>(1.0, x);
}

template <int mode> double squareRoot(double x) {
  volatile double operand = x;
  const RoundingScope scope(mode);
  volatile double result = std::sqrt(operand);
  return result;
}

} // namespace

std::span<const ScalarEntry> directedMath() {
#define HEDDLE_LIBDEVICE_MODES(name, function)                                                     \
  ScalarEntry{"__nv_" name "_rz", function<FE_TOWARDZERO>},                                        \
      ScalarEntry{"__nv_" name "_rd", function<FE_DOWNWARD>}, ScalarEntry {                        \
    "__nv_" name "_ru", function<FE_UPWARD>                                                        \
  }
#define HEDDLE_NVVM_MODES(name, function)                                                          \
  ScalarEntry{"llvm.nvvm." name ".rz.d", function<FE_TOWARDZERO>},                                 \
      ScalarEntry{"llvm.nvvm." name ".rm.d", function<FE_DOWNWARD>}, ScalarEntry {                 \
    "llvm.nvvm." name ".rp.d", function<FE_UPWARD>                                                 \
  }
  static const ScalarEntry entries[] = {
      HEDDLE_LIBDEVICE_MODES("dadd", add),         HEDDLE_LIBDEVICE_MODES("dsub", subtract),
      HEDDLE_LIBDEVICE_MODES("dmul", multiply),    HEDDLE_LIBDEVICE_MODES("ddiv", divide),
      HEDDLE_LIBDEVICE_MODES("fma", multiplyAdd),  HEDDLE_LIBDEVICE_MODES("drcp", reciprocal),
      HEDDLE_LIBDEVICE_MODES("dsqrt", squareRoot), HEDDLE_NVVM_MODES("add", add),
      HEDDLE_NVVM_MODES("mul", multiply),          HEDDLE_NVVM_MODES("div", divide),
      HEDDLE_NVVM_MODES("fma", multiplyAdd),       HEDDLE_NVVM_MODES("rcp", reciprocal),
      HEDDLE_NVVM_MODES("sqrt", squareRoot),
  };
#undef HEDDLE_LIBDEVICE_MODES
#undef HEDDLE_NVVM_MODES
  return entries;
}

} // namespace heddle::engine
