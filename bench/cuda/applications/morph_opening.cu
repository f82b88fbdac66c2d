// SPDX-License-Identifier: Apache-2.0
// Opens and top-hats a grey picture with a square structuring element by van Herk's running minima
// and maxima.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef unsigned char byte;

#define E(x)                                                                                       \
  if ((x) != cudaSuccess)                                                                          \
  return printf("FAIL cuda line %d\n", __LINE__), 1

struct MinOp {
  static __host__ __device__ byte apply(byte a, byte b) { return a < b ? a : b; }
  static __host__ __device__ byte zero() { return 255; }
};
struct MaxOp {
  static __host__ __device__ byte apply(byte a, byte b) { return a > b ? a : b; }
  static __host__ __device__ byte zero() { return 0; }
};

// Prefix and suffix extrema of segments of k pixels. One thread walks one segment of one row, so
// that neighbouring threads are k bytes apart.
template <class Op>
__global__ void herkRowSegments(const byte* in, byte* pre, byte* suf, int w, int h, int k) {
  int seg = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  int from = seg * k, to = min(from + k, w);
  if (from >= w)
    return;
  byte v = Op::zero();
  for (int x = from; x < to; x++) {
    v = Op::apply(v, in[y * w + x]);
    pre[y * w + x] = v;
  }
  v = Op::zero();
  for (int x = to - 1; x >= from; x--) {
    v = Op::apply(v, in[y * w + x]);
    suf[y * w + x] = v;
  }
}

// the same along columns, here the lanes lie side by side
template <class Op>
__global__ void herkColumnSegments(const byte* in, byte* pre, byte* suf, int w, int h, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int from = (blockIdx.y * blockDim.y + threadIdx.y) * k, to = min(from + k, h);
  if (x >= w || from >= h)
    return;
  byte v = Op::zero();
  for (int y = from; y < to; y++)
    pre[y * w + x] = v = Op::apply(v, in[y * w + x]);
  v = Op::zero();
  for (int y = to - 1; y >= from; y--)
    suf[y * w + x] = v = Op::apply(v, in[y * w + x]);
}

// window [i - r, i + r] of length k = 2r + 1: suffix at its left end, prefix at its right end
template <class Op, bool Rows>
__global__ void herkCombine(const byte* pre, const byte* suf, byte* out, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int i = Rows ? x : y, n = Rows ? w : h, step = Rows ? 1 : w;
  int base = Rows ? y * w : x;
  int k = 2 * r + 1;
  byte v = Op::zero();
  int left = i - r, right = i + r;
  if (left >= 0)
    v = Op::apply(v, suf[base + left * step]);
  if (right < n)
    v = Op::apply(v, pre[base + right * step]);
  else if (left < 0 || (n - 1) / k != left / k)
    v = Op::apply(v, pre[base + (n - 1) * step]); // the last segment is cut off
  out[y * w + x] = v;
}

__global__ void topHat(const byte* img, const byte* opened, byte* out, unsigned long long* mass,
                       int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned d = 0;
  if (i < n) {
    d = img[i] - opened[i];
    out[i] = (byte)d;
  }
  for (int o = 16; o; o >>= 1)
    d += __shfl_down_sync(0xffffffffu, d, o);
  if ((threadIdx.x & 31) == 0)
    atomicAdd(mass, (unsigned long long)d);
}

template <class Op>
static void filter(const byte* in, byte* out, byte* pre, byte* suf, int w, int h, int r) {
  int k = 2 * r + 1;
  dim3 b(32, 8), g((w + 31) / 32, (h + 7) / 8);
  int segs = (w + k - 1) / k, csegs = (h + k - 1) / k;
  herkRowSegments<Op><<<dim3((segs + 31) / 32, h), 32>>>(in, pre, suf, w, h, k);
  herkCombine<Op, true><<<g, b>>>(pre, suf, out, w, h, r);
  herkColumnSegments<Op>
      <<<dim3((w + 63) / 64, (csegs + 1) / 2), dim3(64, 2)>>>(out, pre, suf, w, h, k);
  herkCombine<Op, false><<<g, b>>>(pre, suf, out, w, h, r);
}

template <class Op> static void hostFilter(std::vector<byte>& a, int w, int h, int r) {
  std::vector<byte> t(a.size(), Op::zero()), o(a.size(), Op::zero());
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      for (int d = -r; d <= r; d++)
        if (x + d >= 0 && x + d < w)
          t[y * w + x] = Op::apply(t[y * w + x], a[y * w + x + d]);
  for (int y = 0; y < h; y++)
    for (int d = -r; d <= r; d++)
      if (y + d >= 0 && y + d < h)
        for (int x = 0; x < w; x++)
          o[y * w + x] = Op::apply(o[y * w + x], t[(y + d) * w + x]);
  a.swap(o);
}

int main(int argc, char** argv) {
  int w = argc > 1 ? atoi(argv[1]) : 256;
  if (w < 64)
    w = 64;
  int h = w - w / 8, n = w * h;
  std::vector<byte> img(n), got(n);
  unsigned s = 1;
  for (int i = 0; i < n; i++) {
    s = s * 1103515245u + 12345u;
    int x = i % w, y = i / w, cx = x % 50 - 25, cy = y % 44 - 22;
    int v = 30 + x * 60 / w;
    if (cx * cx + cy * cy < 20 + (x / 50 * 7 + y / 44 * 13) % 200)
      v += 110;
    img[i] = (byte)(v + (s >> 27));
  }
  byte *dImg, *dA, *dB, *dPre, *dSuf;
  unsigned long long* dMass;
  E(cudaMalloc(&dImg, n));
  E(cudaMalloc(&dA, n));
  E(cudaMalloc(&dB, n));
  E(cudaMalloc(&dPre, n));
  E(cudaMalloc(&dSuf, n));
  E(cudaMalloc(&dMass, 8));
  E(cudaMemcpy(dImg, img.data(), n, cudaMemcpyHostToDevice));
  const int radii[3] = {2, 5, 11};
  int rc = 0;
  for (int t = 0; t < 3 && !rc; t++) {
    int r = radii[t];
    E(cudaMemset(dMass, 0, 8));
    filter<MinOp>(dImg, dA, dPre, dSuf, w, h, r);
    filter<MaxOp>(dA, dB, dPre, dSuf, w, h, r);
    topHat<<<(n + 255) / 256, 256>>>(dImg, dB, dA, dMass, n);
    unsigned long long mass, want = 0;
    E(cudaMemcpy(got.data(), dA, n, cudaMemcpyDeviceToHost));
    E(cudaMemcpy(&mass, dMass, 8, cudaMemcpyDeviceToHost));
    std::vector<byte> ref(img);
    hostFilter<MinOp>(ref, w, h, r);
    hostFilter<MaxOp>(ref, w, h, r);
    int bad = 0;
    for (int i = 0; i < n; i++) {
      byte d = img[i] - ref[i];
      want += d;
      bad += d != got[i];
    }
    printf("radius %d: mass %llu\n", r, mass);
    if (bad || want != mass) {
      printf("FAIL radius %d: %d pixels, mass %llu\n", r, bad, want);
      rc = 1;
    }
  }
  if (!rc)
    printf("PASS\n");
  return rc;
}
