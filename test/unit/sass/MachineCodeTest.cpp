// SPDX-License-Identifier: Apache-2.0
//
// What ptxas of CUDA 13.0 wrote of machine.ptx. The numbers were read from the files by hand.
#include "sass/MachineCode.h"

#include "support/Files.h"
#include "support/Parse.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::sass {
namespace {

std::string contentOf(const std::string& name) {
  auto text = readFile(HEDDLE_SOURCE_FOLDER "/test/unit/sass/" + name);
  EXPECT_TRUE(text) << text.error().message;
  return text.value_or("");
}

/// A line of machine.ptx, by what it says.
std::uint32_t ptxLine(std::string_view part, std::string_view kernel) {
  const std::string text = contentOf("machine.ptx");
  std::uint32_t number = 0;
  bool isInside = false;
  for (const std::string_view line : splitText(text, '\n')) {
    ++number;
    isInside |= line.find(fmt::format(".entry {}(", kernel)) != std::string_view::npos;
    if (isInside && line.find(part) != std::string_view::npos)
      return number;
  }
  ADD_FAILURE() << "no line with " << part;
  return 0;
}

class MachineCode : public testing::TestWithParam<int> {
protected:
  std::string content() const { return contentOf(fmt::format("machine.sm_{}.cubin", GetParam())); }
  std::vector<Routine> read() const {
    auto routines = readMachineCode(content(), GetParam());
    EXPECT_TRUE(routines) << routines.error().message;
    return routines.value_or(std::vector<Routine>{});
  }
  Routine routine(const std::string& name) const {
    const std::vector<Routine> all = read();
    const auto found = std::ranges::find(all, name, &Routine::name);
    EXPECT_NE(found, all.end()) << name;
    return found == all.end() ? Routine{} : *found;
  }
  bool isOld() const { return GetParam() < 90; }
};

std::vector<std::uint32_t> placesOf(const Routine& routine, Kind kind) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < routine.code.size(); ++i)
    if (routine.code[i].kind == kind)
      found.push_back(i);
  return found;
}

using Places = std::vector<std::uint32_t>;

TEST_P(MachineCode, HasTheKernelsWithTheirInstructions) {
  std::map<std::string, std::size_t> lengths;
  for (const Routine& each : read())
    lengths[each.name] = each.code.size();
  EXPECT_EQ(lengths,
            (std::map<std::string, std::size_t>{{"branch", 48}, {"loop", 32}, {"quotient", 96}}));
}

TEST_P(MachineCode, TargetsAreInstructions) {
  for (const Routine& each : read())
    for (const Instruction& instruction : each.code)
      if (instruction.kind == Kind::Branch || instruction.kind == Kind::Open) {
        ASSERT_TRUE(instruction.target) << each.name;
        EXPECT_LT(*instruction.target, each.code.size()) << each.name;
      } else {
        EXPECT_FALSE(instruction.target) << each.name;
      }
}

TEST_P(MachineCode, ABranchJumpsOverItsSide) {
  const Routine branch = routine("branch");
  const std::uint32_t shift = isOld() ? 0 : 1; // one load of a parameter more
  ASSERT_EQ(placesOf(branch, Kind::Open), Places{6 + shift});
  ASSERT_EQ(placesOf(branch, Kind::Wait), Places{31 + shift});
  EXPECT_EQ(branch.code[6 + shift].target, 32 + shift) << "behind the place where lanes meet";
  const Instruction& jump = branch.code[9 + shift];
  EXPECT_EQ(jump.kind, Kind::Branch);
  EXPECT_TRUE(jump.conditional);
  EXPECT_EQ(jump.target, 31 + shift);
  EXPECT_EQ(jump.line, ptxLine("bra $behind", "branch"));
  EXPECT_EQ(placesOf(branch, Kind::Exit), Places{33 + shift});
  EXPECT_FALSE(branch.code[33 + shift].conditional);
  EXPECT_EQ(placesOf(branch, Kind::Memory).size(), 10u) << "5 loads and 5 stores";
}

/// What is loaded sets a scoreboard, and what needs it waits for that one.
TEST_P(MachineCode, LoadsSetScoreboardsThatStoresWaitFor) {
  constexpr std::uint16_t loadFromMemory = 0x181, storeToMemory = 0x186;
  const Routine branch = routine("branch");
  unsigned set = 0, awaited = 0, loads = 0, stores = 0;
  for (const Instruction& each : branch.code) {
    EXPECT_EQ(each.plan.line, each.line);
    EXPECT_LE(each.plan.stall, 15);
    EXPECT_LT(each.plan.sets, ptx::scoreboards);
    awaited |= each.plan.waits;
    if (each.plan.code == loadFromMemory) {
      ++loads;
      ASSERT_GE(each.plan.sets, 0) << "nobody knows how long memory takes";
      set |= 1U << each.plan.sets;
    }
    stores += each.plan.code == storeToMemory ? 1 : 0;
  }
  EXPECT_EQ(loads, 5u);
  EXPECT_EQ(stores, 5u);
  EXPECT_EQ(set & ~awaited, 0u) << "each of them is waited for";
}

TEST_P(MachineCode, ALoopJumpsBackToItsFirstInstruction) {
  const Routine loop = routine("loop");
  const std::uint32_t shift = isOld() ? 0 : 1;
  const Instruction& jump = loop.code.at(13 + shift);
  EXPECT_EQ(jump.kind, Kind::Branch);
  EXPECT_TRUE(jump.conditional);
  EXPECT_EQ(jump.target, 9 + shift);
  EXPECT_EQ(jump.line, ptxLine("bra $again", "loop"));
  EXPECT_EQ(loop.code[10 + shift].kind, Kind::Memory) << "the atomic";
  EXPECT_EQ(loop.code[10 + shift].line, ptxLine("atom", "loop"));
  EXPECT_EQ(loop.code[7 + shift].kind, Kind::Open);
  EXPECT_EQ(loop.code[14 + shift].kind, Kind::Wait);
  EXPECT_EQ(loop.code[7 + shift].target, 15 + shift);
}

/// Behind the last instruction a jump to itself, and nothing up to the end.
TEST_P(MachineCode, TheEndIsFilledUp) {
  const Routine loop = routine("loop");
  const std::uint32_t last = placesOf(loop, Kind::Exit).at(0) + 1;
  EXPECT_EQ(loop.code[last].kind, Kind::Branch);
  EXPECT_FALSE(loop.code[last].conditional);
  EXPECT_EQ(loop.code[last].target, last);
  EXPECT_EQ(placesOf(loop, Kind::Nothing).size(), loop.code.size() - last - 1);
}

TEST_P(MachineCode, ADivisionIsAHelper) {
  const Routine quotient = routine("quotient");
  const std::uint32_t helper = isOld() ? 16 : 13;
  EXPECT_EQ(quotient.entries, (Places{0, helper}));
  EXPECT_EQ(quotient.helpers, Places{helper});
  EXPECT_EQ(placesOf(quotient, Kind::Call).size(), 1u);
  EXPECT_EQ(placesOf(quotient, Kind::Return).size(), 1u);
  EXPECT_EQ(quotient.code[placesOf(quotient, Kind::Call).at(0)].line,
            ptxLine("div.u64", "quotient"));
  EXPECT_EQ(routine("loop").entries, Places{0});
  EXPECT_TRUE(routine("loop").helpers.empty());
}

TEST_P(MachineCode, AFileThatIsCutIsRefused) {
  const std::string all = content();
  EXPECT_FALSE(readMachineCode("", GetParam()));
  EXPECT_FALSE(readMachineCode(all.substr(0, 100), GetParam()));
  EXPECT_FALSE(readMachineCode(all.substr(0, all.size() / 2), GetParam()));
  for (std::size_t size = 0; size < all.size(); ++size) { // some hold all that is asked for
    const auto read = readMachineCode(std::string(all, 0, size), GetParam());
    if (read) {
      EXPECT_EQ(read->size(), 3u) << size;
    } else {
      EXPECT_EQ(read.error().kind, ErrorKind::BadInput);
    }
  }
}

/// Every byte of the file in turn has another value: nothing is read that is not there.
TEST_P(MachineCode, AFileWithAFaultIsReadOrRefused) {
  std::string all = content();
  for (std::size_t at = 0; at < all.size(); ++at) {
    const char kept = all[at];
    all[at] = char(~kept);
    if (const auto read = readMachineCode(all, GetParam()))
      for (const Routine& each : *read) {
        for (const std::uint32_t entry : each.entries)
          EXPECT_LT(entry, each.code.size()) << at;
        for (const Instruction& instruction : each.code)
          EXPECT_LT(instruction.target.value_or(0), each.code.size()) << at;
      }
    all[at] = kept;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, MachineCode, testing::Values(80, 90),
                         [](const auto& about) { return fmt::format("sm_{}", about.param); });

TEST(MachineCodeOfOthers, IsRefused) {
  EXPECT_FALSE(readMachineCode("what is this?", 90));
  EXPECT_FALSE(readMachineCode(std::string(4096, '\x7f'), 90));
  std::string other = contentOf("machine.sm_90.cubin");
  constexpr std::size_t machine = 18; // where the file says whose code it holds
  other.at(machine) = 62;             // x86-64
  const auto read = readMachineCode(other, 90);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("another machine"), std::string::npos)
      << read.error().message;
}

/// From sm_100 on BSSY has a flag above its distance.
TEST(MachineCodeOfOthers, FlagsOfBssyAreNoPartOfItsTarget) {
  std::string content = contentOf("machine.sm_90.cubin");
  const std::string bssy("\x45\x79\x00\x00\x90\x01\x00\x00\x00\x00\x80\x03\x00\xe2\x0f\x00", 16);
  const std::size_t at = content.find(bssy);
  ASSERT_NE(at, std::string::npos);
  content[at + 9] = 2;
  const auto read = readMachineCode(content, 100);
  ASSERT_TRUE(read);
  const auto branch = std::ranges::find(*read, "branch", &Routine::name);
  ASSERT_NE(branch, read->end());
  EXPECT_EQ(branch->code.at(7).kind, Kind::Open);
  EXPECT_EQ(branch->code.at(7).target, 33u);
}

} // namespace
} // namespace heddle::sass
