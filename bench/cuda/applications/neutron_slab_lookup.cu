// SPDX-License-Identifier: Apache-2.0
// Monte Carlo neutron transport through layered slabs: cross sections by binary search in energy
// tables, collisions, tallies.
#include <stdint.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { NUCLIDES = 8, MATERIALS = 3, LAYERS = 5, TALLY = 50, GRIDPOINTS = 1024 };
enum Reaction { ELASTIC, CAPTURE, FISSION };

struct XsPoint {
  double energy;
  double elastic, capture, fission;
};

struct Problem {
  double width[LAYERS + 1]; // positions of the faces
  int material[LAYERS];
  double density[MATERIALS][NUCLIDES]; // zero where a material has none
  double mass[NUCLIDES];
};

struct Micro {
  double e, c, f;
};

#define ASSERT_CUDA(x)                                                                             \
  do {                                                                                             \
    cudaError_t s = (x);                                                                           \
    if (s != cudaSuccess) {                                                                        \
      std::printf("FAIL %d %s\n", __LINE__, cudaGetErrorString(s));                                \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

__host__ __device__ double lcg(uint64_t* seed) {
  *seed = (2806196910506780709ULL * (*seed) + 1ULL) & ((1ULL << 63) - 1);
  return (double)(*seed >> 10) / (double)(1ULL << 53);
}

__host__ __device__ int findEnergy(const XsPoint* t, double e) {
  int lo = 0, hi = GRIDPOINTS - 1;
  while (hi - lo > 1) {
    int mid = (lo + hi) >> 1;
    if (t[mid].energy <= e)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

__host__ __device__ Micro lookup(const XsPoint* table, int nuclide, double e) {
  const XsPoint* t = table + nuclide * GRIDPOINTS;
  int k = findEnergy(t, e);
  double f = (e - t[k].energy) / (t[k + 1].energy - t[k].energy);
  f = f < 0 ? 0 : f > 1 ? 1 : f;
  Micro m;
  m.e = t[k].elastic + f * (t[k + 1].elastic - t[k].elastic);
  m.c = t[k].capture + f * (t[k + 1].capture - t[k].capture);
  m.f = t[k].fission + f * (t[k + 1].fission - t[k].fission);
  return m;
}

__host__ __device__ double macroTotal(const Problem& p, const XsPoint* table, int mat, double e) {
  double sum = 0;
  for (int n = 0; n < NUCLIDES; n++) {
    if (p.density[mat][n] == 0)
      continue;
    Micro m = lookup(table, n, e);
    sum += p.density[mat][n] * (m.e + m.c + m.f);
  }
  return sum;
}

struct Outcome {
  double track; // path length travelled
  int end;      // 0 leaked left, 1 leaked right, 2 absorbed, 3 cut off
  int collisions;
};

template <class Tally>
__host__ __device__ Outcome history(const Problem& p, const XsPoint* table, uint64_t seed,
                                    double* weight, Tally tally) {
  Outcome o = {0, 3, 0};
  double x = 1e-9, mu = sqrt(lcg(&seed)), e = 0.5 + 1.5 * lcg(&seed);
  int layer = 0;
  *weight = 0;
  for (int event = 0; event < 200; event++) {
    int mat = p.material[layer];
    double sigma = macroTotal(p, table, mat, e);
    double d = -log(lcg(&seed) + 1e-300) / sigma;
    double face = mu > 0 ? p.width[layer + 1] : p.width[layer];
    double toFace = (face - x) / mu;
    if (d >= toFace) {
      o.track += toFace;
      layer += mu > 0 ? 1 : -1;
      x = face;
      if (layer < 0 || layer >= LAYERS) {
        o.end = layer < 0 ? 0 : 1;
        return o;
      }
      continue;
    }
    o.track += d;
    x += d * mu;
    o.collisions++;
    // pick nuclide and reaction
    double pick = lcg(&seed) * sigma;
    int hit = -1;
    Reaction r = ELASTIC;
    for (int n = 0; n < NUCLIDES && hit < 0; n++) {
      double dens = p.density[mat][n];
      if (dens == 0)
        continue;
      Micro m = lookup(table, n, e);
      if ((pick -= dens * m.e) < 0) {
        hit = n;
        r = ELASTIC;
      } else if ((pick -= dens * m.c) < 0) {
        hit = n;
        r = CAPTURE;
      } else if ((pick -= dens * m.f) < 0) {
        hit = n;
        r = FISSION;
      }
    }
    tally(x, e);
    if (hit < 0 || r != ELASTIC) {
      if (r == FISSION)
        *weight = 2.43;
      o.end = 2;
      return o;
    }
    double a = p.mass[hit], alpha = (a - 1) / (a + 1);
    alpha *= alpha;
    e *= alpha + (1 - alpha) * lcg(&seed);
    if (e < 1e-8)
      return o;
    mu = 2 * lcg(&seed) - 1;
    if (fabs(mu) < 1e-9)
      mu = 1e-9;
  }
  return o;
}

// the unit of work of reactor codes: random energy and material, one macroscopic cross section each
__global__ void lookupBench(Problem p, const XsPoint* table, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uint64_t seed = 1000003ULL * i + 1;
  lcg(&seed);
  double e = pow(10.0, -6.0 + 6.3 * lcg(&seed));
  int mat = (int)(lcg(&seed) * MATERIALS);
  out[i] = macroTotal(p, table, mat, e);
}

__global__ void transport(Problem p, const XsPoint* table, Outcome* outcome, double* flux,
                          double* births, int n, int generation) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double w;
  double scale = TALLY / p.width[LAYERS];
  outcome[i] =
      history(p, table, 7919ULL * i + 104729ULL * generation + 11, &w, [&](double x, double e) {
        int b = (int)(x * scale);
        atomicAdd(&flux[b < TALLY ? b : TALLY - 1], 1.0);
      });
  if (w > 0)
    atomicAdd(births, w);
}

__global__ void countEnds(const Outcome* o, unsigned* ends, unsigned* collisions, int n) {
  __shared__ unsigned local[5];
  if (threadIdx.x < 5)
    local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&local[o[i].end], 1u);
    atomicAdd(&local[4], (unsigned)o[i].collisions);
  }
  __syncthreads();
  if (threadIdx.x < 4)
    atomicAdd(&ends[threadIdx.x], local[threadIdx.x]);
  if (threadIdx.x == 4)
    atomicAdd(collisions, local[4]);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 4096;
  const int generations = 2;
  uint64_t seed = 42;
  std::vector<XsPoint> table(NUCLIDES * GRIDPOINTS);
  Problem p = {};
  for (int k = 0; k < NUCLIDES; k++) {
    p.mass[k] = k == 0 ? 1.0 : 12.0 * k + 4 * lcg(&seed);
    std::vector<double> grid(GRIDPOINTS);
    for (double& g : grid)
      g = std::pow(10.0, -8.5 + 9.0 * lcg(&seed));
    std::sort(grid.begin(), grid.end());
    for (int g = 0; g < GRIDPOINTS; g++) {
      double peak = lcg(&seed) < 0.03 ? 8 * lcg(&seed) : 0;
      table[k * GRIDPOINTS + g] = {grid[g], 2 + 2 * lcg(&seed) + peak,
                                   0.02 / std::sqrt(grid[g] + 1e-4) + 0.3 * peak,
                                   k > 5 ? 0.03 / std::sqrt(grid[g] + 1e-4) : 0.0};
    }
  }
  for (int m = 0; m < MATERIALS; m++)
    for (int k = 0; k < NUCLIDES; k++)
      p.density[m][k] = (k % MATERIALS == m || k == 7) ? 0.05 + 0.05 * lcg(&seed) : 0.0;
  int mats[LAYERS] = {0, 1, 2, 1, 0};
  double x = 0;
  for (int l = 0; l < LAYERS; l++) {
    p.width[l] = x;
    x += 1.0 + 0.5 * l;
    p.material[l] = mats[l];
  }
  p.width[LAYERS] = x;

  XsPoint* dTable;
  double *dMacro, *dFlux, *dBirths;
  Outcome* dOut;
  unsigned* dEnds;
  ASSERT_CUDA(cudaMalloc(&dTable, table.size() * sizeof(XsPoint)));
  ASSERT_CUDA(cudaMalloc(&dMacro, n * sizeof(double)));
  ASSERT_CUDA(cudaMalloc(&dFlux, TALLY * sizeof(double)));
  ASSERT_CUDA(cudaMalloc(&dBirths, sizeof(double)));
  ASSERT_CUDA(cudaMalloc(&dOut, n * sizeof(Outcome)));
  ASSERT_CUDA(cudaMalloc(&dEnds, 5 * sizeof(unsigned)));
  ASSERT_CUDA(cudaMemset(dFlux, 0, TALLY * sizeof(double)));
  ASSERT_CUDA(cudaMemset(dBirths, 0, sizeof(double)));
  ASSERT_CUDA(cudaMemset(dEnds, 0, 5 * sizeof(unsigned)));
  ASSERT_CUDA(
      cudaMemcpy(dTable, table.data(), table.size() * sizeof(XsPoint), cudaMemcpyHostToDevice));

  int blocks = (n + 127) / 128;
  lookupBench<<<blocks, 128>>>(p, dTable, dMacro, n);
  for (int g = 0; g < generations; g++) {
    transport<<<blocks, 128>>>(p, dTable, dOut, dFlux, dBirths, n, g);
    countEnds<<<blocks, 128>>>(dOut, dEnds, dEnds + 4, n);
  }
  ASSERT_CUDA(cudaGetLastError());
  std::vector<double> macro(n), flux(TALLY);
  std::vector<Outcome> out(n);
  unsigned ends[5];
  double births;
  ASSERT_CUDA(cudaMemcpy(macro.data(), dMacro, n * sizeof(double), cudaMemcpyDeviceToHost));
  ASSERT_CUDA(cudaMemcpy(flux.data(), dFlux, TALLY * sizeof(double), cudaMemcpyDeviceToHost));
  ASSERT_CUDA(cudaMemcpy(out.data(), dOut, n * sizeof(Outcome), cudaMemcpyDeviceToHost));
  ASSERT_CUDA(cudaMemcpy(ends, dEnds, sizeof ends, cudaMemcpyDeviceToHost));
  ASSERT_CUDA(cudaMemcpy(&births, dBirths, sizeof births, cudaMemcpyDeviceToHost));

  int bad = 0, checked = 0;
  for (int i = 0; i < n; i += 13) {
    double w;
    Outcome r = history(p, table.data(), 7919ULL * i + 104729ULL * (generations - 1) + 11, &w,
                        [](double, double) {});
    checked++;
    if (r.end != out[i].end || r.collisions != out[i].collisions ||
        std::fabs(r.track - out[i].track) > 1e-6 * (1 + r.track))
      bad++;
    uint64_t s = 1000003ULL * i + 1;
    lcg(&s);
    double e = std::pow(10.0, -6.0 + 6.3 * lcg(&s));
    double m = macroTotal(p, table.data(), (int)(lcg(&s) * MATERIALS), e);
    if (std::fabs(m - macro[i]) > 1e-6 * m)
      bad++;
  }
  double scored = 0;
  for (double f : flux)
    scored += f;
  bool sums = ends[0] + ends[1] + ends[2] + ends[3] == (unsigned)(generations * n) &&
              std::fabs(scored - ends[4]) < 0.5;
  std::printf("left %u right %u absorbed %u cut %u, %u collisions, k ~ %.4f\n", ends[0], ends[1],
              ends[2], ends[3], ends[4], births / (generations * n));
  if (bad > checked / 200 || !sums) {
    std::printf("FAIL %d of %d histories, sums %d\n", bad, checked, sums);
    return 1;
  }
  std::printf("PASS\n");
  return 0;
}
