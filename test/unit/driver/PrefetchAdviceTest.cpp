// SPDX-License-Identifier: Apache-2.0
#include "driver/PrefetchAdvice.h"

#include <gtest/gtest.h>

namespace heddle::driver {
namespace {

profile::ProgramProfile oneKernel(double kernelSeconds, double touchSeconds) {
  profile::KernelProfile kernel;
  kernel.id = kernel.kernel = "k";
  kernel.timing.emplace().seconds = kernelSeconds;
  kernel.firstTouch = {.bytes = 1 << 20, .seconds = touchSeconds};
  profile::MemoryProfile inFunction, inKernel, shared;
  inFunction.site.where = {"a.cuh", 1, 1};
  inFunction.site.inlinedAt = {{"a.cuh", 2, 1}, {"a.cu", 30, 3}};
  inKernel.site.where = {"a.cu", 20, 5};
  shared.site.where = {"a.cu", 10, 5};
  shared.space = profile::MemorySpace::Shared;
  kernel.accesses = {inFunction, inKernel, shared};
  profile::ProgramProfile profile;
  profile.kernels = {kernel};
  return profile;
}

TEST(PrefetchAdvice, IsGivenWhereTheFirstTouchTakesLongerThanTheKernel) {
  EXPECT_TRUE(prefetchAdvice(oneKernel(3e-6, 2e-6)).empty());
  const auto advice = prefetchAdvice(oneKernel(3e-6, 4e-6));
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_EQ(advice[0].rewrite, "prefetch");
  EXPECT_EQ(advice[0].kernelId, "k");
  EXPECT_TRUE(advice[0].isAdvice);
  EXPECT_EQ(advice[0].file, "a.cu") << "where the kernel itself is";
  EXPECT_EQ(advice[0].line, 20);
}

} // namespace
} // namespace heddle::driver
