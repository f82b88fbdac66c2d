// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of many signals of 256 values, one block each, radix 2 in shared memory.
#include "common.h"

const int N = 256;

__global__ void transform256(float2* signals) {
  __shared__ float2 s[N];
  float2* mine = signals + blockIdx.x * N;
  for (int i = threadIdx.x; i < N; i += N / 2)
    s[__brev(i) >> 24] = mine[i];
  __syncthreads();
  for (int half = 1; half < N; half *= 2) {
    int k = threadIdx.x % half, at = threadIdx.x / half * 2 * half + k;
    float sine, cosine;
    sincosf(-3.14159265f * k / half, &sine, &cosine);
    float2 a = s[at], b = s[at + half];
    float2 t = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    s[at] = make_float2(a.x + t.x, a.y + t.y);
    s[at + half] = make_float2(a.x - t.x, a.y - t.y);
    __syncthreads();
  }
  for (int i = threadIdx.x; i < N; i += N / 2)
    mine[i] = s[i];
}

int main(int argc, char** argv) {
  int count = argument(argc, argv, 8);
  Random random(149);
  std::vector<float2> signals(count * N);
  for (float2& value : signals)
    value = make_float2(random.uniform() - 0.5f, random.uniform() - 0.5f);
  float2* device = upload(signals);
  transform256<<<count, N / 2>>>(device);
  std::vector<float2> got = download(device, count * N);
  bool passed = true;
  for (int check = 0; check < 64; ++check) {
    int which = random.next() % count, k = random.next() % N;
    double re = 0, im = 0;
    for (int i = 0; i < N; ++i) {
      double angle = -2 * 3.14159265358979 * k * i / N, c = cos(angle), s = sin(angle);
      float2 v = signals[which * N + i];
      re += v.x * c - v.y * s;
      im += v.x * s + v.y * c;
    }
    passed &= near(got[which * N + k].x, re, 1e-3) && near(got[which * N + k].y, im, 1e-3);
  }
  return verdict(passed);
}
