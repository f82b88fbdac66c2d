// SPDX-License-Identifier: Apache-2.0
//
// Shapes of PTX, and what ptxas 13.0 was seen to make of them. A result is written as
// `fma(a,b,-y)`; a to f are numbers from memory.
#include "ptx/FuseProducts.h"

#include "ptx/ReadPtx.h"
#include "sass/Arithmetic.h"
#include "support/Files.h"
#include "support/Parse.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace heddle::ptx {
namespace {

/// A kernel that loads a to f, runs the text and stores what `out` names.
std::string kernelOf(const std::string& text, const std::string& bits = "f32") {
  std::string body = fmt::format(".visible .entry k(.param .u64 to, .param .{} g) {{\n"
                                 ".reg .{} a, b, c, d, e, f, u, v, w, x, y, z;\n"
                                 ".reg .pred p;\n.reg .b64 q;\nld.param.u64 q, [to];\n",
                                 bits, bits);
  for (int i = 0; i < 6; ++i)
    body += fmt::format("ld.global.{} {}, [q+{}];\n", bits, char('a' + i), i * 8);
  for (const std::string_view line : splitText(text, ';'))
    if (line.find_first_not_of(' ') != std::string_view::npos)
      body += std::string(line) + (line.ends_with(":") ? "\n" : ";\n");
  return ".version 8.7\n.target sm_90\n.address_size 64\n" + body + "ret;\n}\n";
}

std::string written(const llvm::Value* value);

std::string writtenCall(const llvm::CallInst& call) {
  const llvm::StringRef name = call.getCalledFunction()->getName();
  std::string text = name.starts_with("llvm.fma.") || name.contains(".fma.") ? "fma" : name.str();
  for (unsigned i = 0; i < call.arg_size(); ++i)
    text += (i == 0 ? "(" : ",") + written(call.getArgOperand(i));
  return text + ")";
}

/// What is computed, with the sign in front of operands.
std::string written(const llvm::Value* value) {
  using llvm::Instruction;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(value))
    return fmt::format("{}", number->getValueAPF().convertToDouble());
  const auto* made = llvm::dyn_cast<Instruction>(value);
  if (made == nullptr)
    return "g";
  const auto of = [&](unsigned index) { return written(made->getOperand(index)); };
  switch (made->getOpcode()) {
  case Instruction::Load: {
    llvm::APInt offset(64, 0);
    const llvm::DataLayout& layout = made->getModule()->getDataLayout();
    const llvm::Value* place = made->getOperand(0);
    place->stripAndAccumulateConstantOffsets(layout, offset, true);
    return std::string(1, char('a' + offset.getZExtValue() / 8));
  }
  case Instruction::FNeg:
  case Instruction::Xor:
    return "-" + of(0);
  case Instruction::FMul:
    return "(" + of(0) + "*" + of(1) + ")";
  case Instruction::FAdd:
    return "(" + of(0) + "+" + of(1) + ")";
  case Instruction::FSub:
    return "(" + of(0) + "-" + of(1) + ")";
  case Instruction::FDiv:
    return "(" + of(0) + "/" + of(1) + ")";
  case Instruction::Call:
    return writtenCall(*llvm::cast<llvm::CallInst>(made));
  case Instruction::PHI:
    return "phi";
  case Instruction::Select:
    return "(? " + of(1) + " : " + of(2) + ")";
  default:
    return made->getNumOperands() > 0 ? of(0) : "?";
  }
}

/// What a kernel stores, in its order.
std::string stored(const std::string& ptx, const ArithmeticOfLines& machine = {}) {
  llvm::LLVMContext context;
  auto module = readPtx(ptx, "test.ptx", context);
  EXPECT_TRUE(module) << module.error().message;
  if (!module)
    return {};
  fuseProducts(**module, machine);
  std::string text;
  for (const llvm::Instruction& each : llvm::instructions(*(*module)->getFunction("k"))) {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&each))
      text += (text.empty() ? "" : " ") + written(store->getValueOperand());
    EXPECT_EQ(each.getMetadata("heddle.fuse"), nullptr);
  }
  return text;
}

std::string floats(const std::string& text) {
  return stored(kernelOf(text));
}

/// The same with another type.
std::string withType(std::string text, const std::string& type, const std::string& bits) {
  for (std::size_t at = 0; (at = text.find(".f32", at)) != std::string::npos; ++at)
    text.replace(at, 4, "." + type);
  for (std::size_t at = 0; (at = text.find("global." + type, at)) != std::string::npos; ++at)
    text.replace(at, 7 + type.size(), "global." + bits);
  return stored(kernelOf(text, bits));
}

constexpr const char* difference =
    "mul.f32 x,a,b; mul.f32 y,c,d; sub.f32 z,x,y; st.global.f32 [q],z;";

TEST(FuseProducts, TakesTheFirstOfTwoProducts) {
  EXPECT_EQ(floats(difference), "fma(a,b,-(c*d))");
  EXPECT_EQ(floats("mul.f32 x,a,b; mul.f32 y,c,d; sub.f32 z,y,x; st.global.f32 [q],z;"),
            "fma(c,d,-(a*b))");
  EXPECT_EQ(floats("mul.f32 x,a,b; mul.f32 y,c,d; add.f32 z,x,y; st.global.f32 [q],z;"),
            "fma(a,b,(c*d))");
}

TEST(FuseProducts, TakesAProductOnEitherSide) {
  EXPECT_EQ(floats("mul.f32 x,a,b; sub.f32 z,x,c; st.global.f32 [q],z;"), "fma(a,b,-c)");
  EXPECT_EQ(floats("mul.f32 x,a,b; sub.f32 z,c,x; st.global.f32 [q],z;"), "fma(-a,b,c)");
}

TEST(FuseProducts, PrefersWhatIsUsedOnce) {
  EXPECT_EQ(floats("mul.f32 x,a,b; mul.f32 y,c,d; add.f32 z,x,y; add.f32 w,x,e;"
                   "st.global.f32 [q],z; st.global.f32 [q],w;"),
            "fma(c,d,(a*b)) ((a*b)+e)");
  // also where the sum that needs it comes later
  EXPECT_EQ(floats("mul.f32 x,a,b; mul.f32 y,c,d; add.f32 w,x,e; add.f32 z,x,y;"
                   "st.global.f32 [q],w; st.global.f32 [q],z;"),
            "((a*b)+e) fma(c,d,(a*b))");
}

TEST(FuseProducts, PrefersFewerUses) {
  EXPECT_EQ(floats("mul.f32 x,a,b; mul.f32 y,c,d; sub.f32 z,x,y; add.f32 w,y,e; add.f32 u,x,f;"
                   "add.f32 v,x,e; st.global.f32 [q],z; st.global.f32 [q],w; st.global.f32 [q],u;"
                   "st.global.f32 [q],v;"),
            "fma(-c,d,(a*b)) fma(c,d,e) ((a*b)+f) ((a*b)+e)");
}

TEST(FuseProducts, CopiesAProductThatOnlySumsUse) {
  EXPECT_EQ(floats("mul.f32 x,a,b; add.f32 z,x,c; sub.f32 w,d,x;"
                   "st.global.f32 [q],z; st.global.f32 [q],w;"),
            "fma(a,b,c) fma(-a,b,d)");
}

TEST(FuseProducts, LeavesAProductThatIsNeededAnyway) {
  EXPECT_EQ(floats("mul.f32 x,a,b; add.f32 z,x,c; st.global.f32 [q],z; st.global.f32 [q],x;"),
            "((a*b)+c) (a*b)");
  EXPECT_EQ(floats("mul.f32 x,a,b; add.f32 z,x,x; st.global.f32 [q],z;"), "((a*b)+(a*b))");
}

TEST(FuseProducts, LeavesARoundingMode) {
  EXPECT_EQ(floats("mul.rn.f32 x,a,b; add.f32 z,x,c; st.global.f32 [q],z;"), "((a*b)+c)");
  EXPECT_EQ(floats("mul.f32 x,a,b; add.rn.f32 z,x,c; st.global.f32 [q],z;"), "((a*b)+c)");
}

TEST(FuseProducts, LeavesCodeForDebugging) {
  std::string ptx = kernelOf(difference);
  ptx.replace(ptx.find("sm_90"), 5, "sm_90, debug");
  EXPECT_EQ(stored(ptx), "((a*b)-(c*d))");
}

TEST(FuseProducts, LooksThroughSigns) {
  EXPECT_EQ(floats("mul.f32 x,a,b; neg.f32 y,x; add.f32 z,y,c; st.global.f32 [q],z;"),
            "fma(-a,b,c)");
  EXPECT_EQ(floats("mul.f32 x,a,b; neg.f32 y,x; sub.f32 z,c,y; st.global.f32 [q],z;"),
            "fma(a,b,c)");
  EXPECT_EQ(floats("mul.f32 x,a,b; abs.f32 y,x; add.f32 z,y,c; st.global.f32 [q],z;"),
            "(llvm.fabs.f32((a*b))+c)");
}

TEST(FuseProducts, FlushesOnBothSidesOrNot) {
  EXPECT_EQ(floats("mul.ftz.f32 x,a,b; sub.ftz.f32 z,c,x; st.global.f32 [q],z;"), "fma(-a,b,c)");
  EXPECT_EQ(floats("mul.ftz.f32 x,a,b; neg.ftz.f32 y,x; add.ftz.f32 z,y,c; st.global.f32 [q],z;"),
            "fma(-a,b,c)");
  EXPECT_EQ(floats("mul.ftz.f32 x,a,b; add.f32 z,x,c; st.global.f32 [q],z;"),
            "(llvm.nvvm.mul.rn.ftz.f(a,b)+c)");
}

TEST(FuseProducts, SaturatesSumsButNoProducts) {
  EXPECT_EQ(floats("mul.f32 x,a,b; add.sat.f32 z,x,c; st.global.f32 [q],z;"),
            "llvm.nvvm.saturate.f(fma(a,b,c))");
  EXPECT_EQ(floats("mul.sat.f32 x,a,b; add.f32 z,x,c; st.global.f32 [q],z;"),
            "(llvm.nvvm.saturate.f((a*b))+c)");
}

TEST(FuseProducts, StaysInABlock) {
  const std::string branch = "setp.lt.f32 p,e,f; @p bra L; st.global.f32 [q],c; L:;";
  EXPECT_EQ(floats("mul.f32 x,a,b;" + branch + "add.f32 z,x,c; st.global.f32 [q],z;"),
            "c ((a*b)+c)");
  EXPECT_EQ(floats("mul.f32 x,a,b; @p st.global.f32 [q],c; add.f32 z,x,c; st.global.f32 [q],z;"),
            "c ((a*b)+c)");
  EXPECT_EQ(floats("mul.f32 x,a,b; bar.sync 0; add.f32 z,x,c; st.global.f32 [q],z;"), "fma(a,b,c)");
  EXPECT_EQ(floats("mul.f32 x,a,b; div.rn.f32 y,e,f; add.f32 z,x,c; st.global.f32 [q],z;"
                   "st.global.f32 [q],y;"),
            "((a*b)+c) (e/f)");
  // a factor that the machine has among its constants
  EXPECT_EQ(floats("mul.f32 x,a,0f40400000;" + branch + "add.f32 z,x,c; st.global.f32 [q],z;"),
            "c fma(a,3,c)");
  EXPECT_EQ(
      floats("ld.param.f32 u,[g]; mul.f32 x,a,u;" + branch + "add.f32 z,x,c; st.global.f32 [q],z;"),
      "c fma(a,g,c)");
}

TEST(FuseProducts, TakesGuardedSumsButNoGuardedProducts) {
  EXPECT_EQ(floats("mov.f32 z,d; mul.f32 x,a,b; @p add.f32 z,x,c; st.global.f32 [q],z;"),
            floats("mov.f32 z,d; fma.rn.f32 u,a,b,c; @p mov.f32 z,u; st.global.f32 [q],z;"));
}

TEST(FuseProducts, FusesDoublesAndHalves) {
  EXPECT_EQ(withType(difference, "f64", "f64"), "fma(a,b,-(c*d))");
  EXPECT_EQ(withType(difference, "f16", "b16"), "fma(a,b,-heddle.ptx.small.mul.f16(c,d))");
  EXPECT_EQ(withType(difference, "bf16x2", "b32"), "fma(a,b,-heddle.ptx.small.mul.bf16x2(c,d))");
  const char* order = "mul.f32 x,a,b; mul.f32 y,c,d; add.f32 w,x,e; add.f32 z,x,y;"
                      "st.global.f32 [q],w; st.global.f32 [q],z;";
  EXPECT_EQ(withType(order, "f16", "b16"),
            "heddle.ptx.small.add.f16(heddle.ptx.small.mul.f16(a,b),e) "
            "fma(c,d,heddle.ptx.small.mul.f16(a,b))");
  // pairs take what comes first
  EXPECT_EQ(withType(order, "f16x2", "b32"), "fma(a,b,e) fma(c,d,heddle.ptx.small.mul.f16x2(a,b))");
}

TEST(FuseProducts, ScalesProducts) {
  EXPECT_EQ(floats("mul.f32 x,a,b; mul.f32 z,x,0f3E800000; st.global.f32 [q],z;"),
            "heddle.ptx.mul.d4.f(a,b)");
  EXPECT_EQ(floats("mul.f32 x,a,b; mul.ftz.f32 z,x,0f40000000; st.global.f32 [q],z;"),
            "heddle.ptx.mul.m2.ftz.f(a,b)");
  EXPECT_EQ(floats("mul.f32 x,a,b; mul.f32 z,x,0f41800000; st.global.f32 [q],z;"), "((a*b)*16)");
  EXPECT_EQ(floats("mul.f32 x,a,b; mul.f32 z,x,0fBF000000; st.global.f32 [q],z;"), "((a*b)*-0.5)");
  EXPECT_EQ(floats("mul.rn.f32 x,a,b; mul.f32 z,x,0f3F000000; st.global.f32 [q],z;"),
            "((a*b)*0.5)");
  // a sum takes the outer one first
  EXPECT_EQ(floats("mul.f32 x,a,b; mul.f32 y,x,0f3F000000; add.f32 z,y,c; st.global.f32 [q],z;"),
            "fma((a*b),0.5,c)");
  EXPECT_EQ(floats("mul.f32 x,a,b; mul.f32 y,x,0f3F000000; mul.f32 z,y,0f3F000000;"
                   "st.global.f32 [q],z;"),
            "(heddle.ptx.mul.d2.f(a,b)*0.5)");
}

/// The line of the first instruction with a name.
std::uint32_t lineOf(const std::string& ptx, std::string_view name) {
  std::uint32_t number = 0;
  for (const std::string_view line : splitText(ptx, '\n')) {
    ++number;
    if (line.find(name) != std::string_view::npos)
      return number;
  }
  return 0;
}

TEST(FuseProducts, BelievesMachineCode) {
  const std::string ptx = kernelOf(difference);
  const std::uint32_t x = lineOf(ptx, "mul.f32 x"), y = lineOf(ptx, "mul.f32 y"),
                      z = lineOf(ptx, "sub.f32 z");
  EXPECT_EQ(stored(ptx, {{z, {.adds = true}}}), "((a*b)-(c*d))");
  EXPECT_EQ(stored(ptx, {{z, {.fuses = true}}, {x, {.multiplies = true}}}), "fma(-c,d,(a*b))");
  EXPECT_EQ(stored(ptx, {{z, {.fuses = true}}, {y, {.multiplies = true}}}), "fma(a,b,-(c*d))");
  // copies that differ say nothing
  EXPECT_EQ(stored(ptx, {{z, {.adds = true, .fuses = true}}}), "fma(a,b,-(c*d))");
}

TEST(FuseProducts, BelievesMachineCodeAcrossBlocks) {
  const std::string ptx = kernelOf("mul.f32 x,a,b; setp.lt.f32 p,e,f; @p bra L;"
                                   "st.global.f32 [q],c; L:; add.f32 z,x,c; st.global.f32 [q],z;");
  EXPECT_EQ(stored(ptx, {{lineOf(ptx, "add.f32 z"), {.fuses = true}}}), "c fma(a,b,c)");
}

/// z = x + z; x = a*z, three times, or as often as a number that is loaded says.
std::string loopOf(const std::string& rounds) {
  std::string ptx = kernelOf("mov.f32 z,b; mov.f32 x,c; mov.u32 i,0; " + rounds +
                             "L:; add.f32 z,x,z; mul.f32 x,a,z; add.s32 i,i,1; "
                             "setp.lt.u32 p,i,n; @p bra L; st.global.f32 [q],z;");
  return ptx.insert(ptx.find(".reg .pred"), ".reg .b32 i, n;\n");
}

constexpr const char* fusedInSome = "(? fma(phi,phi,phi) : (phi+phi))";

TEST(FuseProducts, FusesInTheRoundsThatMachineCodeFuses) {
  const std::string three = loopOf("mov.u32 n,3; ");
  const std::uint32_t sum = lineOf(three, "add.f32 z");
  const auto with = [&](const std::string& ptx, std::vector<MachineSum> sums) {
    return stored(ptx, {{sum, {.adds = true, .fuses = true, .sums = std::move(sums)}}});
  };
  const MachineSum apart{}, fused{.fuses = true}, apartLoop{.isLoop = true},
      fusedLoop{.fuses = true, .isLoop = true};
  EXPECT_EQ(with(three, {apart, fused, fused}), fusedInSome);
  EXPECT_EQ(with(three, {apart, fusedLoop}), fusedInSome);
  // the first round has no product
  EXPECT_EQ(with(three, {fused, fused, apart}), "(phi+phi)");
  // nobody knows which copy a round runs
  EXPECT_EQ(with(three, {apart, fused}), "(phi+phi)");
  const std::string some = loopOf("ld.global.u32 n,[q+4]; ");
  EXPECT_EQ(with(some, {apart, fused, fused}), "(phi+phi)");
  EXPECT_EQ(with(some, {apart, apartLoop, fusedLoop, fusedLoop, fusedLoop, apart, fused, apart}),
            fusedInSome);
}

TEST(FuseProducts, SaysWhereMachineCodeLeavesSomethingOpen) {
  const auto isOpen = [](const std::string& ptx, const ArithmeticOfLines& machine) {
    llvm::LLVMContext context;
    auto module = readPtx(ptx, "test.ptx", context);
    EXPECT_TRUE(module) << module.error().message;
    fuseProducts(**module, machine);
    return (*module)->getFunction("k")->hasFnAttribute(roundsOtherwise);
  };
  const std::string ptx =
      kernelOf("mul.f32 x,a,b; mul.f32 y,c,d; sub.f32 z,x,y; st.global.f32 [q],z;");
  const std::uint32_t x = lineOf(ptx, "mul.f32 x"), z = lineOf(ptx, "sub.f32 z");
  EXPECT_FALSE(isOpen(ptx, {})) << "nothing is known of any machine code";
  EXPECT_FALSE(isOpen(ptx, {{z, {.adds = true}}}));
  EXPECT_FALSE(isOpen(ptx, {{z, {.fuses = true}}, {x, {.multiplies = true}}}));
  EXPECT_TRUE(isOpen(ptx, {{z, {.fuses = true}}})) << "one of two products";
  EXPECT_TRUE(isOpen(ptx, {{z, {.adds = true, .fuses = true}}})) << "copies differ";
  EXPECT_TRUE(isOpen(ptx, {{x, {.multiplies = true}}})) << "no sum is known";
  const std::string twins = kernelOf("mul.f32 x,a,b; sub.f32 y,x,c; st.global.f32 [q],y; "
                                     "mul.f32 d,a,b; sub.f32 z,d,c; st.global.f32 [q+4],z;");
  const std::uint32_t first = lineOf(twins, "sub.f32 y"), second = lineOf(twins, "sub.f32 z");
  EXPECT_FALSE(isOpen(twins, {{first, {.fuses = true}}, {second, {.fuses = true}}}));
  EXPECT_TRUE(isOpen(twins, {{first, {.adds = true}}, {second, {.fuses = true}}}))
      << "the same sum, once apart and once fused";
}

TEST(FuseProducts, LeavesApartWhatIsMarked) {
  std::string ptx = kernelOf("mul.f16 x,a,b; add.f16 z,x,c; st.global.b16 [q],z;", "b16");
  EXPECT_EQ(stored(ptx), "fma(a,b,c)");
  ptx += apartMark;
  EXPECT_EQ(stored(ptx), "heddle.ptx.small.add.f16(heddle.ptx.small.mul.f16(a,b),c)");
}

/// fused.ptx has a kernel of such shapes; the other file is what ptxas of CUDA 13.0 made of it.
TEST(FuseProducts, FollowsTheRuleOfPtxas) {
  const std::string folder = HEDDLE_SOURCE_FOLDER "/test/unit/ptx/";
  const std::string ptx = readFile(folder + "fused.ptx").value();
  const auto routines = sass::readMachineCode(readFile(folder + "fused.sm_90.cubin").value(), 90);
  ASSERT_TRUE(routines) << routines.error().message;
  const ArithmeticOfLines machine = sass::arithmeticOfLines(*routines);
  EXPECT_GE(std::ranges::count_if(machine, [](const auto& line) { return line.second.fuses; }), 8);
  EXPECT_EQ(std::ranges::count_if(machine, [](const auto& line) { return line.second.scales; }), 1);
  const std::string byRule = stored(ptx);
  EXPECT_EQ(stored(ptx, machine), byRule);
  EXPECT_NE(byRule.find("fma("), std::string::npos);
  EXPECT_NE(byRule.find("mul.d4.f("), std::string::npos);
}

} // namespace
} // namespace heddle::ptx
