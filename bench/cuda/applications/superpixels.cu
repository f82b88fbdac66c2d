// SPDX-License-Identifier: Apache-2.0
// Groups the pixels of a colour picture into compact superpixels by local k-means around a grid of
// seeds.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define gpuErr(ans) gpuAssert((ans), __FILE__, __LINE__)
inline void gpuAssert(cudaError_t code, const char* file, int line) {
  if (code != cudaSuccess) {
    printf("FAIL GPU error: %s %s %d\n", cudaGetErrorString(code), file, line);
    exit(code);
  }
}

const int STEP = 16;
const int ITERATIONS = 5;

struct Center {
  float l, a, b, x, y;
};

struct Sum {
  unsigned l, a, b, x, y, count;
};

__host__ __device__ inline float dist(const Center& c, uchar4 p, int x, int y, float m) {
  float dl = p.x - c.l, da = p.y - c.a, db = p.z - c.b;
  float dx = x - c.x, dy = y - c.y;
  return sqrtf(dl * dl + da * da + db * db) + m / STEP * sqrtf(dx * dx + dy * dy);
}

__global__ void seedCenters(const uchar4* img, Center* centers, int w, int h, int gw, int gh) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= gw * gh)
    return;
  int x = min(w - 1, k % gw * STEP + STEP / 2), y = min(h - 1, k / gw * STEP + STEP / 2);
  uchar4 p = img[y * w + x];
  centers[k].l = p.x;
  centers[k].a = p.y;
  centers[k].b = p.z;
  centers[k].x = x;
  centers[k].y = y;
}

__host__ __device__ inline int nearest(const uchar4* img, const Center* centers, int w, int gw,
                                       int gh, int x, int y, float m) {
  uchar4 p = img[y * w + x];
  int cx = x / STEP, cy = y / STEP, best = -1;
  float bestDist = 1e30f;
  for (int j = cy - 1; j <= cy + 1; j++)
    for (int i = cx - 1; i <= cx + 1; i++) {
      if (i < 0 || j < 0 || i >= gw || j >= gh)
        continue;
      float d = dist(centers[j * gw + i], p, x, y, m);
      if (d < bestDist) {
        bestDist = d;
        best = j * gw + i;
      }
    }
  return best;
}

__global__ void assign(const uchar4* img, const Center* centers, int* label, int w, int h, int gw,
                       int gh, float m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    label[y * w + x] = nearest(img, centers, w, gw, gh, x, y, m);
}

// all pixels add to their centre's record, six atomics each
__global__ void accumulate(const uchar4* img, const int* label, Sum* sums, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  uchar4 p = img[y * w + x];
  Sum* s = sums + label[y * w + x];
  atomicAdd(&s->l, (unsigned)p.x);
  atomicAdd(&s->a, (unsigned)p.y);
  atomicAdd(&s->b, (unsigned)p.z);
  atomicAdd(&s->x, (unsigned)x);
  atomicAdd(&s->y, (unsigned)y);
  atomicAdd(&s->count, 1u);
}

__global__ void moveCenters(Center* centers, Sum* sums, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= k)
    return;
  Sum s = sums[i];
  if (s.count) {
    float inv = 1.0f / s.count;
    centers[i] = Center{s.l * inv, s.a * inv, s.b * inv, s.x * inv, s.y * inv};
  }
  sums[i] = Sum{0, 0, 0, 0, 0, 0};
}

__global__ void paint(const int* label, const Center* centers, uchar4* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    Center c = centers[label[i]];
    out[i] = make_uchar4(c.l, c.a, c.b, 255);
  }
}

int main(int argc, char** argv) {
  int w = argc > 1 ? atoi(argv[1]) : 192;
  if (w < 2 * STEP)
    w = 2 * STEP;
  int h = w * 2 / 3, n = w * h;
  int gw = (w + STEP - 1) / STEP, gh = (h + STEP - 1) / STEP, k = gw * gh;
  std::vector<uchar4> img(n), painted(n);
  unsigned rng = 99;
  for (int i = 0; i < n; i++) {
    int x = i % w, y = i / w;
    rng = rng * 1664525u + 1013904223u;
    int blob = ((x * x / 3 + y * y) / 2500) % 5;
    img[i] = make_uchar4(40 + 35 * blob + (rng >> 28), 128 + 12 * blob + (x * 20 / w),
                         90 + (y / 37) % 3 * 30 + (rng >> 26 & 3), 0);
  }
  uchar4 *dImg, *dOut;
  int* dLabel;
  Center* dCenters;
  Sum* dSums;
  gpuErr(cudaMalloc(&dImg, n * sizeof(uchar4)));
  gpuErr(cudaMalloc(&dOut, n * sizeof(uchar4)));
  gpuErr(cudaMalloc(&dLabel, n * sizeof(int)));
  gpuErr(cudaMalloc(&dCenters, k * sizeof(Center)));
  gpuErr(cudaMalloc(&dSums, k * sizeof(Sum)));
  gpuErr(cudaMemset(dSums, 0, k * sizeof(Sum)));
  gpuErr(cudaMemcpy(dImg, img.data(), n * sizeof(uchar4), cudaMemcpyHostToDevice));

  const float m = 20.0f;
  dim3 block(16, 8), grid((w + 15) / 16, (h + 7) / 8);
  seedCenters<<<(k + 63) / 64, 64>>>(dImg, dCenters, w, h, gw, gh);
  for (int it = 0; it < ITERATIONS; it++) {
    assign<<<grid, block>>>(dImg, dCenters, dLabel, w, h, gw, gh, m);
    accumulate<<<grid, block>>>(dImg, dLabel, dSums, w, h);
    moveCenters<<<(k + 63) / 64, 64>>>(dCenters, dSums, k);
  }
  paint<<<40, 256>>>(dLabel, dCenters, dOut, n);
  gpuErr(cudaDeviceSynchronize());
  std::vector<int> label(n);
  std::vector<Center> got(k);
  gpuErr(cudaMemcpy(label.data(), dLabel, n * sizeof(int), cudaMemcpyDeviceToHost));
  gpuErr(cudaMemcpy(got.data(), dCenters, k * sizeof(Center), cudaMemcpyDeviceToHost));
  gpuErr(cudaMemcpy(painted.data(), dOut, n * sizeof(uchar4), cudaMemcpyDeviceToHost));

  std::vector<Center> c(k);
  std::vector<int> want(n);
  for (int i = 0; i < k; i++) {
    int x = std::min(w - 1, i % gw * STEP + STEP / 2),
        y = std::min(h - 1, i / gw * STEP + STEP / 2);
    uchar4 p = img[y * w + x];
    c[i] = Center{(float)p.x, (float)p.y, (float)p.z, (float)x, (float)y};
  }
  for (int it = 0; it < ITERATIONS; it++) {
    std::vector<Sum> s(k, Sum{0, 0, 0, 0, 0, 0});
    for (int i = 0; i < n; i++) {
      int l = want[i] = nearest(img.data(), c.data(), w, gw, gh, i % w, i / w, m);
      s[l].l += img[i].x, s[l].a += img[i].y, s[l].b += img[i].z;
      s[l].x += i % w, s[l].y += i / w, s[l].count++;
    }
    for (int i = 0; i < k; i++)
      if (s[i].count) {
        float inv = 1.0f / s[i].count;
        c[i] = Center{s[i].l * inv, s[i].a * inv, s[i].b * inv, s[i].x * inv, s[i].y * inv};
      }
  }
  // rounding may send a few border pixels to the neighbour
  int differ = 0, far = 0, wrong = 0;
  for (int i = 0; i < n; i++) {
    differ += label[i] != want[i];
    wrong += label[i] < 0 || label[i] >= k || painted[i].x != (unsigned char)got[label[i]].l;
  }
  for (int i = 0; i < k; i++)
    far += fabs(got[i].x - c[i].x) > 0.5 || fabs(got[i].y - c[i].y) > 0.5 ||
           fabs(got[i].l - c[i].l) > 1.0;
  printf("%d superpixels, %d of %d pixels differ from the host's\n", k, differ, n);
  if (differ > n / 200 + 2 || far > k / 100 + 1 || wrong) {
    printf("FAIL differ %d far %d wrong %d\n", differ, far, wrong);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
