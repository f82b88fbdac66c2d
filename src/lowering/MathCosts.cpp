// SPDX-License-Identifier: Apache-2.0
#include "lowering/MathCosts.h"

#include <algorithm>

namespace heddle::lowering {
namespace {

using profile::Unit;

struct Entry {
  llvm::StringRef name; ///< without `__nv_`, and without the f of the float version
  MathCost single;
  MathCost twice; ///< in double precision
};

constexpr MathCost fp32(int issues, int dependent, int specials = 0) {
  return {Unit::Fp32, issues, dependent, specials};
}
constexpr MathCost fp64(int issues, int dependent) {
  return {Unit::Fp64, issues, dependent, 0};
}
constexpr MathCost int32(int issues) {
  return {Unit::Int32, issues, issues, 0};
}
constexpr MathCost convert(int issues) {
  return {Unit::Convert, issues, issues, 0};
}
constexpr MathCost special(int others, int count = 1) {
  return {Unit::Fp32, others, others, count};
}

/// Sorted by name.
const Entry functions[] = {
    {"acos", fp32(20, 14, 1), fp64(40, 28)},
    {"acosh", fp32(28, 20, 2), fp64(60, 40)},
    {"asin", fp32(20, 14, 1), fp64(40, 28)},
    {"asinh", fp32(30, 20, 2), fp64(64, 40)},
    {"atan", fp32(18, 14, 1), fp64(34, 26)},
    {"atan2", fp32(30, 20, 1), fp64(56, 36)},
    {"atanh", fp32(26, 20, 2), fp64(60, 40)},
    {"cbrt", fp32(12, 10, 2), fp64(28, 20)},
    {"ceil", convert(1), fp64(1, 1)},
    {"copysign", int32(1), int32(1)},
    {"cos", fp32(25, 13), fp64(38, 24)},
    {"cosh", fp32(14, 10, 2), fp64(40, 28)},
    {"cospi", fp32(14, 10), fp64(30, 20)},
    {"ddiv", fp64(18, 14), fp64(18, 14)},
    {"dsqrt", fp64(16, 13), fp64(16, 13)},
    {"erf", fp32(22, 14, 1), fp64(60, 30)},
    {"erfc", fp32(30, 20, 2), fp64(80, 40)},
    {"exp", fp32(6, 5, 1), fp64(24, 18)},
    {"exp10", fp32(7, 6, 1), fp64(26, 19)},
    {"exp2", special(2), fp64(24, 18)},
    {"expm1", fp32(14, 10, 1), fp64(34, 24)},
    {"fabs", int32(0), int32(0)},
    {"fast_cos", special(1), special(1)},
    {"fast_exp", special(4), special(4)},
    {"fast_exp10", special(4), special(4)},
    {"fast_fdivide", special(4), special(4)},
    {"fast_log", special(4), special(4)},
    {"fast_log10", special(4), special(4)},
    {"fast_log2", special(3), special(3)},
    {"fast_pow", special(8, 2), special(8, 2)},
    {"fast_sin", special(1), special(1)},
    {"fast_sincos", fp32(2, 1, 2), fp32(2, 1, 2)},
    {"fast_tan", fp32(3, 3, 3), fp32(3, 3, 3)},
    {"fdim", fp32(2, 2), fp64(2, 2)},
    {"fdiv", fp32(11, 8, 1), fp64(18, 14)},
    {"floor", convert(1), fp64(1, 1)},
    {"fma", fp32(1, 1), fp64(1, 1)},
    {"fmax", int32(1), fp64(2, 2)},
    {"fmin", int32(1), fp64(2, 2)},
    {"fmod", fp32(40, 30, 1), fp64(60, 40)},
    {"frcp", fp32(6, 5, 1), fp64(14, 10)},
    {"frexp", int32(5), int32(8)},
    {"fsqrt", fp32(7, 6, 1), fp64(16, 13)},
    {"hypot", fp32(14, 10, 2), fp64(34, 24)},
    {"isfinited", int32(1), int32(1)},
    {"isinf", int32(1), int32(2)},
    {"isnan", int32(1), int32(2)},
    {"ldexp", int32(5), int32(8)},
    {"lgamma", fp32(60, 40, 2), fp64(140, 80)},
    {"llrint", convert(1), convert(1)},
    {"log", fp32(26, 19), fp64(34, 24)},
    {"log10", fp32(27, 20), fp64(36, 25)},
    {"log1p", fp32(18, 14, 1), fp64(40, 28)},
    {"log2", fp32(28, 19), fp64(34, 24)},
    {"nearbyint", convert(1), fp64(1, 1)},
    {"pow", fp32(62, 44, 3), fp64(130, 90)},
    {"powi", fp32(20, 16, 1), fp64(40, 30)},
    {"rcbrt", fp32(12, 10, 2), fp64(28, 20)},
    {"remainder", fp32(44, 34, 1), fp64(64, 44)},
    {"rint", convert(1), fp64(1, 1)},
    {"round", fp32(4, 3), fp64(4, 3)},
    {"rsqrt", special(2), fp64(12, 10)},
    {"saturate", fp32(1, 1), fp64(1, 1)},
    {"sin", fp32(25, 13), fp64(38, 24)},
    {"sincos", fp32(30, 14), fp64(60, 28)},
    {"sincospi", fp32(22, 11), fp64(46, 22)},
    {"sinh", fp32(18, 12, 2), fp64(44, 30)},
    {"sinpi", fp32(14, 10), fp64(30, 20)},
    {"sqrt", fp32(7, 6, 1), fp64(16, 13)},
    {"tan", fp32(30, 20, 1), fp64(60, 40)},
    {"tanh", fp32(12, 9, 2), fp64(40, 28)},
    {"tgamma", fp32(70, 50, 3), fp64(160, 90)},
    {"trunc", convert(1), fp64(1, 1)},
};

bool isConversion(llvm::StringRef name) {
  for (const char* kind : {"int2", "uint2", "ll2", "ull2", "float2", "double2", "half2"})
    if (name.starts_with(kind))
      return true;
  return false;
}

/// Integer functions, bit casts and conversions.
const MathCost* plainCost(llvm::StringRef name) {
  static const MathCost nothing{Unit::Int32, 0, 0, 0}, intToFloat{Unit::IntToFloat, 1, 1, 0},
      one = int32(1), two = int32(2), slow = convert(1), bits = special(0),
      bitsTwice{Unit::Special, 2, 2, 0}, multiply24{Unit::Multiply24, 1, 1, 0},
      multiply{Unit::IntMultiply, 2, 2, 0}, wide{Unit::IntMultiply, 6, 4, 0};
  if (name.contains("_as_") || name.contains("hiloint2") || name.ends_with("2hiint") ||
      name.ends_with("2loint"))
    return &nothing;
  if (name.starts_with("int2float") || name.starts_with("uint2float"))
    return &intToFloat;
  if (isConversion(name))
    return &slow;
  if (name.starts_with("popc") || name.starts_with("clz") || name.starts_with("brev"))
    return name.ends_with("ll") ? &bitsTwice : &bits;
  if (name.starts_with("ffs"))
    return &bitsTwice;
  if (name.starts_with("mul64hi") || name.starts_with("umul64hi"))
    return &wide;
  if (name == "mul24" || name == "umul24")
    return &multiply24;
  if (name.starts_with("mul") || name.starts_with("umul"))
    return &multiply;
  for (const char* short1 : {"abs", "min", "max", "umin", "umax", "byte_perm", "sad", "usad"})
    if (name == short1)
      return &one;
  for (const char* short2 : {"llabs", "llmin", "llmax", "ullmin", "ullmax", "hadd", "uhadd",
                             "rhadd", "urhadd", "signbitf", "signbitd"})
    if (name == short2)
      return &two;
  return nullptr;
}

/// `__nv_fadd_rn` and the like: one instruction in every rounding mode.
const MathCost* roundedCost(llvm::StringRef name) {
  static const MathCost single = fp32(1, 1), twice{Unit::Fp64, 1, 1, 0};
  for (const char* kind : {"fadd_", "fsub_", "fmul_", "fmaf_", "fmaf_ieee_"})
    if (name.starts_with(kind))
      return &single;
  for (const char* kind : {"dadd_", "dsub_", "dmul_", "fma_"})
    if (name.starts_with(kind))
      return &twice;
  return nullptr;
}

const Entry* find(llvm::StringRef name) {
  const auto* found = std::ranges::lower_bound(functions, name, {}, &Entry::name);
  return found != std::end(functions) && found->name == name ? found : nullptr;
}

/// `llvm.sqrt.f32`, `llvm.nvvm.ex2.approx.ftz.f`: the name in the middle.
MathCost intrinsicCost(llvm::StringRef name) {
  const bool isDouble = name.ends_with(".f64") || name.ends_with(".d");
  if (name.consume_front("llvm.nvvm.")) {
    const bool approximate = name.contains("approx");
    const llvm::StringRef base = name.split('.').first;
    if (approximate)
      return base == "div" ? special(1) : special(0);
    if (base == "div")
      return isDouble ? fp64(18, 14) : fp32(9, 7, 1);
    if (const Entry* entry = find(base))
      return isDouble ? entry->twice : entry->single;
    if (base == "mulhi")
      return {Unit::IntMultiply, 2, 2, 0};
    if (base == "rcp")
      return isDouble ? fp64(14, 10) : fp32(6, 5, 1);
    return int32(1);
  }
  name.consume_front("llvm.");
  const llvm::StringRef base = name.split('.').first;
  const bool wide = name.ends_with("i64");
  if (base == "cttz")
    return {Unit::Special, wide ? 4 : 2, 2, 0};
  if (base == "ctpop" || base == "bitreverse" || base == "ctlz")
    return special(wide ? 1 : 0, wide ? 2 : 1);
  if (base == "fmuladd" || base == "fma")
    return isDouble ? MathCost{Unit::Fp64, 1, 1, 0} : fp32(1, 1);
  if (base == "minnum" || base == "maxnum" || base == "minimum" || base == "maximum")
    return isDouble ? fp64(2, 2) : int32(1);
  if (base == "fshl" || base == "fshr")
    return {Unit::Shift, wide ? 3 : 1, 1, 0};
  if (const Entry* entry = find(base))
    return isDouble ? entry->twice : entry->single;
  return int32(wide ? 2 : 1);
}

/// `heddle.ptx.shl.u64`: an instruction of PTX that has no name in LLVM.
MathCost operationCost(llvm::StringRef name) {
  const bool wide = name.ends_with("64");
  if (name.contains("sh"))
    return {Unit::Shift, wide ? 3 : 1, 1, 0};
  if (name.contains("bfind"))
    return special(0);
  return int32((name.contains("bf") ? 2 : 1) * (wide ? 2 : 1));
}

} // namespace

MathCost mathCost(llvm::StringRef name) {
  if (name.starts_with("llvm."))
    return intrinsicCost(name);
  if (name.starts_with("heddle.ptx."))
    return operationCost(name);
  name.consume_front("__nv_");
  if (const MathCost* cost = plainCost(name))
    return *cost;
  if (const MathCost* cost = roundedCost(name))
    return *cost;
  llvm::StringRef base = name;
  for (const char* mode : {"_rn", "_rz", "_ru", "_rd"})
    base.consume_back(mode);
  if (const Entry* entry = find(base); entry != nullptr && !base.starts_with("fast_"))
    return base == "fdiv" || base == "frcp" || base == "fsqrt" ? entry->single : entry->twice;
  llvm::StringRef single = base;
  if (single.consume_back("f"))
    if (const Entry* entry = find(single))
      return entry->single;
  return base.ends_with("f") ? fp32(20, 14) : fp64(40, 28);
}

} // namespace heddle::lowering
