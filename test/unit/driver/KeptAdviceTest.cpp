// SPDX-License-Identifier: Apache-2.0
#include "driver/KeptAdvice.h"

#include "support/Files.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace heddle::driver {
namespace {

class KeptAdviceTest : public testing::Test {
protected:
  void SetUp() override {
    setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
    write("main.cu", "#include \"own.h\"\n");
    write("own.h", "#define OWN 1\n");
    profile_.kernels.emplace_back().kernel = "k";
    profile_.kernels.front().warpInstructions = 100;
    profile_.kernels.front().seconds = 0.5;
  }

  std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(writeFile(file(name), text));
  }
  KeptAdvice open() const {
    return *KeptAdvice::open(AdviceFrom::Models, profile_, {.files = {file("main.cu")}});
  }

  TemporaryFolder folder_ = *TemporaryFolder::make();
  profile::ProgramProfile profile_;
  const Advice advice_ = {{.rewrite = "schedule-iterations",
                           .form = "aging",
                           .kernel = "k",
                           .kernelId = "_Z1kv",
                           .file = "main.cu",
                           .line = 7,
                           .column = 3,
                           .applies = true,
                           .tried = true,
                           .reason = "half of its lanes wait",
                           .predictedSpeedup = 1.625,
                           .low = 0.9,
                           .high = 1.3},
                          {.rewrite = "predicate", .id = "does-not-pay"}};
};

TEST_F(KeptAdviceTest, IsFoundAgain) {
  EXPECT_FALSE(open().find());
  open().store(advice_, {file("main.cu"), file("own.h")});
  profile_.kernels.front().seconds = 0.75; // the machine was busy
  const auto found = open().find();
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 2u);
  const advise::Candidate& first = found->front();
  EXPECT_EQ(first.rewrite, "schedule-iterations");
  EXPECT_EQ(first.form, "aging");
  EXPECT_EQ(first.kernel, "k");
  EXPECT_EQ(first.kernelId, "_Z1kv");
  EXPECT_EQ(first.file, "main.cu");
  EXPECT_EQ(first.line, 7);
  EXPECT_EQ(first.column, 3);
  EXPECT_TRUE(first.applies);
  EXPECT_TRUE(first.tried);
  EXPECT_EQ(first.reason, "half of its lanes wait");
  EXPECT_EQ(first.predictedSpeedup, 1.625);
  EXPECT_EQ(first.low, 0.9);
  EXPECT_EQ(first.high, 1.3);
  EXPECT_EQ(found->back().id, "does-not-pay");
}

TEST_F(KeptAdviceTest, WhatRunsFoundIsKeptBesides) {
  const auto ofRuns = [&] {
    return *KeptAdvice::open(AdviceFrom::Runs, profile_, {.files = {file("main.cu")}});
  };
  open().store(advice_, {file("main.cu")});
  EXPECT_FALSE(ofRuns().find());
  ofRuns().store({}, {file("main.cu")});
  EXPECT_TRUE(ofRuns().find()->empty());
  EXPECT_EQ(open().find()->size(), 2u);
}

TEST_F(KeptAdviceTest, NotForAnotherProfile) {
  open().store(advice_, {file("main.cu")});
  profile_.kernels.front().warpInstructions = 101;
  EXPECT_FALSE(open().find());
}

TEST_F(KeptAdviceTest, NotForAnotherSourceOrHeader) {
  open().store(advice_, {file("main.cu"), file("own.h")});
  write("own.h", "#define OWN 2\n");
  EXPECT_FALSE(open().find());
  write("own.h", "#define OWN 1\n");
  EXPECT_TRUE(open().find());
  write("main.cu", "#include \"own.h\"\nint x;\n");
  EXPECT_FALSE(open().find());
}

} // namespace
} // namespace heddle::driver
