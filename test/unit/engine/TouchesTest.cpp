// SPDX-License-Identifier: Apache-2.0
//
// Whether threads depend on each other, and who wrote a byte last.
#include "EngineFixture.h"

#include "engine/TouchedBytes.h"

#include <algorithm>

namespace heddle::engine {
namespace {

constexpr TouchKind R = TouchKind::Read, W = TouchKind::Write, A = TouchKind::Atomic;

bool conflict(const std::vector<std::pair<std::uint64_t, TouchKind>>& touches) {
  TouchedBytes bytes;
  for (const auto& [thread, kind] : touches)
    if (bytes.add(64, 4, {thread, 7, kind}))
      return true;
  return false;
}

/// By definition, from all pairs.
bool conflictByPairs(const std::vector<std::pair<std::uint64_t, TouchKind>>& touches) {
  for (const auto& [first, firstKind] : touches)
    for (const auto& [second, secondKind] : touches)
      if (first != second && (firstKind != secondKind || firstKind == W))
        return true;
  return false;
}

TEST(TouchedBytes, AgreesWithTheDefinitionForAllShortHistories) {
  const std::vector<TouchKind> kinds = {R, W, A};
  constexpr int choices = 9; // three threads, three kinds
  for (int history = 0; history < choices * choices * choices * choices; ++history) {
    std::vector<std::pair<std::uint64_t, TouchKind>> touches;
    for (int rest = history; touches.size() < 4; rest /= choices)
      touches.emplace_back(rest % 3, kinds[std::size_t(rest % choices / 3)]);
    EXPECT_EQ(conflict(touches), conflictByPairs(touches)) << history;
  }
}

TEST(TouchedBytes, NeighboursDoNotConflict) {
  TouchedBytes bytes;
  EXPECT_FALSE(bytes.add(100, 4, {1, 0, W}));
  EXPECT_FALSE(bytes.add(104, 1, {2, 0, W}));
  EXPECT_FALSE(bytes.add(105, 1, {3, 0, W}));
  EXPECT_FALSE(bytes.add(106, 2, {4, 0, W}));
  const auto found = bytes.add(103, 2, {2, 9, R});
  ASSERT_TRUE(found) << "a word is known byte by byte once it is split";
  EXPECT_EQ(found->address, 103U);
  EXPECT_EQ(found->first.thread, 1U);
  EXPECT_EQ(found->second.site, 9U);
  EXPECT_FALSE(bytes.add(104, 1, {2, 0, R}));
}

TEST(TouchedBytes, WideTouchesCrossPages) {
  TouchedBytes bytes;
  EXPECT_FALSE(bytes.add(1020, 16, {1, 0, W}));
  EXPECT_TRUE(bytes.add(1032, 4, {2, 0, R}));
  EXPECT_FALSE(bytes.add(1036, 4, {2, 0, R}));
}

/// What a launch of `k` says, with 3 blocks of 64 threads on 1024 elements.
template <class T> LaunchTouches touchesOf(const std::string& body, LaunchTouches asked = {}) {
  const std::string type = sizeof(T) == 1 ? "char" : "int";
  const auto kernel =
      compileText("extern \"C\" __global__ void k(" + type + "* a, int n) {" + index + body + "}");
  EXPECT_TRUE(kernel) << kernel.error().message;
  std::vector<T> data(1024, T(1));
  if (asked.watched)
    *asked.watched += reinterpret_cast<std::uint64_t>(data.data());
  asked.inGlobal = asked.inShared = true;
  LaunchSettings settings;
  settings.touches = &asked;
  const auto outcome = launchOn(*kernel, data, 3, 64, settings);
  EXPECT_TRUE(outcome && !outcome->fault);
  return asked;
}

TEST(Touches, OwnElementsAreIndependent) {
  EXPECT_FALSE(touchesOf<int>("a[i] = 2 * a[i] + a[1000];").global);
  EXPECT_FALSE(touchesOf<char>("a[i] = 2 * a[i];").global) << "neighbouring bytes of one word";
}

TEST(Touches, ANeighboursElementIsNot) {
  const LaunchTouches touches = touchesOf<int>("a[i] = a[i + 1];");
  ASSERT_TRUE(touches.global);
  EXPECT_EQ(touches.global->first.kind, TouchKind::Read);
  EXPECT_EQ(touches.global->second.kind, TouchKind::Write);
  EXPECT_EQ(touches.global->second.thread, touches.global->first.thread + 1);
}

TEST(Touches, ABlockThatIsNotSampledCounts) {
  EXPECT_TRUE(touchesOf<int>("if (i == 100 || i == 180) a[500] = i;").global);
}

TEST(Touches, OneAddressForTheWholeWarp) {
  EXPECT_TRUE(touchesOf<int>("a[i + 300] = a[7]; if (i == 9) a[7] = 1;").global);
  EXPECT_TRUE(touchesOf<int>("a[7] = 3;").global) << "even where all write the same";
  EXPECT_FALSE(touchesOf<int>("a[i] = a[700];").global);
}

TEST(Touches, AtomicsDoNotConflictWithEachOther) {
  EXPECT_FALSE(touchesOf<int>("atomicAdd(a + 3, 1); atomicMax(a + 3, i);").global);
  EXPECT_TRUE(touchesOf<int>("if (i) atomicAdd(a, 1); else a[0] = 4;").global);
  EXPECT_TRUE(touchesOf<int>("if (i == 5) atomicAdd(a, 1); a[i] = a[0];").global);
}

TEST(Touches, LocalMemoryIsEachThreadsOwn) {
  const LaunchTouches touches = touchesOf<int>(
      "int t[16]; for (int k = 0; k < 16; ++k) t[k] = i * k; a[i] = t[a[i] & 15] + t[i & 15];");
  EXPECT_FALSE(touches.global);
  EXPECT_FALSE(touches.shared);
}

TEST(Touches, SharedMemoryIsToldApart) {
  const std::string declare = "__shared__ int s[64]; s[threadIdx.x] = a[i]; __syncthreads();";
  const LaunchTouches own = touchesOf<int>(declare + "a[i] = s[threadIdx.x];");
  EXPECT_FALSE(own.shared) << "blocks have their own, in the same place";
  const LaunchTouches other = touchesOf<int>(declare + "a[i] = s[threadIdx.x ^ 1];");
  EXPECT_TRUE(other.shared);
  EXPECT_FALSE(other.global);
  EXPECT_EQ(other.shared->address % 4, 0U);
}

TEST(Touches, TheLastWriterOfAByteIsKnown) {
  const LaunchTouches touches = touchesOf<int>(
      "a[i] = 1; if (i == 70) a[30] = 5; if (i == 3) a[31] = a[30];", {.watched = 30 * 4 + 3});
  ASSERT_TRUE(touches.lastWrite);
  EXPECT_EQ(touches.lastWrite->thread, 70U);
  EXPECT_EQ(touches.lastWrite->kind, TouchKind::Write);
}

TEST(Touches, TheAccountDoesNotChange) {
  const auto kernel =
      compileText("extern \"C\" __global__ void k(int* a, int n) {" + index +
                  "if (i & 1) a[i] += a[(i * 7) % n]; else atomicAdd(a + 5, a[0]);}");
  ASSERT_TRUE(kernel);
  std::vector<int> data(4096, 1);
  LaunchTouches touches;
  touches.inGlobal = touches.inShared = true;
  LaunchSettings settings;
  settings.workers = 1;
  const auto expected = runOn(*kernel, data, 64, 64, settings);
  const std::vector<int> plain = data;
  std::ranges::fill(data, 1); // in the same place: sectors count
  settings.touches = &touches;
  const auto found = runOn(*kernel, data, 64, 64, settings);
  ASSERT_TRUE(expected && found);
  EXPECT_EQ(plain, data);
  ASSERT_EQ(expected->accesses.size(), found->accesses.size());
  for (std::size_t i = 0; i < found->accesses.size(); ++i) {
    EXPECT_EQ(expected->accesses[i].executions, found->accesses[i].executions);
    EXPECT_EQ(expected->accesses[i].transactions, found->accesses[i].transactions);
  }
}

} // namespace
} // namespace heddle::engine
