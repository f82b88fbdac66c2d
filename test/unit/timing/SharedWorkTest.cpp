// SPDX-License-Identifier: Apache-2.0
#include "timing/SharedWork.h"

#include "TraceBuilder.h"

namespace heddle::timing {
namespace {

TEST(SharedWork, EachWarpDoesTheMeanInTheWayOfTheLongest) {
  TraceBuilder builder;
  profile::KernelTrace trace = builder.independent(10, profile::Unit::Fp32).trace(2, 4, 1);
  profile::WarpTrace& first = trace.blocks[0].warps[0]; // takes all
  first.executions.assign(81, {0, 0, 0});
  first.instructions = 810;
  trace.longestWarp = 810;
  trace.variation = 2;
  const profile::KernelTrace shared = withSharedWork(trace, 110);
  EXPECT_EQ(shared.longestWarp, 110u);
  EXPECT_EQ(shared.variation, 0);
  ASSERT_EQ(shared.blocks.size(), 2u);
  for (const profile::BlockTrace& block : shared.blocks)
    for (const profile::WarpTrace& warp : block.warps) {
      EXPECT_EQ(warp.executions.size(), 11u);
      EXPECT_EQ(warp.instructions, 110u);
    }
}

} // namespace
} // namespace heddle::timing
