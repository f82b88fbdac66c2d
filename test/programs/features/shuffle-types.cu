// SPDX-License-Identifier: Apache-2.0
// Shuffles of all types, 32 and 64 bits wide, and the reductions, scans and broadcasts people build
// of them.
#include "../check.h"

template <class T> __host__ __device__ T start(int lane) {
  return T(lane * lane) / T(2) - T(40);
}

template <class T> __global__ void run(T* out) {
  const unsigned all = 0xffffffffu;
  const int lane = threadIdx.x;
  const T value = start<T>(lane);
  T sum = value;
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(all, sum, offset);
  T butterfly = value;
  for (int mask = 1; mask < 32; mask *= 2)
    butterfly += __shfl_xor_sync(all, butterfly, mask);
  T prefix = value;
  for (int offset = 1; offset < 32; offset *= 2) {
    const T other = __shfl_up_sync(all, prefix, offset);
    if (lane >= offset)
      prefix += other;
  }
  out[lane] = __shfl_sync(all, sum, 0);
  out[32 + lane] = butterfly;
  out[64 + lane] = prefix;
  out[96 + lane] = __shfl_sync(all, value, 31 - lane);
}

template <class T> void check(const char* name) {
  DeviceArray<T> out(128);
  run<T><<<1, 32>>>(out);
  CHECK_LAUNCH();
  T sum = 0;
  std::vector<T> prefix(32);
  for (int lane = 0; lane < 32; ++lane)
    prefix[lane] = sum += start<T>(lane);
  expectArray(name, out.read(), [&](size_t i) {
    return i < 64 ? sum : i < 96 ? prefix[i - 64] : start<T>(127 - int(i));
  });
}

int main() {
  check<int>("int");
  check<unsigned>("unsigned");
  check<long>("long");
  check<long long>("long long");
  check<unsigned long long>("unsigned long long");
  check<float>("float");
  check<double>("double");
  return finish();
}
