// SPDX-License-Identifier: Apache-2.0
//
// Every function of ScalarMath against values of mpmath (ScalarMathReference.def), and its edge
// cases against an H200.
#include "engine/ScalarMath.h"

#include "MathReference.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <climits>
#include <cmath>
#include <set>

namespace heddle::engine {
namespace {

struct Row {
  std::string name;
  double value;
  std::vector<double> operands;
};

const std::vector<Row>& functionRows() {
  static const std::vector<Row> rows = {
#define HEDDLE_VALUE(name, value, ...) {name, value, {__VA_ARGS__}},
#define HEDDLE_ROUNDED(...)
#include "ScalarMathReference.def"
#undef HEDDLE_VALUE
#undef HEDDLE_ROUNDED
  };
  return rows;
}

const std::vector<Row>& roundedRows() {
  static const std::vector<Row> rows = {
#define HEDDLE_VALUE(...)
#define HEDDLE_ROUNDED(name, value, ...) {name, value, {__VA_ARGS__}},
#include "ScalarMathReference.def"
#undef HEDDLE_VALUE
#undef HEDDLE_ROUNDED
  };
  return rows;
}

template <class Signature> Signature* functionOf(const std::string& name) {
  return reinterpret_cast<Signature*>(scalarMath(name));
}

/// Calls a function by the signature that its name has.
template <class T>
double call(const std::string& address, const std::string& name, const std::vector<double>& x) {
  std::vector<T> v(x.begin(), x.end());
  if (name == "ilogb")
    return functionOf<int(T)>(address)(v[0]);
  if (name == "jn" || name == "yn")
    return functionOf<T(int, T)>(address)(int(x[0]), v[1]);
  if (name == "ldexp" || name == "scalbn" || name == "powi")
    return functionOf<T(T, int)>(address)(v[0], int(x[1]));
  switch (x.size()) {
  case 1:
    return functionOf<T(T)>(address)(v[0]);
  case 2:
    return functionOf<T(T, T)>(address)(v[0], v[1]);
  case 3:
    return functionOf<T(T, T, T)>(address)(v[0], v[1], v[2]);
  default:
    return functionOf<T(T, T, T, T)>(address)(v[0], v[1], v[2], v[3]);
  }
}

template <class T> double distanceInUlps(double found, double expected) {
  if (std::isnan(found) && std::isnan(expected))
    return 0;
  const T near = static_cast<T>(expected);
  if (std::isinf(near) || near == 0)
    return static_cast<T>(found) == near ? 0 : INFINITY;
  const double step = std::nextafter(std::abs(near), T(INFINITY)) - std::abs(near);
  return std::abs(found - expected) / step;
}

/// What the C library is trusted with, in units of the last place; the rest is rounded once.
double allowed(const std::string& name, bool isFloat) {
  static const std::map<std::string, std::pair<double, double>> loose = {
      {"acosh", {2, 2}}, {"asinh", {2, 2}}, {"atanh", {2, 2}}, {"cosh", {1, 2}},
      {"sinh", {1, 2}},  {"tanh", {1, 2}},  {"erfc", {1, 3}},  {"log10", {1, 2}}};
  const auto found = loose.find(name);
  if (found == loose.end())
    return 1;
  return isFloat ? found->second.second : found->second.first;
}

/// Functions under other names, that are as good as these.
const std::map<std::string, std::string>& aliases() {
  static const std::map<std::string, std::string> all = {{"__nv_fast_cosf", "cos"},
                                                         {"__nv_fast_exp10f", "exp10"},
                                                         {"__nv_fast_expf", "exp"},
                                                         {"__nv_fast_log10f", "log10"},
                                                         {"__nv_fast_log2f", "log2"},
                                                         {"__nv_fast_logf", "log"},
                                                         {"__nv_fast_powf", "pow"},
                                                         {"__nv_fast_sinf", "sin"},
                                                         {"__nv_fast_tanf", "tan"},
                                                         {"llvm.nvvm.cos.approx.f", "cos"},
                                                         {"llvm.powi.f32.i32", "powi"},
                                                         {"llvm.powi.f64.i32", "powi"},
                                                         {"llvm.exp10.f32", "exp10"},
                                                         {"llvm.exp10.f64", "exp10"},
                                                         {"llvm.ldexp.f32.i32", "ldexp"},
                                                         {"llvm.ldexp.f64.i32", "ldexp"},
                                                         {"llvm.nvvm.cos.approx.ftz.f", "cos"},
                                                         {"llvm.nvvm.ex2.approx.f", "exp2"},
                                                         {"llvm.nvvm.ex2.approx.ftz.f", "exp2"},
                                                         {"llvm.nvvm.lg2.approx.f", "log2"},
                                                         {"llvm.nvvm.lg2.approx.ftz.f", "log2"},
                                                         {"llvm.nvvm.sin.approx.f", "sin"},
                                                         {"llvm.nvvm.sin.approx.ftz.f", "sin"},
                                                         {"llvm.nvvm.ex2.approx.d", "exp2"},
                                                         {"llvm.nvvm.lg2.approx.d", "log2"}};
  return all;
}

template <class T> void expectNear(const std::string& address, const Row& row) {
  ASSERT_NE(scalarMath(address), nullptr) << address;
  if (std::isinf(static_cast<T>(row.value)) && !std::isinf(row.value))
    return;
  const double found = call<T>(address, row.name, row.operands);
  EXPECT_LE(distanceInUlps<T>(found, row.value), allowed(row.name, sizeof(T) == 4)) << fmt::format(
      "{}({}) is {}, expected {}", address, fmt::join(row.operands, ", "), found, row.value);
}

TEST(ScalarMath, IsAsAccurateAsAGpu) {
  for (const Row& row : functionRows()) {
    expectNear<double>("__nv_" + row.name, row);
    expectNear<float>("__nv_" + row.name + "f", row);
    for (const auto& [alias, name] : aliases())
      if (name == row.name && (alias.ends_with(".d") || alias.find("f64") != std::string::npos))
        expectNear<double>(alias, row);
      else if (name == row.name)
        expectNear<float>(alias, row);
  }
}

/// `dadd_rd` under the names of libdevice and nvvm.
std::vector<std::string> roundedNames(const std::string& name) {
  const std::size_t end = name.find('_');
  const std::string operation =
      name.starts_with('d') ? name.substr(1, end - 1) : name.substr(0, end);
  const std::string mode = name.ends_with("rd") ? "rm" : name.ends_with("ru") ? "rp" : "rz";
  if (operation == "sub")
    return {"__nv_" + name};
  return {"__nv_" + name, "llvm.nvvm." + operation + "." + mode + ".d"};
}

TEST(ScalarMath, RoundsAsAsked) {
  for (const Row& row : roundedRows())
    for (const std::string& name : roundedNames(row.name)) {
      ASSERT_NE(scalarMath(name), nullptr) << name;
      EXPECT_EQ(call<double>(name, row.name, row.operands), row.value)
          << fmt::format("{}({})", name, fmt::join(row.operands, ", "));
    }
  using Two = double(double, double);
  EXPECT_TRUE(std::signbit(functionOf<Two>("__nv_dadd_rd")(1, -1)));
  EXPECT_FALSE(std::signbit(functionOf<Two>("__nv_dadd_ru")(1, -1)));
  EXPECT_EQ(functionOf<Two>("__nv_dadd_rz")(0x1.fffffffffffffp1023, 0x1p1023),
            0x1.fffffffffffffp1023);
  EXPECT_EQ(functionOf<Two>("llvm.nvvm.mul.rp.d")(0x1p-1074, 0.25), 0x1p-1074);
}

TEST(ScalarMath, EveryNameIsTested) {
  std::set<std::string> tested = {"llvm.nvvm.fns", "__nv_nextafter", "__nv_nextafterf"};
  for (const Row& row : functionRows())
    tested.insert({"__nv_" + row.name, "__nv_" + row.name + "f"});
  for (const Row& row : roundedRows())
    for (const std::string& name : roundedNames(row.name))
      tested.insert(name);
  for (const auto& [alias, name] : aliases())
    tested.insert(alias);
  for (const llvm::StringRef name : scalarMathNames())
    EXPECT_TRUE(tested.contains(name.str())) << name.str();
}

/// Read off an H200 (CUDA 13.0, sm_90).
TEST(ScalarMath, EdgeCasesAreThoseOfAGpu) {
  constexpr double infinite = INFINITY, none = NAN;
  const std::vector<Row> rows = {
      {"sinpi", 0.0, {1}},
      {"sinpi", -0.0, {-1}},
      {"sinpi", 0.0, {2}},
      {"sinpi", -0.0, {-2}},
      {"cospi", 0.0, {0.5}},
      {"cospi", 0.0, {1.5}},
      {"cospi", 0.0, {-0.5}},
      {"sinpi", none, {infinite}},
      {"ilogb", INT_MIN, {0}},
      {"ilogb", INT_MAX, {infinite}},
      {"ilogb", INT_MIN, {none}},
      {"y0", none, {-1}},
      {"y0", -infinite, {0}},
      {"jn", none, {-1, 1}},
      {"yn", none, {-1, 1}},
      {"yn", none, {2, -1}},
      {"norm3d", infinite, {infinite, none, 1}},
      {"norm4d", infinite, {none, infinite, 1, 1}},
      {"rnorm3d", 0, {infinite, none, 1}},
      {"hypot", infinite, {infinite, none}},
      {"rhypot", 0, {infinite, none}},
      {"rhypot", infinite, {0, 0}},
      {"tgamma", none, {-infinite}},
      {"tgamma", none, {-1}},
      {"tgamma", -infinite, {-0.0}},
      {"tgamma", none, {-2}},
      {"lgamma", infinite, {-1}},
      {"lgamma", infinite, {-infinite}},
      {"pow", none, {-8, 0.3125}},
      {"rcbrt", -0.5, {-8}},
      {"rcbrt", -infinite, {-0.0}},
      {"erfcx", infinite, {-30}},
      {"erfcx", infinite, {-infinite}},
      {"erfcx", 0, {infinite}},
      {"erfcx", none, {none}},
      {"erfcinv", -infinite, {2}},
      {"erfcinv", none, {2.5}},
      {"erfinv", -infinite, {-1}},
      {"erfinv", none, {none}},
      {"normcdfinv", -infinite, {0}},
      {"normcdfinv", infinite, {1}},
      {"normcdf", 1, {infinite}},
      {"cyl_bessel_i0", infinite, {-2000}},
      {"cyl_bessel_i1", -infinite, {-2000}},
      {"cyl_bessel_i1", none, {none}},
  };
  for (const Row& row : rows)
    for (const bool isFloat : {false, true}) {
      const std::string address = "__nv_" + row.name + (isFloat ? "f" : "");
      const double found = isFloat ? call<float>(address, row.name, row.operands)
                                   : call<double>(address, row.name, row.operands);
      EXPECT_TRUE((std::isnan(found) && std::isnan(row.value)) ||
                  toBits(found) == toBits(row.value))
          << fmt::format("{}({}) is {}, expected {}", address, fmt::join(row.operands, ", "), found,
                         row.value);
    }
}

TEST(ScalarMath, NextNumbersAreThoseOfTheType) {
  EXPECT_EQ(functionOf<double(double, double)>("__nv_nextafter")(1, 2), 1 + 0x1p-52);
  EXPECT_EQ(functionOf<float(float, float)>("__nv_nextafterf")(1, 2), 1 + 0x1p-23f);
  EXPECT_EQ(functionOf<float(float, float)>("__nv_nextafterf")(0, -1), -0x1p-149f);
}

TEST(ScalarMath, FindsTheNthSetBit) {
  const auto find = functionOf<unsigned(unsigned, unsigned, int)>("llvm.nvvm.fns");
  EXPECT_EQ(find(0b101100, 0, 1), 2u);
  EXPECT_EQ(find(0b101100, 2, 2), 3u);
  EXPECT_EQ(find(0b101100, 5, -3), 2u);
  EXPECT_EQ(find(0b101100, 5, -4), ~0u);
  EXPECT_EQ(find(0b101100, 3, 0), 3u);
  EXPECT_EQ(find(0b101100, 4, 0), ~0u);
}

} // namespace
} // namespace heddle::engine
