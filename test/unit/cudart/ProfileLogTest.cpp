// SPDX-License-Identifier: Apache-2.0
#include "cudart/ProfileLog.h"

#include "profile/ProfileJson.h"

#include <gtest/gtest.h>

namespace heddle::cudart {
namespace {

profile::KernelProfile launchOf(const std::string& id, int blocks) {
  profile::KernelProfile launch;
  launch.id = id;
  launch.kernel = "add";
  launch.launches = 1;
  launch.grid = {blocks, 1, 1};
  return launch;
}

profile::ProgramProfile readBack(ProfileLog& log, profile::Ending ending,
                                 const std::string& fault) {
  const auto text = log.write(ending, fault, std::chrono::milliseconds(100));
  return profile::readProfile(text.value(), "log").value();
}

TEST(ProfileLog, SumsByKernel) {
  ProfileLog log;
  log.describe("H200 SXM", "volta");
  log.add(launchOf("_Z3addPf", 1));
  log.add(launchOf("_Z3addPf#2", 2));
  log.add(launchOf("_Z3addPd", 3));
  log.add(launchOf("_Z3addPf", 4));
  const profile::ProgramProfile profile = readBack(log, profile::Ending::Fault, "k.cu:1: bad");
  EXPECT_EQ(profile.device, "H200 SXM");
  EXPECT_EQ(profile.ending, profile::Ending::Fault);
  EXPECT_EQ(profile.fault, "k.cu:1: bad");
  ASSERT_EQ(profile.kernels.size(), 3U);
  EXPECT_EQ(profile.kernels[0].launches, 2U);
  ASSERT_EQ(profile.launches.size(), 4U);
  EXPECT_EQ(profile.launches[2].kernel, 2U);
  EXPECT_EQ(profile.launches[3].kernel, 0U);
  EXPECT_EQ(profile.launches[3].grid[0], 4);
}

TEST(ProfileLog, ListsTheFirstLaunchesAndSumsTheRest) {
  ProfileLog log;
  const auto most = profile::ProgramProfile::mostLaunches;
  for (std::size_t i = 0; i < most + 5; ++i)
    log.add(launchOf("k", 1));
  const profile::ProgramProfile profile = readBack(log, profile::Ending::Complete, "");
  EXPECT_EQ(profile.launches.size(), most);
  ASSERT_EQ(profile.kernels.size(), 1U);
  EXPECT_EQ(profile.kernels[0].launches, most + 5);
}

TEST(ProfileLog, LanesAreThoseSinceTheLastCall) {
  ProfileLog log;
  profile::KernelProfile launch = launchOf("k", 1);
  launch.warpInstructions = 10;
  launch.threadInstructions = 200;
  launch.lostToFinished = 20;
  launch.lostToPartial = 30;
  launch.lostToSequences = 10;
  launch.switchedOff = 5;
  profile::BranchProfile branch;
  branch.site.where = {"folder/k.cu", 7, 1};
  branch.lostSlots = 30;
  launch.branches = {branch, branch};
  launch.branches[1].site.where.column = 5;
  log.add(launch);
  log.add(launch);
  const LaneSums sums = log.takeLanes();
  EXPECT_EQ(sums.warpInstructions, 20U);
  EXPECT_EQ(sums.used, 400U);
  EXPECT_EQ(sums.lostToFinished, 40U);
  EXPECT_EQ(sums.lostToPartial, 60U);
  EXPECT_EQ(sums.lostToSequences, 20U);
  EXPECT_EQ(sums.switchedOff, 10U);
  EXPECT_EQ(sums.lostAt, (std::map<std::string, std::uint64_t>{{"k.cu:7", 120}}));
  EXPECT_EQ(log.takeLanes().warpInstructions, 0U);
}

TEST(ProfileLog, SwitchedOffLanesAreKnownIfThoseOfAllLaunchesAre) {
  ProfileLog log;
  profile::KernelProfile known = launchOf("k", 1);
  known.warpInstructions = 1;
  known.threadInstructions = 32;
  known.switchedOff = 3;
  profile::KernelProfile unknown = known;
  unknown.switchedOff.reset();
  profile::KernelProfile nothing = launchOf("k", 1);
  nothing.warpInstructions = nothing.threadInstructions = 0;
  log.add(nothing);
  log.add(known);
  log.add(nothing);
  EXPECT_EQ(log.takeLanes().switchedOff, 3U);
  log.add(known);
  log.add(unknown);
  log.add(known);
  EXPECT_FALSE(log.takeLanes().switchedOff);
}

} // namespace
} // namespace heddle::cudart
