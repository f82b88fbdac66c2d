// SPDX-License-Identifier: Apache-2.0
// __shfl_sync, _up, _down and _xor of every width: lanes out of range keep their own value or wrap
// within the segment.
#include "../check.h"

template <int Width> __global__ void run(int* out) {
  const unsigned all = 0xffffffffu;
  const int lane = threadIdx.x, value = lane * 10;
  int* mine = out + lane * 6;
  mine[0] = __shfl_sync(all, value, 3, Width);
  mine[1] = __shfl_sync(all, value, lane * 5 + 1,
                        Width); // another source for each lane, beyond the width
  mine[2] = __shfl_up_sync(all, value, 3, Width);
  mine[3] = __shfl_down_sync(all, value, 5, Width);
  mine[4] = __shfl_xor_sync(all, value, 5, Width);
  mine[5] = __shfl_sync(all, value, -1, Width); // the last lane
}

int reference(int lane, int what, int width) {
  const int first = lane / width * width, at = lane % width;
  int from = lane;
  switch (what) {
  case 0:
    from = first + 3 % width;
    break;
  case 1:
    from = first + (lane * 5 + 1) % width;
    break;
  case 2:
    from = at >= 3 ? lane - 3 : lane;
    break;
  case 3:
    from = at + 5 < width ? lane + 5 : lane;
    break;
  case 4:
    from = (lane ^ 5) < first + width ? lane ^ 5 : lane;
    break; // an earlier segment may be read
  case 5:
    from = first + width - 1;
    break;
  }
  return from * 10;
}

template <int Width> void check() {
  DeviceArray<int> out(32 * 6);
  run<Width><<<1, 32>>>(out);
  CHECK_LAUNCH();
  expectArray("width " + std::to_string(Width) + ": out", out.read(),
              [](size_t i) { return reference(int(i) / 6, int(i) % 6, Width); });
}

int main() {
  check<2>();
  check<4>();
  check<8>();
  check<16>();
  check<32>();
  return finish();
}
