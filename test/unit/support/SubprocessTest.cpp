// SPDX-License-Identifier: Apache-2.0
#include "support/Subprocess.h"

#include "support/Files.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <string>

#include <sys/personality.h>

namespace heddle {
namespace {

constexpr unsigned long askOnly = 0xffffffff;

/// How the system was asked to start a child, in its own words.
std::string personalityOfChild(bool sameAddresses) {
  const auto folder = TemporaryFolder::make();
  const std::string output = (folder->path() / "output").string();
  SubprocessOptions options;
  options.outputFile = output;
  options.sameAddresses = sameAddresses;
  auto child = Subprocess::start({"cat", "/proc/self/personality"}, options);
  EXPECT_TRUE(child && child->wait().exitCode == 0);
  return readFile(output).value_or("");
}

TEST(Subprocess, AChildCanHaveTheSameAddressesInEveryRun) {
  const int before = personality(askOnly);
  if (before == -1 || personality(unsigned(before) | ADDR_NO_RANDOMIZE) == -1)
    GTEST_SKIP() << "this system refuses it";
  personality(unsigned(before));
  if ((before & ADDR_NO_RANDOMIZE) != 0)
    GTEST_SKIP() << "we were started so";
  EXPECT_EQ(personalityOfChild(true), "00040000\n");
  EXPECT_EQ(personality(askOnly), before) << "only the child";
  EXPECT_EQ(personalityOfChild(false), "00000000\n");
}

/// Where the stack of a child begins that gets a variable.
std::string stackOfChild(const std::string& value) {
  const auto folder = TemporaryFolder::make();
  const std::string output = (folder->path() / "output").string();
  SubprocessOptions options;
  options.outputFile = output;
  options.sameAddresses = true;
  options.environment = {{"A_VARIABLE", value}};
  auto child = Subprocess::start({"cut", "-d ", "-f28", "/proc/self/stat"}, options);
  EXPECT_TRUE(child && child->wait().exitCode == 0);
  return readFile(output).value_or("");
}

TEST(Subprocess, ItsStackLiesThereWhateverItsEnvironment) {
  const int before = personality(askOnly);
  if (before == -1 || personality(unsigned(before) | ADDR_NO_RANDOMIZE) == -1)
    GTEST_SKIP() << "this system refuses it";
  personality(unsigned(before));
  EXPECT_EQ(stackOfChild("short"), stackOfChild("a value that takes some bytes more of its stack"));
}

} // namespace
} // namespace heddle
