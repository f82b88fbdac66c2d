// SPDX-License-Identifier: Apache-2.0
#include "analysis/LaunchBounds.h"
#include "frontend/DeviceModule.h"
#include "frontend/DeviceSymbols.h"
#include "ptx/InstructionTable.h"
#include "ptx/Parser.h"
#include "ptx/ReadPtx.h"
#include "ptx/Symbols.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace heddle::ptx {
namespace {

constexpr const char* head = ".version 8.7\n.target sm_90\n.address_size 64\n";

std::string rowsAsMarkdown() {
  std::string text = "| instruction | modifiers | types |\n|---|---|---|\n";
  for (const Row& row : instructionRows())
    text += fmt::format("| `{}` | {} | {} |\n", row.opcode, row.modifiers,
                        row.types == "-" ? "" : row.types);
  return text;
}

TEST(InstructionTable, IsSortedForTheSearch) {
  EXPECT_TRUE(std::ranges::is_sorted(instructionRows(), {}, &Row::opcode));
}

/// HEDDLE_UPDATE_DOCS=1 writes the rows into the page.
TEST(InstructionTable, IsTheListInTheDocuments) {
  const std::string page = HEDDLE_SOURCE_FOLDER "/docs/ptx.md";
  const std::string begin = "<!-- begin rows -->\n", end = "<!-- end rows -->\n";
  const std::string text = readFile(page).value();
  const std::size_t from = text.find(begin) + begin.size(), to = text.find(end);
  ASSERT_LT(from, to + 1);
  if (std::getenv("HEDDLE_UPDATE_DOCS") != nullptr) {
    ASSERT_TRUE(writeFile(page, text.substr(0, from) + rowsAsMarkdown() + text.substr(to)));
  }
  EXPECT_EQ(readFile(page).value(), text.substr(0, from) + rowsAsMarkdown() + text.substr(to))
      << "HEDDLE_UPDATE_DOCS=1 heddle_unit --gtest_filter=InstructionTable.*";
}

TEST(PtxParser, TakesAnInstructionApart) {
  const std::string text = std::string(head) + ".visible .entry k(.param .u64 p)\n{\n"
                                               "@!%p1 ld.global.L1::no_allocate.v2.f32 {%f1, _}, "
                                               "[%rd1+-8];\n}\n";
  const auto file = parse(text);
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->functions.size(), 1u);
  const auto& instruction = std::get<Instruction>(file->functions[0].body.at(0));
  EXPECT_EQ(instruction.line, 6u);
  EXPECT_EQ(instruction.guard, "%p1");
  EXPECT_TRUE(instruction.guardNegated);
  EXPECT_EQ(instruction.opcode, "ld");
  ASSERT_EQ(instruction.operands.size(), 2u);
  EXPECT_EQ(instruction.operands[0].parts.size(), 2u);
  EXPECT_EQ(instruction.operands[1].offset, -8);
  const Form form(instruction);
  EXPECT_TRUE(form.has("L1::no_allocate"));
  EXPECT_EQ(form.elements(), 2u);
  EXPECT_EQ(form.type(), (ScalarType{'f', 32}));
}

TEST(PtxParser, RefusesATemporaryText) {
  const auto takes = []<typename Text>(Text&& text) {
    return requires { parse(std::forward<Text>(text)); };
  };
  std::string text;
  EXPECT_TRUE(takes(text));
  EXPECT_TRUE(takes(std::string_view(text)));
  EXPECT_FALSE(takes(std::move(text)));
}

TEST(PtxParser, TakesRegistersWithoutABlank) {
  const std::string text = std::string(head) + ".visible .entry k()\n{\n.reg.b32 f;\n.reg .b16 h;\n"
                                               "cvt.f32.f16 f, h;\nret;\n}\n";
  const auto file = parse(text);
  ASSERT_TRUE(file) << file.error().message;
}

TEST(PtxParser, NamesTheLineOfAMistake) {
  for (const auto& [rest, message] :
       {std::pair{"\n\n.global .b9 x;", "PTX line 6: variables of kind '.b9' are not known"},
        std::pair{".visible .entry k(", "PTX line 4: the end where a parameter is expected"},
        std::pair{"/* no end", "PTX line 4: a comment that does not end"},
        std::pair{".func f {", "PTX line 4: the end where '}' is expected"}}) {
    const std::string text = std::string(head) + rest;
    const auto file = parse(text);
    ASSERT_FALSE(file) << rest;
    EXPECT_EQ(file.error().message, message);
  }
}

TEST(PtxParser, EndsOnAnyPrefixOfAFile) {
  const std::string text = readFile(HEDDLE_SOURCE_FOLDER "/test/ptx/calls.ptx").value();
  for (std::size_t size = 0; size < text.size(); size += 7)
    (void)parse(std::string_view(text).substr(0, size)); // an error or not, but an answer
}

TEST(CommonName, IsWhatClangCallsIt) {
  EXPECT_EQ(commonName("_Z1kPi"), "_Z1kPi");
  EXPECT_EQ(commonName("_Z1kPi", false), "_ZL1kPi");
  EXPECT_EQ(commonName("_ZN4mine1kEPi", false), "_ZN4mineL1kEPi");
  EXPECT_EQ(commonName("_ZN37_GLOBAL__N__b9467fa6_5_t1_cu_38f7764e4anonEPiPKi", false),
            "_ZN12_GLOBAL__N_14anonEPiPKi");
  EXPECT_EQ(commonName("_ZN35_INTERNAL_b9467fa6_5_t1_cu_38f7764e37_GLOBAL__N__b9467fa6_5_t1_cu_"
                       "38f7764e2acE"),
            "_ZN12_GLOBAL__N_12acE");
}

TEST(WithoutStaticMark, IsWhatNvccCallsIt) {
  EXPECT_EQ(frontend::withoutStaticMark("_ZL7counter"), "counter");
  EXPECT_EQ(frontend::withoutStaticMark("_ZN4mineL1xE"), "_ZN4mine1xE");
  EXPECT_EQ(frontend::withoutStaticMark("_ZN4mine1xE"), "_ZN4mine1xE");
  EXPECT_EQ(frontend::withoutStaticMark("counter"), "counter");
}

TEST(ReadPtx, MakesKernelsThatAreFound) {
  const std::string text = readFile(HEDDLE_SOURCE_FOLDER "/test/ptx/lines.ptx").value();
  EXPECT_TRUE(isPtx(text));
  const auto module = frontend::parseDeviceModule(text, "lines.ptx");
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_EQ(frontend::kernelNames(*module->module), std::vector<std::string>{"_Z7lengthsPji"});
}

TEST(ReadPtx, KeepsTheClustersOfAKernel) {
  const std::string text =
      std::string(head) + ".visible .entry k()\n.reqnctapercluster 4, 2\n{\nret;\n}\n";
  const auto module = frontend::parseDeviceModule(text, "k.ptx");
  ASSERT_TRUE(module) << module.error().message;
  const llvm::Function* kernel = module->module->getFunction("k");
  ASSERT_NE(kernel, nullptr);
  EXPECT_EQ(analysis::launchBoundsOf(*kernel).cluster, (std::array<int, 3>{4, 2, 1}));
}

TEST(ReadPtx, RefusesGridsThatAreCountedInClusters) {
  const std::string text =
      std::string(head) +
      ".visible .entry k()\n.blocksareclusters\n.reqnctapercluster 2\n{\nret;\n}\n";
  const auto module = frontend::parseDeviceModule(text, "k.ptx");
  ASSERT_FALSE(module);
  EXPECT_NE(module.error().message.find("'.blocksareclusters' of 'k' is not run"),
            std::string::npos)
      << module.error().message;
}

TEST(ReadPtx, TellsOtherTextsApart) {
  EXPECT_FALSE(isPtx("; ModuleID = 'x'\n"));
  EXPECT_FALSE(isPtx(""));
  EXPECT_TRUE(isPtx("//\n// by somebody\n\n\t.version 7.0\n"));
}

} // namespace
} // namespace heddle::ptx
