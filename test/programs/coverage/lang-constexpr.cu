// SPDX-License-Identifier: Apache-2.0
// COVERS: constexpr, templates, if constexpr
// FLAGS: --expt-relaxed-constexpr
// Tables made at compile time, std::array and std::max in device code, if constexpr, static_assert.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <type_traits>

constexpr std::array<uint32_t, 256> crcTable() {
  std::array<uint32_t, 256> t{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int k = 0; k < 8; ++k)
      c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
    t[i] = c;
  }
  return t;
}
__constant__ constexpr std::array<uint32_t, 256> deviceTable = crcTable();
static_assert(crcTable()[1] == 0x77073096u, "the usual polynomial");

constexpr int power(int base, int n) {
  return n == 0 ? 1 : base * power(base, n - 1);
}

template <typename T, int N> __device__ T reduce(const T (&v)[N]) {
  T best = std::numeric_limits<T>::lowest();
  for (int i = 0; i < N; ++i) {
    if constexpr (std::is_floating_point_v<T>)
      best = std::max(best, v[i] * T(0.5));
    else
      best = std::max(best, v[i]);
  }
  return best;
}

__global__ void crc(const unsigned char* text, int length, uint32_t* out, double* extra) {
  int t = threadIdx.x;
  uint32_t c = ~0u;
  for (int i = 0; i <= t && i < length; ++i)
    c = deviceTable[(c ^ text[i]) & 255] ^ (c >> 8);
  out[t] = ~c;
  std::array<int, 4> a = {t, t + 1, power(2, 5), 7};
  int ints[3] = {a[0], a[1], std::min(a[2], a[3])};
  double doubles[2] = {t * 1.0, 10.0};
  extra[t] = reduce(ints) + reduce(doubles);
}

int main(int argc, char** argv) {
  std::string text = argc > 1 ? argv[1] : "123456789";
  int n = (int)text.size();
  unsigned char* d;
  uint32_t* out;
  double* extra;
  if (cudaMallocManaged(&d, n) || cudaMallocManaged(&out, 64 * 4) ||
      cudaMallocManaged(&extra, 64 * 8))
    return puts("FAIL"), 1;
  std::copy(text.begin(), text.end(), d);
  crc<<<1, 64>>>(d, n, out, extra);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return puts("FAIL"), 1;
  constexpr auto table = crcTable();
  bool ok = true;
  for (int t = 0; t < 64; ++t) {
    uint32_t c = ~0u;
    for (int i = 0; i <= t && i < n; ++i)
      c = table[(c ^ (unsigned char)text[i]) & 255] ^ (c >> 8);
    ok = ok && out[t] == ~c && extra[t] == std::max(t + 1, 7) + std::max(t * 0.5, 5.0);
  }
  if (text == "123456789")
    ok = ok && out[63] == 0xCBF43926u;
  cudaFree(d), cudaFree(out), cudaFree(extra);
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
