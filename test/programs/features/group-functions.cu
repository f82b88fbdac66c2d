// SPDX-License-Identifier: Apache-2.0
// Plain functions as the operations of cooperative groups: cg::reduce and cg::inclusive_scan take
// their names and pointers to them as they take objects.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include "../check.h"

namespace cg = cooperative_groups;

struct __align__(8) Totals {
  float count, most;
};

__device__ __forceinline__ Totals merge(Totals a, Totals b) {
  return {a.count + b.count, a.most > b.most ? a.most : b.most};
}

__device__ int larger(int a, int b) noexcept {
  return a > b ? a : b;
}

__global__ void run(Totals* totals, int* most, int* running) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int rank = warp.thread_rank(), value = rank * 7 % 32;
  const Totals all = cg::reduce(warp, Totals{1.0f, float(value)}, merge);
  if (rank == 0)
    *totals = all;
  int (*const operation)(int, int) = larger;
  most[rank] = cg::reduce(warp, value, operation);
  running[rank] = cg::inclusive_scan(warp, value, larger);
}

int main() {
  const DeviceArray<Totals> totals(1);
  const DeviceArray<int> most(32), running(32);
  run<<<1, 32>>>(totals, most, running);
  CHECK_LAUNCH();
  expectEqual("count", totals.read()[0].count, 32.0f);
  expectEqual("most of all", totals.read()[0].most, 31.0f);
  expectArray("most", most.read(), [](size_t) { return 31; });
  expectArray("running", running.read(), [](size_t i) {
    int largest = 0;
    for (int rank = 0; rank <= int(i); ++rank)
      largest = rank * 7 % 32 > largest ? rank * 7 % 32 : largest;
    return largest;
  });
  return finish();
}
