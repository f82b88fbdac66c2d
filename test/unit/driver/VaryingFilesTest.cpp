// SPDX-License-Identifier: Apache-2.0
#include "driver/VaryingFiles.h"

#include "support/Files.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace heddle::driver {
namespace {

using Names = std::vector<std::string>;
using Difference = std::optional<std::string>;

class VaryingFilesTest : public testing::Test {
protected:
  /// A run that wrote these files; nothing for one that it removed.
  profile::WrittenFiles wrote(const std::map<std::string, Difference>& files) {
    profile::WrittenFiles written;
    for (const auto& [name, content] : files) {
      const std::filesystem::path copy = folder_->path() / std::to_string(count_++);
      EXPECT_TRUE(!content || writeFile(copy, *content));
      written[name] = content ? copy : std::filesystem::path();
    }
    return written;
  }
  Difference difference(const profile::WrittenFiles& before, const profile::WrittenFiles& after) {
    auto found = varying_.difference(before, after);
    EXPECT_TRUE(found);
    return found.value_or(Difference("cannot be read"));
  }

  VaryingFiles varying_;

private:
  Expected<TemporaryFolder> folder_ = TemporaryFolder::make();
  int count_ = 0;
};

TEST_F(VaryingFilesTest, WithoutRunsToLearnFromEveryDifferenceCounts) {
  const std::string raw("\0\x11", 2), other("\0\x12", 2);
  const auto before = wrote({{"a.raw", raw}, {"b.txt", "1\n2\n"}, {"c", std::nullopt}});
  EXPECT_EQ(difference(before, before), std::nullopt);
  const auto after = [&](const std::string& a, const std::string& b) {
    return difference(before, wrote({{"a.raw", a}, {"b.txt", b}, {"c", std::nullopt}}));
  };
  EXPECT_EQ(after(other, "1\n2\n"), "file a.raw: byte 1 was 17 and is 18");
  EXPECT_EQ(after(raw + raw, "1\n2\n"), "file a.raw goes on now after byte 2");
  EXPECT_EQ(after(raw.substr(0, 1), "1\n2\n"), "file a.raw ends now after byte 1");
  EXPECT_EQ(after(raw, "1\n3\n"), "file b.txt: line 2 was '2' and is '3'");
}

TEST_F(VaryingFilesTest, FilesThatAreMissingOrNewAreNamed) {
  const auto both = wrote({{"a", "1"}, {"b", std::nullopt}});
  EXPECT_EQ(difference(both, wrote({{"b", std::nullopt}})), "file a is not written any more");
  EXPECT_EQ(difference(both, wrote({{"a", "1"}})), "file b is not removed any more");
  EXPECT_EQ(difference(both, wrote({{"a", std::nullopt}, {"b", std::nullopt}})),
            "file a was written and is removed");
  EXPECT_EQ(difference(both, wrote({{"a", "1"}, {"b", std::nullopt}, {"c", "1"}})),
            "file c was not written before");
}

TEST_F(VaryingFilesTest, WhatDiffersBetweenRunsIsSetAside) {
  const auto run = [&](const std::string& time, const std::string& sum) {
    return wrote({{"a.txt", "sum " + sum + "\ntime " + time + "\n"},
                  {"b.raw", std::string(1, '\0') + time}});
  };
  const auto first = run("0.52", "3");
  EXPECT_TRUE(varying_.learn(first, run("0.61", "3")));
  EXPECT_EQ(difference(first, run("0.7", "3")), std::nullopt);
  EXPECT_EQ(difference(first, run("0.7", "4")), "file a.txt: line 1 was 'sum 3' and is 'sum 4'");
  EXPECT_EQ(varying_.setAside(), (Names{"file a.txt: line 2 ('0.52')", "file b.raw: all of it"}));
}

TEST_F(VaryingFilesTest, AFileWhoseNameVariesIsSetAside) {
  const auto first = wrote({{"a", "1"}, {"log-1", "x"}});
  EXPECT_TRUE(varying_.learn(first, wrote({{"a", "1"}, {"log-2", "x"}})));
  EXPECT_EQ(difference(first, wrote({{"a", "1"}, {"log-3", "x"}})), std::nullopt);
  EXPECT_EQ(difference(first, wrote({{"a", "2"}, {"log-3", "x"}})),
            "file a: line 1 was '1' and is '2'");
  EXPECT_EQ(varying_.setAside(),
            (Names{"file log-1: not every run writes it", "file log-2: not every run writes it"}));
}

} // namespace
} // namespace heddle::driver
