// SPDX-License-Identifier: Apache-2.0
//
// Places that the compiler has forgotten. Each line of the text below says where it stands by its
// line number in the source.
#include "analysis/SourceSite.h"

#include "frontend/DeviceModule.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace heddle::analysis {
namespace {

/// A function `k` at line 3, with places `!N` for the lines 10 to 19 and `!20` for line 0, `!21`
/// for line 0 of a function that line 12 calls, and `!30`, a loop that begins in line 11.
std::string textOf(const std::string& blocks) {
  std::string text = "define void @k(ptr %p, i1 %a, i32 %n) !dbg !4 {\nentry:\n" + blocks + R"(}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !2, emissionKind: LineTablesOnly)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "/src/k.cu", directory: "")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "k", file: !2, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "f", file: !2, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!20 = !DILocation(line: 0, scope: !4)
!21 = !DILocation(line: 0, scope: !5, inlinedAt: !12)
!30 = distinct !{!30, !11, !19}
)";
  for (int line = 10; line < 20; ++line)
    text += fmt::format("!{0} = {1}!DILocation(line: {0}, column: 7, scope: !4)\n", line,
                        line == 12 ? "distinct " : "");
  return text;
}

/// Where the branch of the block `at` stands, or the return.
profile::Site siteIn(const std::string& blocks) {
  const auto module = frontend::parseDeviceModule(textOf(blocks), "test");
  EXPECT_TRUE(module) << module.error().message;
  for (const llvm::BasicBlock& block : *module->module->getFunction("k"))
    if (block.getName() == "at")
      return siteOf(*block.getTerminator());
  ADD_FAILURE() << "no block 'at'";
  return {};
}

int lineIn(const std::string& blocks) {
  return siteIn(blocks).where.line;
}

TEST(SourceSite, AnInstructionKnowsItsPlace) {
  const profile::Site site = siteIn("  br label %at\nat:\n  ret void, !dbg !14\n");
  EXPECT_EQ(site.where.file, "/src/k.cu");
  EXPECT_EQ(site.where.line, 14);
  EXPECT_EQ(site.where.column, 7);
  EXPECT_EQ(site.function, "k");
}

TEST(SourceSite, ABranchWithoutAPlaceHasThatOfItsCondition) {
  const auto branch = [](const std::string& place) {
    return lineIn(R"(
  br label %at, !dbg !10
at:
  %x = load i32, ptr %p, !dbg !13
  %c = icmp slt i32 %x, %n, !dbg !14
  store i32 1, ptr %p, !dbg !15
  br i1 %c, label %then, label %end)" +
                  place + R"(
then:
  br label %end, !dbg !16
end:
  ret void, !dbg !17
)");
  };
  EXPECT_EQ(branch(""), 14);
  EXPECT_EQ(branch(", !dbg !20"), 14) << "line 0 is no place";
}

TEST(SourceSite, MergedConditionsHaveThePlaceOfOne) {
  EXPECT_EQ(lineIn(R"(
  %c = icmp slt i32 %n, 5, !dbg !14
  %d = icmp sgt i32 %n, 9, !dbg !15
  br label %at, !dbg !10
at:
  %both = or i1 %c, %d
  br i1 %both, label %then, label %end
then:
  br label %end
end:
  ret void
)"),
            14);
}

TEST(SourceSite, NeitherAPhiNorWhatWasMovedOutOfALoopTellsThePlace) {
  const auto branch = [](const std::string& condition) {
    return lineIn(R"(
  %moved = mul i32 %n, 3, !dbg !12
  br label %head, !dbg !10
head:
  %x = phi i32 [ 0, %entry ], [ %y, %end ], !dbg !13
  %c = icmp ugt i32 %x, 5, !dbg !14
  br i1 %c, label %end, label %at, !dbg !14
at:
  )" + condition + R"(
  br i1 %d, label %then, label %end
then:
  br label %end, !dbg !16
end:
  %y = add i32 %x, 1, !dbg !17
  br label %head, !dbg !17
)");
  };
  EXPECT_EQ(branch("%d = icmp eq i32 %x, 3"), 14);
  EXPECT_EQ(branch("%d = icmp eq i32 %moved, 3"), 14);
}

TEST(SourceSite, ABranchThatClosesALoopStandsWhereThatBegins) {
  EXPECT_EQ(lineIn(R"(
  br label %at, !dbg !10
at:
  store i32 1, ptr %p, !dbg !15
  br i1 %a, label %at, label %end, !llvm.loop !30
end:
  ret void
)"),
            11);
}

TEST(SourceSite, OtherwiseTheNearestNeighbourCounts) {
  EXPECT_EQ(lineIn(R"(
  br label %at, !dbg !10
at:
  store i32 1, ptr %p, !dbg !15
  store i32 2, ptr %p, !dbg !16
  store i32 3, ptr %p
  br i1 %a, label %at, label %end
end:
  ret void
)"),
            16);
  EXPECT_EQ(lineIn(R"(
  store i32 2, ptr %p, !dbg !16
  br label %between
between:
  br label %at
at:
  br i1 %a, label %then, label %end
then:
  store i32 2, ptr %p, !dbg !17
  br label %end
end:
  ret void
)"),
            16)
      << "on the way to it";
}

TEST(SourceSite, AtLastTheCallOrTheFunctionCounts) {
  const profile::Site call = siteIn("  br label %at\nat:\n  ret void, !dbg !21\n");
  EXPECT_EQ(call.where.line, 12);
  EXPECT_EQ(call.function, "k");
  const profile::Site function = siteIn("  br label %at\nat:\n  ret void\n");
  EXPECT_EQ(function.where.line, 3);
  EXPECT_EQ(function.where.file, "/src/k.cu");
  EXPECT_EQ(function.function, "k");
}

} // namespace
} // namespace heddle::analysis
