// SPDX-License-Identifier: Apache-2.0
// Collects edge points of a picture and lets them vote for straight lines in (theta, rho) space,
// then lists the peaks.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kThetas = 180;
constexpr int kPeakMax = 4096;

__constant__ int2 trig[kThetas]; // cos and sin, 16 bits behind the point

struct Line {
  int theta, rho, votes;
};

void must(cudaError_t e, int line) {
  if (e == cudaSuccess)
    return;
  std::fprintf(stdout, "FAIL line %d: %s\n", line, cudaGetErrorString(e));
  std::exit(1);
}
#define MUST(x) must((x), __LINE__)

__global__ void gatherPoints(const unsigned char* edges, int w, int h, ushort2* points,
                             int* count) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y;
  if (x < w && edges[y * w + x]) {
    const int slot = atomicAdd(count, 1);
    points[slot] = make_ushort2(x, y);
  }
}

// straightforward: a thread takes one point and votes for all angles in global memory
__global__ void voteGlobal(const ushort2* points, const int* count, int* acc, int rhos,
                           int offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= *count)
    return;
  const ushort2 p = points[i];
  for (int t = 0; t < kThetas; t++) {
    const int rho = (p.x * trig[t].x + p.y * trig[t].y) >> 16;
    atomicAdd(&acc[t * rhos + rho + offset], 1);
  }
}

// one block for each angle, the angle's row of the accumulator in shared memory
__global__ void voteShared(const ushort2* __restrict__ points, const int* __restrict__ count,
                           int* __restrict__ acc, int rhos, int offset) {
  extern __shared__ int row[];
  for (int r = threadIdx.x; r < rhos; r += blockDim.x)
    row[r] = 0;
  __syncthreads();
  const int2 cs = trig[blockIdx.x];
  const int n = *count;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const ushort2 p = points[i];
    atomicAdd(&row[((p.x * cs.x + p.y * cs.y) >> 16) + offset], 1);
  }
  __syncthreads();
  for (int r = threadIdx.x; r < rhos; r += blockDim.x)
    acc[blockIdx.x * rhos + r] = row[r];
}

__host__ __device__ inline bool isPeak(const int* acc, int rhos, int t, int r, int least) {
  const int v = acc[t * rhos + r];
  if (v < least)
    return false;
  for (int dt = -2; dt <= 2; dt++)
    for (int dr = -2; dr <= 2; dr++) {
      const int tt = t + dt, rr = r + dr;
      if ((dt || dr) && tt >= 0 && tt < kThetas && rr >= 0 && rr < rhos) {
        const int o = acc[tt * rhos + rr];
        if (o > v || (o == v && (dt < 0 || (dt == 0 && dr < 0))))
          return false;
      }
    }
  return true;
}

__global__ void findPeaks(const int* acc, int rhos, int least, Line* peaks, int* count) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  const int t = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= rhos || t >= kThetas || !isPeak(acc, rhos, t, r, least))
    return;
  const int slot = atomicAdd(count, 1);
  if (slot < kPeakMax)
    peaks[slot] = Line{t, r, acc[t * rhos + r]};
}

} // namespace

int main(int argc, char** argv) {
  const int n = std::max(32, argc > 1 ? std::atoi(argv[1]) : 256);
  const int w = n, h = n;
  std::vector<unsigned char> edges(w * h, 0);
  unsigned s = 2024;
  auto rnd = [&s] {
    s = s * 1103515245u + 12345u;
    return (s >> 8) & 0xffffff;
  };
  for (int k = 0; k < n * n / 80; k++)
    edges[rnd() % (w * h)] = 1;
  for (int l = 0; l < 12; l++) { // a dozen lines
    const double ang = (rnd() % 1800) * 3.14159265358979 / 1800.0;
    const double d = (rnd() % 1000) / 1000.0 * n * 0.5;
    for (int k = -2 * n; k < 2 * n; k++) {
      const int x = (int)std::lround(n / 2 + d * std::cos(ang) - 0.5 * k * std::sin(ang));
      const int y = (int)std::lround(n / 2 + d * std::sin(ang) + 0.5 * k * std::cos(ang));
      if (x >= 0 && y >= 0 && x < w && y < h)
        edges[y * w + x] = 1;
    }
  }
  int2 table[kThetas];
  for (int t = 0; t < kThetas; t++) {
    table[t].x = (int)std::lround(std::cos(t * 3.14159265358979 / kThetas) * 65536);
    table[t].y = (int)std::lround(std::sin(t * 3.14159265358979 / kThetas) * 65536);
  }
  const int offset = (int)(1.5 * n) + 2, rhos = 2 * offset;

  unsigned char* dEdges;
  ushort2* dPoints;
  int *dCount, *dAcc, *dAcc2;
  Line* dPeaks;
  MUST(cudaMalloc(&dEdges, w * h));
  MUST(cudaMalloc(&dPoints, w * h * sizeof(ushort2)));
  MUST(cudaMalloc(&dCount, 2 * sizeof(int)));
  MUST(cudaMalloc(&dAcc, kThetas * rhos * sizeof(int)));
  MUST(cudaMalloc(&dAcc2, kThetas * rhos * sizeof(int)));
  MUST(cudaMalloc(&dPeaks, kPeakMax * sizeof(Line)));
  MUST(cudaMemcpyToSymbol(trig, table, sizeof(table)));
  MUST(cudaMemcpy(dEdges, edges.data(), w * h, cudaMemcpyHostToDevice));
  MUST(cudaMemset(dCount, 0, 2 * sizeof(int)));
  MUST(cudaMemset(dAcc, 0, kThetas * rhos * sizeof(int)));

  gatherPoints<<<dim3((w + 127) / 128, h), 128>>>(dEdges, w, h, dPoints, dCount);
  int points = 0;
  MUST(cudaMemcpy(&points, dCount, sizeof(int), cudaMemcpyDeviceToHost));
  voteGlobal<<<(points + 127) / 128, 128>>>(dPoints, dCount, dAcc, rhos, offset);
  voteShared<<<kThetas, 256, rhos * sizeof(int)>>>(dPoints, dCount, dAcc2, rhos, offset);
  const int least = n / 4;
  findPeaks<<<dim3((rhos + 31) / 32, (kThetas + 3) / 4), dim3(32, 4)>>>(dAcc, rhos, least, dPeaks,
                                                                        dCount + 1);
  int peaks = 0;
  std::vector<int> acc(kThetas * rhos), acc2(kThetas * rhos), want(kThetas * rhos, 0);
  MUST(cudaMemcpy(&peaks, dCount + 1, sizeof(int), cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy(acc.data(), dAcc, acc.size() * sizeof(int), cudaMemcpyDeviceToHost));
  MUST(cudaMemcpy(acc2.data(), dAcc2, acc2.size() * sizeof(int), cudaMemcpyDeviceToHost));
  std::vector<Line> found(std::min(peaks, kPeakMax));
  MUST(cudaMemcpy(found.data(), dPeaks, found.size() * sizeof(Line), cudaMemcpyDeviceToHost));

  int total = 0;
  for (int i = 0; i < w * h; i++)
    if (edges[i]) {
      total++;
      for (int t = 0; t < kThetas; t++)
        want[t * rhos + (((i % w) * table[t].x + (i / w) * table[t].y) >> 16) + offset]++;
    }
  int wantPeaks = 0;
  for (int t = 0; t < kThetas; t++)
    for (int r = 0; r < rhos; r++)
      wantPeaks += isPeak(want.data(), rhos, t, r, least);
  bool ok = total == points && acc == want && acc2 == want && wantPeaks == peaks;
  for (const Line& l : found)
    ok = ok && isPeak(want.data(), rhos, l.theta, l.rho, least) &&
         want[l.theta * rhos + l.rho] == l.votes;
  std::printf("%d points, %d lines\n", points, peaks);
  std::printf(ok ? "PASS\n" : "FAIL wrong votes or peaks (%d lines expected)\n", wantPeaks);
  return ok ? 0 : 1;
}
