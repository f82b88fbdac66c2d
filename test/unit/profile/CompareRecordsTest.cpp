// SPDX-License-Identifier: Apache-2.0
#include "profile/CompareRecords.h"

#include "profile/WordText.h"
#include "support/Files.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <numeric>

namespace heddle::profile {
namespace {

template <class T> std::vector<std::byte> bytesOf(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

/// A record as a run would write it.
class TestRecord {
public:
  explicit TestRecord(const std::filesystem::path& path) : path_(path) {
    auto writer = RecordWriter::create(path);
    EXPECT_TRUE(writer) << writer.error().message;
    writer_.emplace(*std::move(writer));
  }

  TestRecord& made(const std::string& region, std::uint64_t address, std::uint64_t size) {
    writer_->begin(
        {.kind = RecordKind::Made, .region = region, .address = address, .regionSize = size});
    return *this;
  }

  TestRecord& add(RecordKind kind, const std::string& region, const std::vector<std::byte>& content,
                  std::uint64_t address = 0, RowShape rows = {}) {
    writer_->begin({.kind = kind,
                    .region = region,
                    .address = address,
                    .regionSize = content.size(),
                    .offset = 0,
                    .rows = rows,
                    .size = content.size()});
    writer_->append(content);
    return *this;
  }

  std::filesystem::path end(const std::string& fault = "") {
    writer_->begin({.kind = RecordKind::Ended, .region = fault});
    const auto done = writer_->finish();
    EXPECT_TRUE(done) << done.error().message;
    return path_;
  }

private:
  std::filesystem::path path_;
  std::optional<RecordWriter> writer_;
};

class CompareRecords : public testing::Test {
protected:
  CompareRecords() : folder_(*TemporaryFolder::make()) {}

  TestRecord record(const std::string& name) const { return TestRecord(folder_.path() / name); }

  static RecordComparison compare(const std::filesystem::path& before,
                                  const std::filesystem::path& after,
                                  const Tolerance& tolerance = {}) {
    const auto result = compareRecords(before, after, tolerance);
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : RecordComparison{};
  }

  /// One copy of floats to the host.
  std::filesystem::path copyOf(const std::string& name, const std::vector<float>& values) const {
    return record(name).add(RecordKind::Copied, "cudaMalloc #1", bytesOf(values)).end();
  }

  TemporaryFolder folder_;
};

TEST_F(CompareRecords, EqualRunsAreEqual) {
  std::vector<int> large(100'000);
  std::iota(large.begin(), large.end(), 0);
  const std::vector<std::byte> fresh(300'000, std::byte{0x7f});
  const auto write = [&](const std::string& name) {
    return record(name)
        .add(RecordKind::Copied, "cudaMalloc #1", bytesOf(large))
        .add(RecordKind::Left, "cudaMalloc #1", fresh)
        .end();
  };
  const auto before = write("before"), after = write("after");
  const RecordComparison result = compare(before, after);
  EXPECT_FALSE(result.difference);
  EXPECT_EQ(result.copies, 1U);
  EXPECT_EQ(result.regions, 1U);
  EXPECT_EQ(result.bytes, 700'000U);
  EXPECT_LT(std::filesystem::file_size(before), 401'000U) << "fresh memory takes no space";
}

TEST_F(CompareRecords, ADifferenceIsNamedAndCounted) {
  std::vector<float> values(100'000, 1.5F);
  const auto before = copyOf("before", values);
  values[70'001] = 2.25F;
  values[99'999] = 0;
  const auto result = compare(before, copyOf("after", values));
  ASSERT_TRUE(result.difference);
  EXPECT_EQ(result.difference->beforeRegion, "cudaMalloc #1");
  EXPECT_EQ(result.difference->offset, 70'001U * 4 + 2) << "the low bytes of both are 0";
  EXPECT_EQ(result.difference->words, 2U);
  EXPECT_EQ(result.difference->text(),
            "copy 1 to the host: cudaMalloc #1 + 280006: before: 1.5 (0x3fc00000), after: 2.25 "
            "(0x40100000); 2 words of 4 bytes differ");
}

TEST_F(CompareRecords, NumbersMayDifferAsFarAsInAnotherOrder) {
  const Tolerance tolerance{.floats = 1e-5, .doubles = 1e-12};
  const auto before = copyOf("before", {1.5F, 1e-20F, 0, 7e-21F});
  const auto reordered = copyOf("reordered", {1.5F, 1.1e-20F, 1e-21F, 7e-21F});
  const auto differs = [&](const std::vector<float>& values, const Tolerance& allowed) {
    const auto result = compareRecords(before, copyOf("after", values), allowed, reordered);
    EXPECT_TRUE(result) << result.error().message;
    return !result || result->difference.has_value();
  };
  EXPECT_FALSE(differs({1.5F, 0.9e-20F, -5e-21F, 7e-21F}, tolerance));
  EXPECT_TRUE(differs({1.5F, 0.9e-20F, -5e-21F, 7e-21F}, {})) << "without a tolerance";
  EXPECT_TRUE(differs({1.6F, 1e-20F, 0, 7e-21F}, tolerance)) << "both orders leave 1.5 there";
  EXPECT_TRUE(differs({1.5F, 9e-20F, 0, 7e-21F}, tolerance)) << "much further than the orders";
  EXPECT_TRUE(differs({1.5F, 1e-20F, 0, 8e-21F}, tolerance)) << "both orders leave the same";
  // The original does something else in that order: it says nothing.
  const auto longer = copyOf("longer", {1.5F, 1.1e-20F, 1e-21F, 7e-21F, 1});
  const auto result =
      compareRecords(before, copyOf("after", {1.5F, 0.9e-20F, 0, 7e-21F}), tolerance, longer);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->difference);
}

TEST_F(CompareRecords, EveryByteCounts) {
  for (std::size_t at = 0; at < 11; ++at) {
    std::vector<std::byte> content(11);
    const auto before = record("before").add(RecordKind::Left, "cudaMalloc #1", content).end();
    content[at] = std::byte{1};
    const auto after = record("after").add(RecordKind::Left, "cudaMalloc #1", content).end();
    const auto result = compare(before, after);
    ASSERT_TRUE(result.difference) << at;
    EXPECT_EQ(result.difference->offset, at);
  }
}

TEST_F(CompareRecords, RowsOfAPitchedCopyLieWhereTheyLie) {
  const RowShape rows{.width = 8, .height = 2, .pitch = 512, .slice = 2048};
  std::vector<int> values(6, 1);
  const auto before =
      record("before").add(RecordKind::Copied, "cudaMalloc3D #1", bytesOf(values), 0, rows).end();
  values[5] = 2;
  const auto after =
      record("after").add(RecordKind::Copied, "cudaMalloc3D #1", bytesOf(values), 0, rows).end();
  const auto result = compare(before, after);
  ASSERT_TRUE(result.difference);
  EXPECT_EQ(result.difference->offset, 2048U + 4) << "second word of the first row of slice 1";
}

TEST_F(CompareRecords, CloseFloatsAreEqualOnlyOnDemand) {
  const auto before = copyOf("before", {1000.0F, 3.0F});
  const auto after = copyOf("after", {1000.001F, 3.0F});
  EXPECT_TRUE(compare(before, after).difference);
  const auto result = compare(before, after, {.floats = 1e-5});
  EXPECT_FALSE(result.difference);
  EXPECT_EQ(result.tolerated, 1U);
  EXPECT_GT(result.largest.floats, 1e-7);
  EXPECT_LT(result.largest.floats, 1e-5);
  EXPECT_EQ(result.largest.doubles, 0);
  EXPECT_TRUE(compare(before, after, {.floats = 1e-7}).difference);
  EXPECT_TRUE(compare(before, after, {.doubles = 1e-5}).difference);
}

TEST_F(CompareRecords, CloseDoublesAreEqualOnlyOnDemand) {
  const auto write = [&](const std::string& name, double value) {
    return record(name).add(RecordKind::Copied, "cudaMalloc #1", bytesOf(std::vector{value})).end();
  };
  const auto before = write("before", 0.1), after = write("after", 0.1 + 1e-15);
  EXPECT_TRUE(compare(before, after).difference);
  EXPECT_FALSE(compare(before, after, {.doubles = 1e-12}).difference);
}

TEST_F(CompareRecords, CountersAreNeverClose) {
  const auto write = [&](const std::string& name, int value) {
    return record(name)
        .add(RecordKind::Copied, "cudaMalloc #1", bytesOf(std::vector{value, value}))
        .end();
  };
  const auto before = write("before", 1'000'000), after = write("after", 1'000'001);
  EXPECT_TRUE(compare(before, after, {.floats = 1e-3, .doubles = 1e-3}).difference);
}

TEST_F(CompareRecords, PointersToTheSamePlaceAreEqual) {
  const auto write = [&](const std::string& name, std::uint64_t address, std::uint64_t pointer) {
    return record(name)
        .made("cudaMalloc #1", address, 4096)
        .add(RecordKind::Copied, "cudaMalloc #2", bytesOf(std::vector{pointer}))
        .end();
  };
  const auto before = write("before", 0x10000, 0x10010);
  EXPECT_FALSE(compare(before, write("moved", 0x50000, 0x50010)).difference);
  EXPECT_TRUE(compare(before, write("elsewhere", 0x50000, 0x50018)).difference);
  EXPECT_TRUE(compare(before, write("outside", 0x50000, 0x90010)).difference);
}

TEST_F(CompareRecords, AFreedRegionMayPointIntoItself) {
  const auto write = [&](const std::string& name, std::uint64_t address) {
    return record(name)
        .made("cudaMallocManaged #1", address, 8)
        .add(RecordKind::Freed, "cudaMallocManaged #1", bytesOf(std::vector{address}), address)
        .end();
  };
  EXPECT_FALSE(compare(write("before", 0x1000), write("after", 0x2000)).difference);
}

TEST_F(CompareRecords, FreedScratchMemoryDoesNotCount) {
  const auto content = bytesOf(std::vector{1, 2, 3});
  const auto before = record("before")
                          .made("cudaMallocAsync #1", 0x1000, 12)
                          .add(RecordKind::Left, "cudaMallocAsync #1", content)
                          .end();
  const auto after = record("after")
                         .made("cudaMallocAsync #1", 0x1000, 400)
                         .add(RecordKind::Freed, "cudaMallocAsync #1", {}, 0x1000)
                         .made("cudaMallocAsync #2", 0x1000, 12)
                         .add(RecordKind::Left, "cudaMallocAsync #2", content)
                         .end();
  EXPECT_FALSE(compare(before, after).difference);
}

TEST_F(CompareRecords, OnlyTheSecondProgramMayHaveNewVariables) {
  const auto content = bytesOf(std::vector{1});
  const auto write = [&](const std::string& name, const std::vector<std::string>& variables) {
    TestRecord made = record(name);
    for (const std::string& variable : variables)
      made.add(RecordKind::Left, "variable '" + variable + "'", content);
    return made.end();
  };
  const auto one = write("one", {"b"});
  EXPECT_FALSE(compare(one, write("more", {"a", "b", "c"})).difference);
  const auto result = compare(write("more", {"a", "b", "c"}), one);
  ASSERT_TRUE(result.difference);
  EXPECT_EQ(result.difference->beforeRegion, "variable 'a'");
}

TEST_F(CompareRecords, MoreOrLongerCopiesDiffer) {
  const auto one = copyOf("one", {1, 2});
  const auto result = compare(one, copyOf("longer", {1, 2, 3}));
  ASSERT_TRUE(result.difference);
  EXPECT_EQ(result.difference->text(), "copy 1 to the host: cudaMalloc #1: before: 8 bytes copied "
                                       "to the host, after: 12 bytes copied to the host");
  EXPECT_TRUE(compare(one, record("none").end()).difference);
  EXPECT_TRUE(compare(record("none").end(), one).difference);
}

TEST_F(CompareRecords, AFaultDiffersFromAnEnd) {
  const auto result = compare(record("before").end(), record("after").end("a.cu:3: bad address"));
  ASSERT_TRUE(result.difference);
  EXPECT_EQ(result.difference->after, "a.cu:3: bad address");
  EXPECT_FALSE(compare(record("one").end("a.cu:3: x"), record("two").end("a.cu:9: x")).difference);
}

TEST_F(CompareRecords, ARecordThatIsCutShortIsAnError) {
  const auto whole = copyOf("whole", std::vector<float>(1000, 1.25F));
  const auto text = readFile(whole);
  ASSERT_TRUE(text);
  for (const std::size_t length : {std::size_t{3}, std::size_t{40}, text->size() / 2}) {
    ASSERT_TRUE(writeFile(folder_.path() / "part", text->substr(0, length)));
    EXPECT_FALSE(compareRecords(whole, folder_.path() / "part")) << length;
  }
}

TEST_F(CompareRecords, TheWriterOfACopyStandsBeforeIt) {
  const auto content = bytesOf(std::vector{1});
  TestRecord made = record("one");
  made.add(RecordKind::Wrote, "first", {})
      .add(RecordKind::Copied, "cudaMalloc #1", content)
      .add(RecordKind::Copied, "cudaMalloc #2", content)
      .add(RecordKind::Wrote, "last", {})
      .add(RecordKind::Left, "cudaMalloc #1", content);
  const auto path = made.end();
  EXPECT_EQ(*writerOf(path, 1), "first");
  EXPECT_EQ(*writerOf(path, 2), std::nullopt) << "does not hold the byte";
  EXPECT_EQ(*writerOf(path, 0), "last");
}

TEST(WordText, ShowsWhatTheWordsLookLike) {
  const auto show = [](const auto& values) {
    const auto bytes = bytesOf(values);
    return wordText(bytes, 0, guessType(bytes));
  };
  EXPECT_EQ(show(std::vector{3, 4, 100, -1}), "3 (0x00000003)");
  EXPECT_EQ(show(std::vector{0.5F, 1.1F, 3.0F, 9.0F}), "0.5 (0x3f000000)");
  EXPECT_EQ(show(std::vector{0.1, 0.2, 1.0}), "0.1 (0x3fb999999999999a)");
  EXPECT_EQ(show(std::vector{1.0, 2.0}), "1 (0x3ff0000000000000)");
  EXPECT_EQ(show(std::vector{0x7f7f7f7f, 1}), "never written (0x7f7f7f7f)");
}

TEST_F(CompareRecords, PointersThatDifferAreNamedByWhatTheyPointTo) {
  const auto left = [&](const std::string& name, std::uint64_t heap, std::uint64_t pointer) {
    return record(name)
        .made("the host's heap", heap, 1 << 20)
        .add(RecordKind::Left, "variable 'job'", bytesOf<std::uint64_t>({1, pointer}))
        .end();
  };
  const auto before = left("a", 0x555555570000, 0x555555570040);
  EXPECT_FALSE(compare(before, left("b", 0x555555573000, 0x555555573040)).difference);
  const RecordComparison result = compare(before, left("c", 0x555555573000, 0x555555573050));
  ASSERT_TRUE(result.difference);
  EXPECT_EQ(result.difference->text(),
            "what is left: variable 'job' + 8: before: a pointer to the host's heap + 64, after: a "
            "pointer to the host's heap + 80; 1 word of 4 bytes differs");
}

} // namespace
} // namespace heddle::profile
