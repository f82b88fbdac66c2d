// SPDX-License-Identifier: Apache-2.0
//
// Instructions of ptxas, as NVIDIA's disassembler prints them, and what is read of them.
#include "Assemble.h"

#include <fmt/format.h>

namespace heddle::sassrun {
namespace {

/// Signs are read of what has them: other operations have other things in their bits.
struct Signs {
  bool negates = false, isAbsolute = false;
};

std::string textOf(const Source& source, const Encoding& code, const Signs& signs) {
  std::string text;
  switch (source.kind) {
  case SourceKind::Register:
    text = source.index == zeroRegister ? "RZ" : fmt::format("R{}", source.index);
    break;
  case SourceKind::Uniform:
    text = source.index == uniformZeroRegister ? "URZ" : fmt::format("UR{}", source.index);
    break;
  case SourceKind::Immediate:
    return fmt::format("{:#x}", source.value);
  case SourceKind::Constant:
    text = fmt::format("c[{:#x}][{:#x}]", source.bank, source.value);
    break;
  }
  if (signs.isAbsolute && source.isAbsolute(code))
    text = "|" + text + "|";
  return signs.negates && source.isNegated(code) ? "-" + text : text;
}

/// Guard, operation with its form, result, operands a, b and c.
std::string decoded(const Encoding& code, const Signs& signs) {
  const Instruction i = decode(code);
  std::string guard;
  if (i.guard != truePredicate)
    guard = fmt::format("@{}{}{} ", i.guardIsNegated ? "!" : "", i.guardIsUniform ? "UP" : "P",
                        i.guard);
  return fmt::format("{}{:03x}/{} {} {} {} {}", guard, code.operation(), code.form(), i.result,
                     textOf(i.a, code, signs), textOf(i.b, code, signs), textOf(i.c, code, signs));
}

struct Case {
  const char* text; ///< of the disassembler
  Encoding code;
  const char* decoded;
};

/// Operands that an operation does not have are RZ, or registers 0 where its bits are zero.
constexpr Case cases[] = {
    {"@!P3 IADD3 R24, -R17, -0x9, RZ",
     {0xfffffff71118b810, 0x000fc80007ffe1ff},
     "@!P3 010/4 24 -R17 0xfffffff7 RZ"},
    {"IADD3 R12, R12, R13, R4", {0x0000000d0c0c7210, 0x004fe40007ffe004}, "010/1 12 R12 R13 R4"},
    {"IADD3 R3, R1, -R3, R4", {0x8000000301037210, 0x000fca0007ffe004}, "010/1 3 R1 -R3 R4"},
    {"IADD3 R22, P0, P1, R22, -R3, -R2",
     {0x8000000316167210, 0x000fe4000791e802},
     "010/1 22 R22 -R3 -R2"},
    {"IADD3 R7, -R6, UR6, R3", {0x0000000606077c10, 0x000fc8000fffe103}, "010/6 7 -R6 UR6 R3"},
    {"@!P1 IMAD R4, R0, 0x8, R7",
     {0x0000000800049824, 0x000fe200078e0207},
     "@!P1 024/4 4 R0 0x8 R7"},
    {"IMAD R11, R4, R10, R11", {0x0000000a040b7224, 0x000fca00078e020b}, "024/1 11 R4 R10 R11"},
    {"IMAD R9, R0, 0x2, -R9", {0x0000000200097824, 0x000fc800078e0a09}, "024/4 9 R0 0x2 -R9"},
    {"IMAD R9, R5, R3, UR6", {0x0000000605097e24, 0x000fe2000f8e0203}, "024/7 9 R5 R3 UR6"},
    {"@!P2 IMAD.MOV R5, RZ, RZ, -R5",
     {0x000000ffff05a224, 0x000fe200078e0a05},
     "@!P2 024/1 5 RZ RZ -R5"},
    {"LEA R12, R12, -R11, 0x17", {0x8000000b0c0c7211, 0x004fc600078eb8ff}, "011/1 12 R12 -R11 -RZ"},
    {"SHF.R.U64 R16, R16, R17, R18",
     {0x0000001110107219, 0x000fe40000001212},
     "019/1 16 R16 R17 R18"},
    {"@!P2 SHF.R.S32.HI R10, RZ, 0x1f, R11",
     {0x0000001fff0aa819, 0x010fe4000001140b},
     "@!P2 019/4 10 RZ 0x1f R11"},
    {"PRMT R12, R4, 0x7610, R12",
     {0x00007610040c7816, 0x000fe2000000000c},
     "016/4 12 R4 0x7610 R12"},
    {"PRMT R4, R0, R23, 0x1b", {0x0000001b00047416, 0x000fc60000000017}, "016/2 4 R0 R23 0x1b"},
    {"LOP3.LUT R4, R3, R2, R0, 0xfe, !PT",
     {0x0000000203047212, 0x010fc600078efe00},
     "012/1 4 R3 R2 R0"},
    {"@P2 VIADDMNMX R13, R13, 0x1, R12, PT",
     {0x000000010d0d2846, 0x004fc8000380010c},
     "@P2 046/4 13 R13 0x1 R12"},
    {"ISETP.EQ.AND P2, PT, R13, UR5, !P2",
     {0x000000050d007c0c, 0x000fe2000d742270},
     "00c/6 0 R13 UR5 R112"},
    {"VABSDIFF R8, R5, R6, 0x5", {0x0000000505087414, 0x000fe400000e0206}, "014/2 8 R5 R6 0x5"},
    {"MOV R0, 0x400", {0x0000040000007802, 0x000fe20000000f00}, "002/4 0 R0 0x400 R0"},
    {"MOV R24, R2", {0x0000000200187202, 0x000fe40000000f00}, "002/1 24 R0 R2 R0"},
    {"SEL R5, R5, 0xff, !P0", {0x000000ff05057807, 0x000fca0004000000}, "007/4 5 R5 0xff R0"},
    {"FFMA R9, -R9, 0.5, |R20|",
     {0x3f00000009097823, 0x002fc80000000514},
     "023/4 9 -R9 0x3f000000 |R20|"},
    {"FADD R21, -|R11|, -RZ", {0x800000ff0b157221, 0x000fe20000000300}, "021/1 21 -|R11| -RZ R0"},
    {"FADD R6, -|R20|, 1",
     {0x3f80000014067421, 0x000fd20000000300},
     "021/2 6 -|R20| R0 0x3f800000"},
    {"@!P1 MUFU.RCP R21, -R21",
     {0x8000001500159308, 0x000e680000001000},
     "@!P1 108/1 21 R0 -R21 R0"},
    {"FCHK P0, -R6, R17", {0x0000001106007302, 0x000e620000000100}, "102/1 0 -R6 R17 R0"},
    {"@P4 DFMA R30, R12, UR8, R14",
     {0x000000080c1e4c2b, 0x000fe4000800000e},
     "@P4 02b/6 30 R12 UR8 R14"},
    {"DFMA R18, -R30, R16, -UR4",
     {0x800000041e127e2b, 0x000fd00008000110},
     "02b/7 18 -R30 R16 -UR4"},
    {"@!P0 DADD R10, R22, 1",
     {0x3ff00000160a8429, 0x000fe20000000000},
     "@!P0 029/2 10 R22 R0 0x3ff00000"},
    {"UISETP.GE.AND UP0, UPT, UR4, 0x1, UPT",
     {0x000000010400788c, 0x000fe2000bf06270},
     "08c/4 0 UR4 0x1 UR48"},
    {"@UP0 UIADD3 UR5, UR5, -UR6, URZ",
     {0x8000000605050290, 0x000fe4000fffe03f},
     "@UP0 090/1 5 UR5 -UR6 URZ"},
    {"UIADD3 UR5, -UR10, 0x1, URZ",
     {0x000000010a057890, 0x000fe2000fffe13f},
     "090/4 5 -UR10 0x1 URZ"},
    {"ULEA UR6, UP0, -UR4, UR8, 0x1e",
     {0x0000000804067291, 0x000fc8000f80f13f},
     "091/1 6 -UR4 UR8 URZ"},
    {"@!UP0 UMOV UR5, 0x400",
     {0x0000040000058882, 0x000fe40000000000},
     "@!UP0 082/4 5 UR0 0x400 UR0"},
    {"@!UP0 S2UR UR6, SR_CgaCtaId",
     {0x00000000000689c3, 0x000ea20000008800},
     "@!UP0 1c3/4 6 R0 0x0 R0"},
    {"@!UP0 ULDC UR4, c[0x0][0x210]",
     {0x0000840000048ab9, 0x000fe40000000800},
     "@!UP0 0b9/5 4 UR0 c[0x0][0x210] UR0"},
    {"ULDC.64 UR6, c[0x0][0x208]",
     {0x0000820000067ab9, 0x000fe20000000a00},
     "0b9/5 6 UR0 c[0x0][0x208] UR0"},
    {"LDC R1, c[0x0][0x28]",
     {0x00000a00ff017b82, 0x000fe20000000800},
     "182/5 1 RZ c[0x0][0x28] R0"},
    {"@!P0 EXIT", {0x000000000000894d, 0x000fea0003800000}, "@!P0 14d/4 0 R0 0x0 R0"},
    {"WARPSYNC R12", {0x000000000c007348, 0x000fea0003800000}, "148/1 0 R12 R0 R0"},
};

TEST(SassrunInstruction, IsReadAsTheDisassemblerDoes) {
  for (const Case& each : cases) {
    const std::string_view text = each.text;
    const bool negates = text.find("-R") != text.npos || text.find("-U") != text.npos ||
                         text.find("-|") != text.npos;
    EXPECT_EQ(decoded(each.code, {negates, text.find('|') != text.npos}), each.decoded) << text;
  }
}

/// A field may begin in one word and end in the other.
TEST(SassrunInstruction, FieldsCrossTheWords) {
  constexpr Encoding code = {0x8000000000000001, 0x0000000000000005};
  EXPECT_EQ(code.bits(0, 64), code.low);
  EXPECT_EQ(code.bits(64, 64), code.high);
  EXPECT_EQ(code.bits(63, 4), 0b1011U);
  EXPECT_EQ(code.signedBits(63, 4), -5);
  EXPECT_EQ(code.signedBits(63, 5), 11);
}

TEST(SassrunInstruction, WhatCannotBeRunHasNoHandler) {
  const Encoding unknown[] = {
      {0x00000014080c723c, 0x004fee000000080c}, // HMMA.16816.F16 R12, R8, R20, R12
      {0x200004140e047f60, 0x000f6800099e0f06}, // TEX.LL R6, R4, R14, R20, UR4, 0x0, 2D
      {0x6000040002007f9d, 0x000fe2000810a900}, // SUST.D.BA.2D.STRONG.SM.IGN [R2], R0, UR4, 0x0
      {0x00000000000079c7, 0x000fec0008000000}, // UCGABAR_ARV
  };
  for (const Encoding& each : unknown) {
    EXPECT_EQ(handlerFor(each), nullptr) << each.operation();
    EXPECT_FALSE(isControl(each)) << each.operation();
    EXPECT_TRUE(Program::fromCode({each, exitAll})->kernel("code")->unrunnable);
  }
  EXPECT_FALSE(Program::fromCode({nop, exitAll})->kernel("code")->unrunnable);
}

} // namespace
} // namespace heddle::sassrun
