// SPDX-License-Identifier: Apache-2.0
//
// Where lanes meet in small graphs. A block that stores has something to do, so lanes meet there.
#include "analysis/Joins.h"

#include "FlowText.h"

namespace heddle::analysis {
namespace {

TEST(Joins, SidesOfABranchMeetBehindIt) {
  const FlowText text(R"(
  br i1 %a, label %then, label %otherwise
then:
  br label %behind
otherwise:
  br label %behind
behind:
  store i32 1, ptr %out
  ret void
)");
  EXPECT_EQ(text.join("entry"), "behind");
  EXPECT_EQ(text.joins().levels.size(), 1u) << "the function";
}

/// while (a) { if (b) continue; if (c) continue; }
constexpr const char* twoContinues = R"(
  br label %head
head:
  br i1 %a, label %body, label %behind
body:
  br i1 %b, label %head, label %second
second:
  br i1 %c, label %head, label %third
third:
  store i32 1, ptr %out
  br label %head
behind:
  store i32 2, ptr %out
  ret void
)";

TEST(Joins, LanesThatStayMeetInEveryIteration) {
  const FlowText text(twoContinues);
  ASSERT_EQ(text.joins().levels.size(), 2u);
  EXPECT_EQ(text.level("entry"), 0);
  EXPECT_EQ(text.level("head"), 1);
  EXPECT_EQ(text.level("third"), 1);
  EXPECT_EQ(text.level("behind"), 0);
  EXPECT_EQ(text.header(1), "head");
  EXPECT_EQ(text.entryOf(1), "head");
  EXPECT_EQ(text.exitJoin(1), "behind");
  EXPECT_EQ(text.join("head"), "behind");
  EXPECT_EQ(text.join("body"), "head");
  EXPECT_EQ(text.join("second"), "head");
  EXPECT_EQ(text.joins().leftBy(text.number("head"), text.number("behind")), 1);
  EXPECT_EQ(text.joins().leftBy(text.number("head"), text.number("body")), noLevel);
}

/// The same loop as clang writes it: one `continue` goes back to a header of its own. Both ways
/// back know where their loop begins.
constexpr const char* headerOfItsOwn = R"(
  br label %outer
outer:
  %kept = phi i32 [ 0, %entry ], [ %i, %body ]
  br label %head
head:
  %i = phi i32 [ %kept, %outer ], [ %next, %second ], [ %next, %third ]
  br i1 %a, label %body, label %behind
body:
  br i1 %b, label %outer, label %second, !llvm.loop !0
second:
  %next = add i32 %i, 1
  br i1 %c, label %head, label %third, !llvm.loop !1
third:
  store i32 1, ptr %out
  br label %head, !llvm.loop !1
behind:
  store i32 2, ptr %out
  ret void
)";
constexpr const char* places = R"(
!llvm.dbg.cu = !{!7}
!llvm.module.flags = !{!8}
!0 = distinct !{!0, !2}
!2 = !DILocation(line: 5, scope: !4)
!3 = !DILocation(line: 6, scope: !4)
!4 = distinct !DISubprogram(name: "k", file: !5, line: 1, type: !6, unit: !7, spFlags: DISPFlagDefinition)
!5 = !DIFile(filename: "k.cu", directory: "")
!6 = !DISubroutineType(types: !{})
!7 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !5, emissionKind: LineTablesOnly)
!8 = !{i32 2, !"Debug Info Version", i32 3}
)";

TEST(Joins, ALoopInALoopThatDoesNothingElseIsOneLevel) {
  const FlowText text(headerOfItsOwn, true, std::string(places) + "!1 = distinct !{!1, !2}\n");
  ASSERT_EQ(text.joins().levels.size(), 2u);
  EXPECT_EQ(text.entryOf(1), "outer");
  EXPECT_EQ(text.header(1), "head");
  EXPECT_EQ(text.level("outer"), 1);
  EXPECT_EQ(text.join("body"), "head");
  EXPECT_EQ(text.join("second"), "head");
  EXPECT_EQ(text.exitJoin(1), "behind");
}

TEST(Joins, LoopsThatBeginAtDifferentPlacesAreTwoLevels) {
  const FlowText text(headerOfItsOwn, true, std::string(places) + "!1 = distinct !{!1, !3}\n");
  ASSERT_EQ(text.joins().levels.size(), 3u);
  EXPECT_EQ(text.header(1), "outer");
  EXPECT_EQ(text.header(2), "head");
  EXPECT_EQ(text.exitJoin(2), "outer") << "where those meet who stay in the outer loop";
}

/// while (a) { if (b) break; if (c) return; }
constexpr const char* breakAndReturn = R"(
  br label %head
head:
  br i1 %a, label %body, label %behind
body:
  br i1 %b, label %behind, label %next
next:
  br i1 %c, label %done, label %latch
latch:
  store i32 1, ptr %out
  br label %head
behind:
  store i32 2, ptr %out
  br label %done
done:
  ret void
)";

TEST(Joins, NobodyWaitsForLanesThatReturnFromALoop) {
  const FlowText text(breakAndReturn);
  EXPECT_EQ(text.exitJoin(1), "behind");
  EXPECT_EQ(text.join("head"), "behind");
  EXPECT_EQ(text.join("body"), "behind");
  EXPECT_EQ(text.join("next"), "behind");
}

TEST(Joins, LanesOfACalledFunctionMeetAtItsReturn) {
  const FlowText text(breakAndReturn, /*isKernel=*/false);
  EXPECT_EQ(text.exitJoin(1), "done"); // a region, which the return leaves early
  EXPECT_EQ(text.join("head"), "behind");
  EXPECT_EQ(text.join("next"), "done");
}

TEST(Joins, AnEarlyReturnIsNoJoin) {
  const char* blocks = R"(
  br i1 %a, label %done, label %work
work:
  br i1 %b, label %more, label %last
more:
  store i32 1, ptr %out
  br label %last
last:
  store i32 2, ptr %out
  br label %done
done:
  ret void
)";
  const FlowText kernel(blocks);
  EXPECT_EQ(kernel.join("entry"), "work") << "where those meet at once who stay";
  EXPECT_EQ(kernel.join("work"), "last");
  const FlowText callee(blocks, /*isKernel=*/false);
  EXPECT_EQ(callee.join("entry"), "done");
}

TEST(Joins, LanesMeetNowhereBeforeAReturnThatDoesNothing) {
  const FlowText text(R"(
  br i1 %a, label %left, label %right
left:
  store i32 1, ptr %out
  br label %done
right:
  store i32 2, ptr %out
  br label %done
done:
  ret void
)");
  EXPECT_EQ(text.join("entry"), "nowhere");
}

TEST(Joins, LanesMeetAtAReturnWithCode) {
  const FlowText text(R"(
  br i1 %a, label %done, label %work
work:
  store i32 1, ptr %out
  br label %done
done:
  store i32 2, ptr %out
  ret void
)");
  EXPECT_EQ(text.join("entry"), "done");
}

/// while (a) { switch (n) { case 0: ...; break; case 1: goto behind; default: ... } }
TEST(Joins, CasesOfASwitchInALoopMeetBehindIt) {
  const FlowText text(R"(
  br label %head
head:
  %is0 = icmp eq i32 %n, 0
  br i1 %is0, label %case0, label %test1
test1:
  %is1 = icmp eq i32 %n, 1
  br i1 %is1, label %case1, label %default
case0:
  store i32 1, ptr %out
  br label %next
case1:
  store i32 2, ptr %out
  br label %behind
default:
  store i32 3, ptr %out
  br label %next
next:
  br i1 %a, label %head, label %behind
behind:
  store i32 4, ptr %out
  ret void
)");
  EXPECT_EQ(text.join("head"), "next");
  EXPECT_EQ(text.join("test1"), "behind") << "where those wait who leave by it";
  EXPECT_EQ(text.join("next"), "behind");
  EXPECT_EQ(text.level("case1"), 0) << "it leads to no further iteration";
}

/// for (...) { i; for (...) { if (b) goto out; } rest; } between; out: ...
TEST(Joins, AGotoOutOfTwoLoopsWaitsBehindTheOuterOne) {
  const FlowText text(R"(
  br label %outer
outer:
  store i32 0, ptr %out
  br label %inner
inner:
  br i1 %b, label %out.both, label %step
step:
  store i32 1, ptr %out
  br i1 %a, label %inner, label %rest
rest:
  store i32 2, ptr %out
  br i1 %c, label %outer, label %between
between:
  store i32 3, ptr %out
  br label %out.both
out.both:
  store i32 4, ptr %out
  ret void
)");
  ASSERT_EQ(text.joins().levels.size(), 3u);
  EXPECT_EQ(text.level("rest"), 1);
  EXPECT_EQ(text.level("inner"), 2);
  EXPECT_EQ(text.joins().levels[2].parent, 1);
  EXPECT_EQ(text.exitJoin(2), "rest") << "where lanes meet that go on in the outer loop";
  EXPECT_EQ(text.exitJoin(1), "out.both");
  EXPECT_EQ(text.join("step"), "rest");
  EXPECT_EQ(text.joins().leftBy(text.number("inner"), text.number("out.both")), 1);
  EXPECT_EQ(text.join("inner"), "out.both");
  EXPECT_EQ(text.join("rest"), "out.both");
  EXPECT_TRUE(text.joins().contains(1, text.number("inner")));
  EXPECT_FALSE(text.joins().contains(2, text.number("rest")));
}

TEST(Joins, ACycleWithTwoWaysInIsALevelWithoutAnEntry) {
  const FlowText text(R"(
  br i1 %a, label %left, label %right
left:
  store i32 1, ptr %out
  br i1 %b, label %right, label %behind
right:
  store i32 2, ptr %out
  br i1 %c, label %left, label %behind
behind:
  store i32 3, ptr %out
  ret void
)");
  ASSERT_EQ(text.joins().levels.size(), 2u);
  EXPECT_EQ(text.level("left"), 1);
  EXPECT_EQ(text.level("right"), 1);
  EXPECT_EQ(text.entryOf(1), "nowhere");
  EXPECT_EQ(text.exitJoin(1), "behind");
  EXPECT_EQ(text.join("left"), "behind");
  EXPECT_EQ(text.join("right"), "behind");
  EXPECT_EQ(text.join("entry"), "behind") << "the cycle as a whole has no place to meet at";
}

TEST(Joins, AnEndlessLoopHasNoExit) {
  const FlowText text(R"(
  br label %head
head:
  br i1 %a, label %work, label %latch
work:
  store i32 1, ptr %out
  br label %latch
latch:
  br label %head
)");
  EXPECT_EQ(text.join("head"), "latch");
  EXPECT_EQ(text.exitJoin(1), "nowhere");
}

TEST(Joins, PostDominatorsKnowNoLevels) {
  const FlowText text(twoContinues);
  EXPECT_EQ(text.postDominator("body"), "head");
  EXPECT_EQ(text.postDominator("head"), "behind");
  EXPECT_EQ(FlowText(breakAndReturn).postDominator("head"), "done");
}

// Marks of machine code (AccountLengthsTest.cpp says what their numbers are)

/// if (odd) { if (a) ...; J1 } J2: a branch in a branch. `inner` and `outer` are the marks at the
/// beginnings of the places where they meet.
std::string nested(const std::string& inner, const std::string& outer) {
  return R"(
  call void @llvm.pseudoprobe(i64 1, i64 4, i32 4, i64 5)
  br i1 %odd, label %then, label %outer
then:
  call void @llvm.pseudoprobe(i64 5, i64 6, i32 4, i64 5)
  br i1 %a, label %side, label %inner
side:
  store i32 1, ptr %out
  br label %inner
inner:
)" + inner +
         R"(
  store i32 2, ptr %out
  br label %outer
outer:
)" + outer +
         R"(
  store i32 3, ptr %out
  br label %behind
behind:
  store i32 4, ptr %out
  ret void
)";
}
constexpr const char *meetsInside = "  call void @llvm.pseudoprobe(i64 20, i64 0, i32 1, i64 0)",
                     *meetsOutside = "  call void @llvm.pseudoprobe(i64 30, i64 0, i32 1, i64 0)";

TEST(MachineJoins, AreWhereLanesWait) {
  const FlowText text(nested(meetsInside, meetsOutside));
  EXPECT_EQ(text.join("then"), "inner");
  EXPECT_EQ(text.join("entry"), "outer");
}

TEST(MachineJoins, AJumpSkipsAJoinWithoutAMeeting) {
  const FlowText text(nested("", meetsOutside));
  EXPECT_EQ(text.join("then"), "outer");
  EXPECT_EQ(text.join("entry"), "outer");
}

/// The outer branch is no jump and has its natural join. Those who part inside come together there,
/// though machine code lets them meet later.
TEST(MachineJoins, StayNested) {
  std::string blocks = nested("", "");
  const std::string jump = "i64 1, i64 4, i32 4,", behind = "behind:\n";
  blocks.insert(blocks.find(behind) + behind.size(),
                "  call void @llvm.pseudoprobe(i64 40, i64 0, i32 1, i64 0)\n");
  EXPECT_EQ(FlowText(blocks).join("then"), "behind");
  EXPECT_EQ(FlowText(blocks).join("entry"), "behind");
  blocks.replace(blocks.find(jump), jump.size(), "i64 1, i64 4, i32 0,");
  EXPECT_EQ(FlowText(blocks).join("entry"), "outer");
  EXPECT_EQ(FlowText(blocks).join("then"), "outer");
}

/// A place to meet is for those who were told of it.
TEST(MachineJoins, LanesMeetWhereTheyWereToldTo) {
  const std::string told = "  call void @llvm.pseudoprobe(i64 20, i64 4294967295, i32 0, i64 0)\n";
  std::string blocks = nested(meetsInside, meetsOutside);
  blocks.insert(blocks.find("side:\n") + 6, told);
  EXPECT_EQ(FlowText(blocks).join("then"), "outer") << "only those were told who come by the side";
  blocks.insert(blocks.find("then:\n") + 6, told);
  EXPECT_EQ(FlowText(blocks).join("then"), "inner");
}

TEST(MachineJoins, ABranchThatIsNoJumpHasItsNaturalJoin) {
  std::string blocks = nested("", meetsOutside);
  const std::string jump = "i64 5, i64 6, i32 4,";
  blocks.replace(blocks.find(jump), jump.size(), "i64 5, i64 6, i32 0,");
  const FlowText text(blocks);
  EXPECT_EQ(text.join("then"), "inner");
  EXPECT_EQ(text.join("entry"), "outer");
}

/// A loop whose lanes do not wait for each other before they go round: each goes by itself until it
/// has left.
TEST(MachineJoins, LanesThatDoNotMeetInALoopMeetBehindIt) {
  const auto blocks = [](const std::string& head) {
    return R"(
  br label %head
head:
)" + head + R"(
  store i32 0, ptr %out
  call void @llvm.pseudoprobe(i64 5, i64 6, i32 4, i64 5)
  br i1 %odd, label %side, label %next
side:
  store i32 1, ptr %out
  br label %next
next:
  store i32 2, ptr %out
  call void @llvm.pseudoprobe(i64 8, i64 9, i32 4, i64 5)
  br i1 %a, label %head, label %behind
behind:
  call void @llvm.pseudoprobe(i64 30, i64 0, i32 1, i64 0)
  store i32 3, ptr %out
  ret void
)";
  };
  const FlowText apart(blocks(""));
  EXPECT_EQ(apart.exitJoin(1), "behind");
  EXPECT_EQ(apart.join("head"), "behind");
  const FlowText together(blocks("  call void @llvm.pseudoprobe(i64 5, i64 0, i32 2, i64 0)"));
  EXPECT_EQ(together.exitJoin(1), "behind");
  EXPECT_EQ(together.join("head"), "head");
}

} // namespace
} // namespace heddle::analysis
