// SPDX-License-Identifier: Apache-2.0
//
// Results of PTX as an H200 has them, where a processor's own arithmetic gives others.
#include "EngineFixture.h"

namespace heddle::engine {
namespace {

/// What instructions make of up to three operands: a, b and c to r, registers of one type.
std::uint64_t made(const std::string& type, const std::string& instructions,
                   std::vector<std::uint64_t> operands) {
  const std::string ptx =
      ".version 8.0\n.target sm_90\n.address_size 64\n"
      ".visible .entry k(.param .u64 data, .param .u32 n) {\n"
      ".reg .u64 p; .reg .f64 d; .reg .f32 f; .reg .u32 u, v; .reg .s32 s; .reg ." +
      type + " a, b, c, r;\n" + "ld.param.u64 p, [data]; ld.global." + type +
      " a, [p]; ld.global." + type + " b, [p+8]; ld.global." + type + " c, [p+16];\n" +
      instructions + "\nst.global." + type + " [p+24], r;\nret;\n}\n";
  auto module = frontend::parseDeviceModule(ptx, "test.ptx");
  EXPECT_TRUE(module) << module.error().message;
  TestKernel test;
  test.program = DeviceProgram::load(*std::move(module)).value();
  test.kernel = test.program->kernel("k").value();
  operands.resize(4);
  EXPECT_TRUE(runOn(test, operands, 1, 1));
  return operands[3];
}

/// Just below the normal numbers: rounding to a subnormal number would lift all of these.
TEST(GpuBits, AreFlushedIfBelowTheNormalNumbersAfterRounding) {
  constexpr std::uint64_t least = 0x00800000, sign = 0x80000000;
  EXPECT_EQ(made("f32", "mul.ftz.f32 r, a, b;", {0x1d73bd90, 0xa2867025}), sign);
  EXPECT_EQ(made("f32", "mul.ftz.f32 r, a, b;", {0x186070cd, 0xa791ff9f}), sign | least);
  EXPECT_EQ(made("f32", "fma.rn.ftz.f32 r, a, b, c;", {0x9bd46915, 0x17e61cde, least}), 0U);
  EXPECT_EQ(made("f32", "fma.rn.ftz.f32 r, a, b, c;", {0x9a064b8d, 0x17000000, least}), least);
  EXPECT_EQ(made("f32", "mul.rp.ftz.f32 r, a, b;", {0x9e800ad0, 0xa17fea60}), 0U);
  EXPECT_EQ(
      made("f32", "mul.ftz.f32 r, a, b; mul.ftz.f32 r, r, 0f3f000000;", {0x1d73bd90, 0xa3067025}),
      sign);
  EXPECT_EQ(made("b16", "mul.rn.ftz.f16 r, a, b;", {0x1964, 0xa5ef}), 0x8000U);
}

/// A conversion with .ftz looks at the double as it is.
TEST(GpuBits, ADoubleBelowTheNormalFloatsIsFlushed) {
  const std::string convert =
      "mov.b64 d, a; cvt.rn.ftz.f32.f64 f, d; mov.b32 u, f; cvt.u64.u32 r, u;";
  EXPECT_EQ(made("b64", convert, {0x380fffffffffffff}), 0U);
  EXPECT_EQ(made("b64", convert, {0xb7f8000000000000}), 0x80000000U);
  EXPECT_EQ(made("b64", convert, {0x3810000000000000}), 0x00800000U);
}

/// The sign of a NaN of doubles, on a 1.
TEST(GpuBits, ANanOfDoublesHasTheSignOfAnOperand) {
  constexpr std::uint64_t plus = 0x7ff8000000000001, minus = 0xfff8000000000002,
                          one = 0x3ff0000000000000, minusOne = 0xbff0000000000000,
                          infinity = 0x7ff0000000000000;
  const auto signOf = [](const std::string& instruction, std::vector<std::uint64_t> operands) {
    return made("f64", instruction + " copysign.f64 r, d, 0d3ff0000000000000;",
                std::move(operands));
  };
  EXPECT_EQ(signOf("add.f64 d, a, b;", {plus, minus}), minusOne);
  EXPECT_EQ(signOf("add.f64 d, a, b;", {minus, plus}), one);
  EXPECT_EQ(signOf("sub.f64 d, a, b;", {one, plus}), one) << "no sign is changed";
  EXPECT_EQ(signOf("neg.f64 d, a;", {plus}), one);
  EXPECT_EQ(signOf("abs.f64 d, a;", {minus}), minusOne);
  EXPECT_EQ(signOf("sub.f64 d, a, b;", {infinity, infinity}), minusOne) << "the GPU's own";
  EXPECT_EQ(signOf("fma.rn.f64 d, a, b, c;", {one, plus, minus}), one);
  EXPECT_EQ(signOf("fma.rn.f64 d, a, b, c;", {plus, one, minus}), minusOne);
  EXPECT_EQ(signOf("div.rn.f64 d, a, b;", {plus, minus}), one);
  EXPECT_EQ(signOf("min.f64 d, a, b;", {plus, minus}), minusOne);
  EXPECT_EQ(signOf("cvt.rn.f32.f64 f, a; neg.f32 f, f; cvt.f64.f32 d, f;", {minus}), one)
      << "arithmetic of floats";
  EXPECT_EQ(signOf("cvt.rn.f32.f64 f, a; cvt.f64.f32 d, f;", {minus}), minusOne);
}

/// That of floats has none, but where it was loaded.
TEST(GpuBits, ANanOfFloatsIsPositive) {
  constexpr std::uint64_t infinity = 0x7f800000, minus = 0xffc00000, one = 0x3f800000;
  EXPECT_EQ(made("f32", "sub.f32 f, a, b; copysign.f32 r, f, c;", {infinity, infinity, one}), one);
  EXPECT_EQ(made("f32", "copysign.f32 r, a, c;", {minus, 0, one}), 0xbf800000U);
}

TEST(GpuBits, WhatPtxasFolds) {
  const std::string twice = "cvt.rzi.u32.f32 u, a; cvt.rn.f32.u32 f, u; cvt.rni.u32.f32 v, f;";
  EXPECT_EQ(made("f32", twice + "mov.b32 r, v;", {0x402ccccd}), 3U) << "2.7";
  const std::string withSign = "cvt.rzi.s32.f32 s, a; cvt.rn.f32.s32 f, s; cvt.rni.s32.f32 s, f;";
  EXPECT_EQ(made("f32", withSign + "mov.b32 r, s;", {0x402ccccd}), 2U);
  EXPECT_EQ(made("s32", "abs.s32 s, a; rem.s32 r, s, b;", {0x80000000, 3}), 2U);
  EXPECT_EQ(made("s32", "abs.s32 s, a; rem.s32 r, s, b;", {0x80000000, 0xfffffffd}), 2U);
  EXPECT_EQ(made("s32", "rem.s32 r, a, b;", {0x80000000, 3}), 0xfffffffeU);
}

} // namespace
} // namespace heddle::engine
