// SPDX-License-Identifier: Apache-2.0
//
// PTX and machine code made by hand. A comment in the PTX names the block that begins there.
#include "sass/MatchBlocks.h"

#include "ptx/BlockMark.h"
#include "ptx/MachinePlan.h"
#include "ptx/ReadPtx.h"
#include "support/Parse.h"

#include <llvm/IR/LLVMContext.h>

#include <gtest/gtest.h>

#include <set>

namespace heddle::sass {
namespace {

constexpr const char* heading = ".version 8.7\n.target sm_90\n.address_size 64\n";
constexpr const char* kernelHead = R"(
.visible .entry k(.param .u64 out) // entry
{
  .reg .pred %p<4>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
)";

class Matched {
public:
  explicit Matched(const std::string& ptx) : ptx_(heading + ptx) {
    auto module = ptx::readPtx(ptx_, "test", context_);
    EXPECT_TRUE(module) << module.error().message;
    module_ = *std::move(module);
  }

  /// The line on which a comment names something.
  std::uint32_t line(const std::string& name) const {
    std::uint32_t number = 0;
    for (const std::string_view each : splitText(ptx_, '\n')) {
      ++number;
      if (each.ends_with("// " + name))
        return number;
    }
    ADD_FAILURE() << "no line is named " << name;
    return 0;
  }

  void match(const std::vector<Routine>& routines) { matchBlocks(*module_, ptx_, routines); }
  /// Of a kernel's code.
  void match(std::vector<Instruction> code) { match({{"k", std::move(code), {0}, {}}}); }

  std::optional<std::uint32_t> length(const std::string& block) const { return end(block).length; }
  bool isJump(const std::string& block) const { return end(block).isJump; }
  ptx::Meeting meeting(const std::string& block) const {
    for (const ptx::BlockMark& mark : marks())
      if (mark.isBegin() && mark.firstLine == line(block))
        return mark.meeting;
    ADD_FAILURE() << block << " has no beginning";
    return {};
  }
  int conditionalBranches() const {
    int count = 0;
    for (const llvm::Function& function : *module_)
      for (const llvm::BasicBlock& each : function)
        count += each.getTerminator()->getNumSuccessors() == 2 ? 1 : 0;
    return count;
  }
  ptx::MachinePlan plan(const std::string& block) const {
    for (const llvm::Function& function : *module_)
      for (const llvm::BasicBlock& each : function)
        for (const llvm::Instruction& instruction : each)
          if (const auto mark = ptx::markOf(instruction);
              mark && mark->isBegin() && mark->firstLine == line(block))
            return ptx::planOf(instruction).value_or(ptx::MachinePlan{});
    ADD_FAILURE() << block << " has no beginning";
    return {};
  }
  /// Whether lanes that come to `by` are told that they will meet at the beginning of a block.
  bool announces(const std::string& by, const std::string& block) const {
    std::set<std::uint32_t> told;
    for (const ptx::BlockMark& mark : marks())
      if (mark.isAnnouncement())
        told.insert(mark.firstLine);
      else if (mark.isBegin())
        told.clear();
      else if (mark.firstLine == line(by))
        return told.contains(line(block));
    return false;
  }
  /// In the order of the text.
  std::vector<ptx::BlockMark> marks() const {
    std::vector<ptx::BlockMark> found;
    for (const llvm::Function& function : *module_)
      for (const llvm::BasicBlock& block : function)
        for (const llvm::Instruction& instruction : block)
          if (const auto mark = ptx::markOf(instruction))
            found.push_back(*mark);
    return found;
  }

private:
  ptx::BlockMark end(const std::string& block) const {
    for (const ptx::BlockMark& mark : marks())
      if (!mark.isBegin() && !mark.isAnnouncement() && mark.firstLine == line(block))
        return mark;
    ADD_FAILURE() << block << " has no end";
    return {};
  }

  std::string ptx_;
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

Instruction plain(std::uint32_t line) {
  return {line, Kind::Plain, false, {}};
}
Instruction memory(std::uint32_t line) {
  return {line, Kind::Memory, false, {}};
}
Instruction branch(std::uint32_t line, std::uint32_t target, bool conditional = true) {
  return {line, Kind::Branch, conditional, target};
}
Instruction open(std::uint32_t line, std::uint32_t target) {
  return {line, Kind::Open, false, target};
}
Instruction wait(std::uint32_t line) {
  return {line, Kind::Wait, false, {}};
}
Instruction leave(std::uint32_t line) {
  return {line, Kind::Exit, false, {}};
}

const std::string branchText = std::string(kernelHead) + R"(
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra $behind;                  // branch
  add.s32 %r1, %r1, 5;               // side
$behind:
  st.global.u32 [%rd1], %r1;         // behind
  ret;                               // return
}
)";

TEST(MatchBlocks, APredicatedSideRunsWithItsBranch) {
  Matched text(branchText);
  text.match({plain(text.line("entry")), plain(text.line("entry")), plain(text.line("side")),
              memory(text.line("behind")), leave(text.line("return"))});
  EXPECT_EQ(text.length("side"), 0u);
  EXPECT_FALSE(text.isJump("entry"));
  EXPECT_EQ(*text.length("entry") + *text.length("behind"), 5u);
  EXPECT_EQ(text.meeting("behind"), ptx::Meeting::None);
}

/// Also where none of the branch's instructions are in its block, as behind a division's slow path.
TEST(MatchBlocks, APredicatedSideMayHaveABlockOfItsOwn) {
  Matched text(branchText);
  const std::uint32_t entry = text.line("entry"), unknown = 0;
  text.match({plain(entry + 5), branch(entry + 6, 3),             //
              plain(entry + 6),                                   //
              plain(text.line("side")), plain(text.line("side")), // 3
              branch(unknown, 6, false),                          //
              memory(text.line("behind")), leave(text.line("return"))});
  EXPECT_EQ(text.length("entry"), 5u);
  EXPECT_EQ(text.length("side"), 0u);
  EXPECT_EQ(text.length("behind"), 2u);
}

TEST(MatchBlocks, ABranchThatIsKeptIsAJump) {
  Matched text(branchText);
  text.match({plain(text.line("entry")), open(text.line("branch"), 5), //
              branch(text.line("branch"), 4),                          //
              plain(text.line("side")),                                //
              wait(text.line("branch")),                               // 4
              memory(text.line("behind")), leave(text.line("return"))});
  EXPECT_TRUE(text.isJump("entry"));
  EXPECT_FALSE(text.isJump("side"));
  EXPECT_EQ(text.length("entry"), 3u);
  EXPECT_EQ(text.length("side"), 1u);
  EXPECT_EQ(text.length("behind"), 2u);
  EXPECT_EQ(text.meeting("behind"), ptx::Meeting::All) << "the wait is no part of a block";
  EXPECT_EQ(text.meeting("side"), ptx::Meeting::None);
  EXPECT_TRUE(text.announces("entry", "behind"));
  EXPECT_FALSE(text.announces("side", "behind"));
}

/// A division's own branch: those who take it are waited for in the middle of the block.
TEST(MatchBlocks, AWaitInsideABlockIsPartOfIt) {
  Matched text(branchText);
  const std::uint32_t entry = text.line("entry");
  text.match({plain(entry + 5), open(entry + 6, 5), branch(entry + 6, 4), //
              plain(entry + 6),                                           // the slow path
              wait(entry + 6),                                            // 4
              plain(entry + 8), branch(text.line("branch"), 8),           //
              plain(text.line("side")),                                   //
              memory(text.line("behind")), leave(text.line("return"))});
  EXPECT_EQ(text.meeting("entry"), ptx::Meeting::None);
  EXPECT_EQ(text.meeting("behind"), ptx::Meeting::None);
  EXPECT_TRUE(text.isJump("entry"));
  EXPECT_EQ(text.length("entry"), 6u) << "with the wait, without the slow path";
  EXPECT_EQ(text.length("side"), 1u);
}

/// ptxas may issue what stands in front of a branch, or on its side, behind the wait: it is still
/// where the lanes of that branch meet.
TEST(MatchBlocks, LanesMeetAlsoWhereOlderCodeWasMovedBehindTheWait) {
  for (const char* const moved : {"entry", "side"}) {
    Matched text(branchText);
    const std::uint32_t from = text.line(moved), behind = text.line("behind");
    text.match({plain(text.line("entry")), open(text.line("branch"), 5), //
                branch(text.line("branch"), 4),                          //
                plain(text.line("side")),                                //
                wait(text.line("branch")),                               // 4
                plain(from), plain(from), branch(behind, 8, false),      //
                memory(behind), leave(text.line("return"))});            // 8
    EXPECT_EQ(text.meeting("behind"), ptx::Meeting::All) << moved;
    EXPECT_TRUE(text.announces("entry", "behind")) << moved;
    EXPECT_EQ(text.meeting(moved), ptx::Meeting::None);
  }
}

/// `if (r == 0 || r == 7) skip`, with something between the tests.
std::string twoTests(const std::string& between) {
  return std::string(kernelHead) + R"(
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra $out;                     // branch
)" + between +
         R"(
  setp.eq.u32 %p2, %r1, 7;           // second
  @%p2 bra $out;                     // both
  st.global.u32 [%rd1], %r1;         // side
$out:
  st.global.u32 [%rd1+4], %r1;       // out
  ret;                               // return
}
)";
}

TEST(MatchBlocks, TwoBranchesThatAreOneJumpBecomeOne) {
  const auto branches = [](const std::string& between, std::uint32_t jump) {
    Matched text(twoTests(between));
    std::vector<Instruction> code = {plain(text.line("entry")),    plain(text.line("second")),
                                     branch(text.line("both"), 4), memory(text.line("side")),
                                     memory(text.line("out")),     leave(text.line("return"))};
    if (jump > 0)
      code.insert(code.begin() + jump, branch(text.line("branch"), 5));
    text.match(code);
    EXPECT_EQ(text.isJump("entry"), between.empty());
    return text.conditionalBranches();
  };
  EXPECT_EQ(branches("", 0), 1);
  EXPECT_EQ(branches("", 1), 2) << "both are jumps";
  EXPECT_EQ(branches("ld.global.u32 %r1, [%rd1];", 0), 2) << "a load must not run always";
}

const std::string loopText = std::string(kernelHead) + R"(
  mov.u32 %r2, 0;
$again:
  add.s32 %r2, %r2, %r1;             // loop
  xor.b32 %r3, %r2, %r1;             // second
  or.b32 %r4, %r3, %r1;              // third
  and.b32 %r2, %r4, %r2;             // fourth
  setp.lt.u32 %p1, %r2, 100;
  @%p1 bra $again;                   // back
  st.global.u32 [%rd1], %r2;         // behind
  ret;                               // return
}
)";

TEST(MatchBlocks, ALoopThatIsUnrolledIsAsLongAsOneRound) {
  Matched text(loopText);
  std::vector<Instruction> code = {plain(text.line("entry")), plain(text.line("entry"))};
  for (int round = 0; round < 4; ++round)
    for (const char* name : {"loop", "second", "third", "fourth"})
      code.push_back(plain(text.line(name)));
  for (int i = 0; i < 3; ++i)
    code.push_back(plain(text.line("back") - 1));
  code.push_back(branch(text.line("back"), 2));
  code.push_back(memory(text.line("behind")));
  code.push_back(leave(text.line("return")));
  text.match(code);
  EXPECT_EQ(text.length("loop"), 5u) << "20 for four rounds";
  EXPECT_EQ(text.length("entry"), 2u);
  EXPECT_EQ(text.length("behind"), 2u);
  EXPECT_TRUE(text.isJump("loop"));
}

/// Of a loop that is gone the rounds stand one after the other, each with its way out.
TEST(MatchBlocks, CopiesOfABlockAreEachRunInTheirTurn) {
  Matched text(loopText);
  std::vector<Instruction> code = {plain(text.line("entry")), branch(0, 2)};
  for (int round = 0; round < 3; ++round) {
    code.push_back(plain(text.line("loop")));
    code.push_back(plain(text.line("back") - 1));
    code.push_back(branch(text.line("back"), 11));
  }
  code.push_back(memory(text.line("behind"))); // 11
  code.push_back(leave(text.line("return")));
  text.match(code);
  EXPECT_EQ(text.length("loop"), 3u);
  EXPECT_EQ(text.length("behind"), 2u);
}

TEST(MatchBlocks, CodeMovedOutOfALoopCountsOutside) {
  Matched text(loopText);
  text.match({plain(text.line("entry")), plain(text.line("second")), plain(text.line("third")), //
              plain(text.line("loop")), branch(text.line("back"), 3),                           //
              memory(text.line("behind")), leave(text.line("return"))});
  EXPECT_EQ(text.length("entry"), 3u);
  EXPECT_EQ(text.length("loop"), 2u);
}

TEST(MatchBlocks, LanesThatLeaveALoopMeetBehindIt) {
  Matched text(loopText);
  text.match({plain(text.line("entry")), open(text.line("entry"), 5), //
              plain(text.line("loop")), branch(text.line("back"), 2), //
              wait(text.line("back")),                                //
              memory(text.line("behind")), leave(text.line("return"))});
  EXPECT_EQ(text.meeting("behind"), ptx::Meeting::All);
  EXPECT_EQ(text.meeting("loop"), ptx::Meeting::None);
  EXPECT_TRUE(text.announces("entry", "behind"));
}

/// A loop with a side; `guard` stands in its first block.
std::string sideInLoop(const std::string& guard) {
  return std::string(kernelHead) + R"(
  mov.u32 %r2, 0;
  setp.eq.u32 %p2, %r1, 3;
$again:
  add.s32 %r2, %r2, %r1;             // loop
)" + guard +
         R"(
  setp.lt.u32 %p1, %r2, 100;
  @%p1 bra $next;                    // branch
  st.global.u32 [%rd1+4], %r2;       // side
$next:
  add.s32 %r2, %r2, 3;               // next
  setp.lt.u32 %p1, %r2, 200;
  @%p1 bra $again;                   // back
  st.global.u32 [%rd1], %r2;         // behind
  ret;                               // return
}
)";
}

TEST(MatchBlocks, LanesMeetBeforeTheyGoRoundAgain) {
  for (const char* guard : {"", "@%p2 st.global.u32 [%rd1+8], %r2;"}) {
    Matched text(sideInLoop(guard));
    text.match({plain(text.line("entry")), open(text.line("loop"), 2),    //
                wait(text.line("loop")),                                  // 2
                plain(text.line("loop")), branch(text.line("branch"), 6), //
                memory(text.line("side")),                                //
                plain(text.line("next")), branch(text.line("back"), 2),   // 6
                memory(text.line("behind")), leave(text.line("return"))});
    EXPECT_EQ(text.meeting("loop"), ptx::Meeting::ByGoing) << guard;
    EXPECT_EQ(text.meeting("next"), ptx::Meeting::None) << guard;
  }
}

/// Where the rounds of a loop stand one after the other, lanes meet in each.
TEST(MatchBlocks, LanesMeetInALoopThatIsUnrolledToItsEnd) {
  Matched text(sideInLoop(""));
  std::vector<Instruction> code = {plain(text.line("entry")), branch(text.line("entry"), 2)};
  for (std::uint32_t round = 0; round < 3; ++round) {
    const std::uint32_t first = 2 + 7 * round;
    code.insert(code.end(),
                {open(text.line("loop"), first + 5), plain(text.line("loop")),
                 branch(text.line("branch"), first + 4), memory(text.line("side")),
                 wait(text.line("side")), plain(text.line("next")), branch(text.line("back"), 23)});
  }
  code.insert(code.end(), {memory(text.line("behind")), leave(text.line("return"))});
  text.match(code);
  EXPECT_EQ(text.meeting("next"), ptx::Meeting::All);
  EXPECT_TRUE(text.announces("loop", "next"));
  EXPECT_TRUE(text.isJump("loop"));
}

/// The plan of a block that stands there several times is that of one of its copies.
TEST(MatchBlocks, ABlockHasThePlanOfItsInstructions) {
  Matched text(loopText);
  std::vector<Instruction> code = {plain(text.line("entry"))};
  for (int round = 0; round < 2; ++round)
    for (const char* name : {"loop", "second", "third", "fourth"})
      code.push_back(plain(text.line(name)));
  code.push_back(branch(text.line("back"), 1));
  code.push_back(memory(text.line("behind")));
  code.push_back(leave(text.line("return")));
  for (std::size_t i = 0; i < code.size(); ++i)
    code[i].plan = {.line = code[i].line, .code = std::uint16_t(i), .stall = 3, .sets = 2};
  text.match(code);
  const ptx::MachinePlan plan = text.plan("loop");
  EXPECT_EQ(plan.rounds, 2);
  ASSERT_EQ(plan.code.size(), 9u) << "both rounds and the way back";
  for (std::size_t i = 0; i < plan.code.size(); ++i)
    EXPECT_EQ(plan.code[i], code[i + 1].plan) << i;
}

/// Also where the loop's first block is several of LLVM's.
TEST(MatchBlocks, LanesMeetInFrontOfALoop) {
  for (const char* guard : {"", "@%p2 st.global.u32 [%rd1+8], %r2;"}) {
    Matched text(sideInLoop(guard));
    text.match({plain(text.line("entry")), open(text.line("entry"), 3), //
                wait(text.line("entry")),                               // 2
                plain(text.line("loop")), branch(text.line("branch"), 6),
                memory(text.line("side")),                              //
                plain(text.line("next")), branch(text.line("back"), 3), // 6
                memory(text.line("behind")), leave(text.line("return"))});
    EXPECT_EQ(text.meeting("loop"), ptx::Meeting::All) << guard;
    EXPECT_TRUE(text.announces("entry", "loop")) << guard;
  }
}

TEST(MatchBlocks, ATableLeadsToWhatNothingElseLeadsTo) {
  Matched text(std::string(kernelHead) + R"(
  and.b32 %r2, %r1, 1;
$targets: .branchtargets $first, $second;
  brx.idx %r2, $targets;             // table
$first:
  st.global.u32 [%rd1], %r1;         // first
  bra.uni $behind;                   // jump
$second:
  st.global.u32 [%rd1+4], %r1;       // second
$behind:
  st.global.u32 [%rd1+8], %r1;       // behind
  ret;                               // return
}
)");
  text.match({plain(text.line("entry")),
              {text.line("table"), Kind::Table, false, {}}, //
              memory(text.line("first")),
              plain(text.line("first")),           //
              branch(text.line("jump"), 8, false), //
              memory(text.line("second")),
              plain(text.line("second")), // 5
              plain(text.line("second")), //
              memory(text.line("behind")),
              leave(text.line("return"))});
  EXPECT_TRUE(text.isJump("entry"));
  EXPECT_EQ(text.length("entry"), 2u);
  EXPECT_EQ(text.length("first"), 3u);
  EXPECT_EQ(text.length("second"), 3u);
  EXPECT_EQ(text.length("behind"), 2u);
}

TEST(MatchBlocks, ALoopWithoutAnEndIsNoFault) {
  Matched text(std::string(kernelHead) + R"(
$again:
  st.global.u32 [%rd1], %r1;         // loop
  bra.uni $again;                    // back
}
)");
  text.match({plain(text.line("entry")), memory(text.line("loop")), //
              branch(text.line("back"), 1, false)});
  EXPECT_EQ(text.length("entry"), 1u);
  EXPECT_EQ(text.length("loop"), 2u);
}

TEST(MatchBlocks, AFunctionsOwnCodeKnowsBetterThanItsCopies) {
  for (const bool isOwnFirst : {false, true}) {
    Matched text(R"(
.func f(.param .b32 a)               // function
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u32 %r1, [a];
  mov.u64 %rd1, 0;
  st.global.u32 [%rd1], %r1;         // store
  ret;
}
)" + branchText);
    const std::uint32_t store = text.line("store");
    const Routine own{"f", {memory(store), {store + 1, Kind::Return, false, {}}}, {0}, {}};
    const Routine other{"k",
                        {plain(text.line("entry")), branch(text.line("branch"), 5), plain(store),
                         plain(store), memory(store), memory(text.line("behind")),
                         leave(text.line("return"))},
                        {0},
                        {}};
    text.match(isOwnFirst ? std::vector{own, other} : std::vector{other, own});
    EXPECT_EQ(text.length("function"), 2u);
    EXPECT_EQ(text.length("entry"), 2u);
  }
}

TEST(MatchBlocks, HelpersAreNobodysCode) {
  Matched text(branchText);
  const std::uint32_t entry = text.line("entry");
  text.match({{"k",
               {plain(entry),
                branch(text.line("branch"), 3),
                plain(text.line("side")),
                memory(text.line("behind")),
                leave(text.line("return")), //
                plain(entry),
                plain(entry),
                plain(entry),
                {entry, Kind::Return, false, {}}},
               {0, 5},
               {5}}});
  EXPECT_EQ(text.length("entry"), 2u);
}

TEST(MatchBlocks, WithoutMachineCodeMarksGo) {
  const std::uint32_t unknown = 0;
  for (const std::vector<Routine>& routines :
       {std::vector<Routine>{},
        {{"k", {plain(unknown), leave(unknown)}, {0}, {}}}, // without lines
        {{"k", {}, {0}, {}}},
        {{"k", {plain(unknown)}, {7}, {}}}}) {
    Matched text(branchText);
    EXPECT_FALSE(text.marks().empty());
    text.match(routines);
    EXPECT_TRUE(text.marks().empty());
  }
}

/// Lines then say little, but blocks are told apart.
TEST(MatchBlocks, AllMayStandOnOneLine) {
  std::string line = branchText;
  for (const char* name : {"// entry", "// branch", "// side", "// behind", "// return"})
    line.replace(line.find(name), std::string_view(name).size(), "");
  std::ranges::replace(line, '\n', ' ');
  Matched none(line + "// all");
  none.match(std::vector<Routine>{});
  EXPECT_TRUE(none.marks().empty());
  Matched text(line + "// all");
  const std::uint32_t all = text.line("all");
  text.match({plain(all), branch(all, 3), plain(all), memory(all), leave(all)});
  EXPECT_EQ(text.marks().size(), 6u);
}

TEST(MatchBlocks, ABranchCopiedBehindOneOfItsWaysIsNoPartOfIt) {
  Matched matched(std::string(kernelHead) + R"(
  setp.ne.u32 %p1, %r1, 1;           // first
  @%p1 bra $second;                  // firstJump
  add.s32 %r1, %r1, 5;               // path
  mul.lo.s32 %r1, %r1, 7;            // pathB
  add.s32 %r1, %r1, 9;               // pathC
$second:
  setp.ne.u32 %p2, %r1, 1;           // second
  @%p2 bra $behind;                  // secondJump
  add.s32 %r1, %r1, 3;               // other
$behind:
  st.global.u32 [%rd1], %r1;         // end
  ret;                               // last
}
)");
  matched.match({plain(matched.line("first")), open(matched.line("first"), 10),
                 branch(matched.line("firstJump"), 9), plain(matched.line("path")),
                 plain(matched.line("pathB")), plain(matched.line("pathC")),
                 plain(matched.line("second")), branch(matched.line("secondJump"), 9),
                 plain(matched.line("other")), wait(matched.line("other")),
                 memory(matched.line("end")), leave(matched.line("last"))});
  EXPECT_EQ(matched.length("path"), 3);
  EXPECT_EQ(matched.length("second"), 2);
}

TEST(MatchBlocks, APathBehindTwoBranchesThatAreOneJumpKeepsItsInstructions) {
  Matched matched(std::string(kernelHead) + R"(
  setp.eq.u32 %p1, %r1, 0;           // outer
  @%p1 bra $behind;                  // outerJump
  setp.eq.u32 %p2, %r1, 8;           // inner
  @%p2 bra $behind;                  // innerJump
  add.s32 %r1, %r1, 5;               // path
  mul.lo.s32 %r1, %r1, 7;            // pathB
$behind:
  st.global.u32 [%rd1], %r1;         // end
  ret;                               // last
}
)");
  matched.match({plain(matched.line("outer")), plain(matched.line("inner")),
                 branch(matched.line("innerJump"), 5), plain(matched.line("path")),
                 plain(matched.line("pathB")), memory(matched.line("end")),
                 leave(matched.line("last"))});
  EXPECT_EQ(matched.length("path"), 2);
}

} // namespace
} // namespace heddle::sass
