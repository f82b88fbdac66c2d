// SPDX-License-Identifier: Apache-2.0
#include "lowering/ListSchedule.h"

#include <gtest/gtest.h>

namespace heddle::lowering {
namespace {

std::vector<int> orderOf(ListSchedule& schedule) {
  std::vector<int> order;
  schedule.run([&](int node) { order.push_back(node); });
  return order;
}

/// A load and its use, between them a chain of two that waits for nobody.
TEST(ListSchedule, WhatTakesLongBeginsFirst) {
  ListSchedule schedule;
  const int first = schedule.add(1), second = schedule.add(1), load = schedule.add(1),
            use = schedule.add(1);
  schedule.wait(second, first, 4);
  schedule.wait(use, load, 40);
  EXPECT_EQ(orderOf(schedule), (std::vector{load, first, second, use}));
}

TEST(ListSchedule, EqualOnesKeepTheirOrder) {
  ListSchedule schedule;
  for (int i = 0; i < 4; ++i)
    schedule.add(1);
  EXPECT_EQ(orderOf(schedule), (std::vector{0, 1, 2, 3}));
}

/// The second of two chains can go on while the first one's long step issues.
TEST(ListSchedule, AStepThatIssuesLongLetsOthersCatchUp) {
  for (const int slots : {1, 8}) {
    ListSchedule schedule;
    const int start = schedule.add(1), behind = schedule.add(9), other = schedule.add(5, slots),
              last = schedule.add(4);
    schedule.wait(behind, start, 4);
    EXPECT_EQ(orderOf(schedule), slots == 1 ? (std::vector{start, other, last, behind})
                                            : (std::vector{start, other, behind, last}));
  }
}

TEST(ListSchedule, OnlyThoseInTheWindowAreLookedAt) {
  ListSchedule schedule(2);
  for (const int height : {1, 2, 3})
    schedule.add(height);
  EXPECT_EQ(orderOf(schedule), (std::vector{1, 2, 0}));
}

TEST(ListSchedule, TheCallerMayPreferAnother) {
  ListSchedule schedule;
  for (const int height : {3, 2, 1})
    schedule.add(height);
  std::vector<int> order;
  schedule.run([&](int node) { order.push_back(node); },
               [&](int) { return *schedule.startable().rbegin(); });
  EXPECT_EQ(order, (std::vector{2, 1, 0}));
}

} // namespace
} // namespace heddle::lowering
