// SPDX-License-Identifier: Apache-2.0
// Nearest stored point for each query among the candidates listed for the query's cell.
#include <cfloat>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

const int LANES = 8;

__global__ void nearest(const float3* points, const int* cellStart, const int* members,
                        const float3* queries, const int* queryCell, int* nearestId,
                        float* nearestDist, int queries_n) {
  int q = (blockIdx.x * blockDim.x + threadIdx.x) / LANES;
  int lane = threadIdx.x % LANES;
  int safe = q < queries_n ? q : queries_n - 1;
  float3 p = queries[safe];
  int cell = queryCell[safe];
  int end = cellStart[cell + 1];
  float best = FLT_MAX;
  int id = -1;
  for (int k = cellStart[cell] + lane; k < end; k += LANES) {
    float3 c = points[members[k]];
    float dx = c.x - p.x, dy = c.y - p.y, dz = c.z - p.z;
    float d = dx * dx + dy * dy + dz * dz;
    if (d < best) {
      best = d;
      id = k;
    }
  }
  for (int s = LANES / 2; s > 0; s /= 2) {
    float d = __shfl_down_sync(~0u, best, s, LANES);
    int k = __shfl_down_sync(~0u, id, s, LANES);
    if (d < best || (d == best && k < id)) {
      best = d;
      id = k;
    }
  }
  if (q < queries_n && lane == 0) {
    nearestId[q] = id < 0 ? -1 : members[id];
    nearestDist[q] = best;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 400000;
  const int cells = 512;
  int total = 24000;
  std::mt19937 gen(3);
  auto unit = [&gen] { return (gen() & 0xfffff) / 1048576.0f; };
  std::vector<float3> points(total), queries(n);
  std::vector<int> cellStart(cells + 1), members(total), queryCell(n), ids(n);
  for (int i = 0; i < total; ++i) {
    points[i] = make_float3(unit(), unit(), unit());
    members[i] = static_cast<int>((i * 7919LL) % total);
  }
  for (int c = 0; c <= cells; ++c) {
    cellStart[c] = static_cast<int>(1LL * c * (c + 1) * total / (1LL * cells * (cells + 1)));
  }
  for (int q = 0; q < n; ++q) {
    queries[q] = make_float3(unit(), unit(), unit());
    queryCell[q] = gen() % cells;
  }
  float3 *dPoints, *dQueries;
  int *dStart, *dMembers, *dCell, *dId;
  float* dDist;
  cudaMalloc(&dPoints, total * sizeof(float3));
  cudaMalloc(&dQueries, n * sizeof(float3));
  cudaMalloc(&dStart, (cells + 1) * sizeof(int));
  cudaMalloc(&dMembers, total * sizeof(int));
  cudaMalloc(&dCell, n * sizeof(int));
  cudaMalloc(&dId, n * sizeof(int));
  cudaMalloc(&dDist, n * sizeof(float));
  cudaMemcpy(dPoints, points.data(), total * sizeof(float3), cudaMemcpyHostToDevice);
  cudaMemcpy(dQueries, queries.data(), n * sizeof(float3), cudaMemcpyHostToDevice);
  cudaMemcpy(dStart, cellStart.data(), (cells + 1) * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dMembers, members.data(), total * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dCell, queryCell.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  int blocks = (n * LANES + 127) / 128;
  nearest<<<blocks, 128>>>(dPoints, dStart, dMembers, dQueries, dCell, dId, dDist, n);
  cudaMemcpy(ids.data(), dId, n * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (int id : ids) sum += id;
  std::printf("sum of nearest ids %lld\n", sum);
  cudaFree(dPoints);
  cudaFree(dQueries);
  cudaFree(dStart);
  cudaFree(dMembers);
  cudaFree(dCell);
  cudaFree(dId);
  cudaFree(dDist);
  return 0;
}
