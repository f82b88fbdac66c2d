// SPDX-License-Identifier: Apache-2.0
// Computes the log-likelihood of a phylogenetic tree by Felsenstein pruning, with a GTR model,
// gamma rates and rescaling.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define STATES 4
#define RATES 4
#define TAXA 16
#define NODES (2 * TAXA - 1)

static void cudaCheck(cudaError_t e, int line) {
  if (e != cudaSuccess) {
    printf("FAIL line %d: %s\n", line, cudaGetErrorString(e));
    exit(1);
  }
}
#define CC(x) cudaCheck((x), __LINE__)

struct Model {
  double Q[STATES * STATES];
  double pi[STATES];
  double rate[RATES];
};

// exp(Q * t) by scaling and squaring with a Taylor series
__host__ __device__ void matrixExp(const double* Q, double t, double* P) {
  double A[16], term[16], tmp[16];
  const int squarings = 6;
  double s = t / 64.0;
  for (int i = 0; i < 16; i++) {
    A[i] = Q[i] * s;
    P[i] = (i % 5 == 0) ? 1.0 : 0.0;
    term[i] = P[i];
  }
  for (int k = 1; k <= 8; k++) {
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        double x = 0;
        for (int l = 0; l < 4; l++)
          x += term[i * 4 + l] * A[l * 4 + j];
        tmp[i * 4 + j] = x / k;
      }
    for (int i = 0; i < 16; i++) {
      term[i] = tmp[i];
      P[i] += tmp[i];
    }
  }
  for (int q = 0; q < squarings; q++) {
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        double x = 0;
        for (int l = 0; l < 4; l++)
          x += P[i * 4 + l] * P[l * 4 + j];
        tmp[i * 4 + j] = x;
      }
    for (int i = 0; i < 16; i++)
      P[i] = tmp[i];
  }
}

__global__ void transitionMatrices(Model m, const double* branch, double* P) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < NODES * RATES)
    matrixExp(m.Q, branch[i / RATES] * m.rate[i % RATES], P + i * 16);
}

// tips: partials from the observed letters (4 means unknown)
__global__ void tipPartials(const unsigned char* letters, double* partials, int sites) {
  int site = blockIdx.x * blockDim.x + threadIdx.x;
  int taxon = blockIdx.y;
  if (site >= sites)
    return;
  int c = letters[taxon * sites + site];
  for (int r = 0; r < RATES; r++)
    for (int s = 0; s < STATES; s++)
      partials[(((size_t)taxon * sites + site) * RATES + r) * STATES + s] =
          (c == 4 || c == s) ? 1.0 : 0.0;
}

// one inner node: a thread per site, rate and state
__global__ void prune(const double* __restrict__ P, double* partials, int left, int right, int node,
                      int sites) {
  __shared__ double pl[RATES * 16], pr[RATES * 16];
  for (int i = threadIdx.x; i < RATES * 16; i += blockDim.x) {
    pl[i] = P[left * RATES * 16 + i];
    pr[i] = P[right * RATES * 16 + i];
  }
  __syncthreads();
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (gid >= sites * RATES * STATES)
    return;
  int s = gid & 3, r = (gid >> 2) & 3;
  size_t stride = (size_t)sites * RATES * STATES;
  const double* a = partials + left * stride + (gid & ~3);
  const double* b = partials + right * stride + (gid & ~3);
  double x = 0, y = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    x += pl[r * 16 + s * 4 + k] * a[k];
    y += pr[r * 16 + s * 4 + k] * b[k];
  }
  partials[node * stride + gid] = x * y;
}

// keeps the numbers of a node in range, one thread per site
__global__ void rescale(double* partials, int node, double* logScale, int sites) {
  int site = blockIdx.x * blockDim.x + threadIdx.x;
  if (site >= sites)
    return;
  double* p = partials + ((size_t)node * sites + site) * RATES * STATES;
  double top = 0;
  for (int i = 0; i < RATES * STATES; i++)
    top = p[i] > top ? p[i] : top;
  if (top > 1e-3)
    return;
  for (int i = 0; i < RATES * STATES; i++)
    p[i] /= top;
  logScale[site] += log(top);
}

__global__ void rootLikelihood(Model m, const double* partials, const double* logScale,
                               const int* weight, int root, double* siteLog, double* total,
                               int sites) {
  __shared__ double part[128];
  int site = blockIdx.x * 128 + threadIdx.x;
  double v = 0;
  if (site < sites) {
    const double* p = partials + ((size_t)root * sites + site) * RATES * STATES;
    double l = 0;
    for (int r = 0; r < RATES; r++)
      for (int s = 0; s < STATES; s++)
        l += m.pi[s] * p[r * STATES + s] / RATES;
    siteLog[site] = log(l) + logScale[site];
    v = siteLog[site] * weight[site];
  }
  part[threadIdx.x] = v;
  __syncthreads();
  for (int h = 64; h > 0; h /= 2) {
    if (threadIdx.x < h)
      part[threadIdx.x] += part[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(total, part[0]);
}

int main(int argc, char** argv) {
  int sites = argc > 1 ? atoi(argv[1]) : 2048;
  unsigned x = 31337;
  auto rnd = [&]() {
    x = x * 747796405u + 2891336453u;
    unsigned w = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return ((w >> 22) ^ w) / 4294967296.0;
  };
  Model m;
  double ex[6] = {1.0, 2.8, 0.7, 0.9, 3.1, 1.0}, pi[4] = {0.3, 0.21, 0.24, 0.25};
  double rates[4] = {0.137, 0.477, 1.0, 2.386};
  int e = 0;
  double mean = 0;
  for (int i = 0; i < 16; i++)
    m.Q[i] = 0;
  for (int i = 0; i < 4; i++)
    for (int j = i + 1; j < 4; j++, e++) {
      m.Q[i * 4 + j] = ex[e] * pi[j];
      m.Q[j * 4 + i] = ex[e] * pi[i];
    }
  for (int i = 0; i < 4; i++) {
    m.pi[i] = pi[i];
    m.rate[i] = rates[i];
    for (int j = 0; j < 4; j++)
      if (i != j)
        m.Q[i * 5] -= m.Q[i * 4 + j];
    mean -= pi[i] * m.Q[i * 5];
  }
  for (double& q : m.Q)
    q /= mean;

  // a random tree: join two open nodes until one is left
  std::vector<int> open, left(NODES, -1), right(NODES, -1);
  std::vector<double> branch(NODES);
  for (int i = 0; i < TAXA; i++)
    open.push_back(i);
  for (int node = TAXA; node < NODES; node++) {
    int i = (int)(rnd() * open.size());
    left[node] = open[i];
    open.erase(open.begin() + i);
    i = (int)(rnd() * open.size());
    right[node] = open[i];
    open[i] = node;
  }
  for (double& b : branch)
    b = 0.02 + 0.25 * rnd();
  std::vector<unsigned char> letters((size_t)TAXA * sites);
  std::vector<int> weight(sites);
  for (int s = 0; s < sites; s++) {
    int anc = (int)(rnd() * 4);
    weight[s] = 1 + (int)(rnd() * 3);
    for (int t = 0; t < TAXA; t++) {
      double u = rnd();
      letters[(size_t)t * sites + s] = u < 0.7 ? anc : u < 0.98 ? (int)(rnd() * 4) : 4;
    }
  }

  unsigned char* dLetters;
  double *dBranch, *dP, *dPartials, *dScale, *dSite, *dTotal;
  int* dWeight;
  size_t perNode = (size_t)sites * RATES * STATES;
  CC(cudaMalloc(&dLetters, letters.size()));
  CC(cudaMalloc(&dBranch, NODES * sizeof(double)));
  CC(cudaMalloc(&dP, NODES * RATES * 16 * sizeof(double)));
  CC(cudaMalloc(&dPartials, NODES * perNode * sizeof(double)));
  CC(cudaMalloc(&dScale, sites * sizeof(double)));
  CC(cudaMalloc(&dSite, sites * sizeof(double)));
  CC(cudaMalloc(&dTotal, sizeof(double)));
  CC(cudaMalloc(&dWeight, sites * sizeof(int)));
  CC(cudaMemcpy(dLetters, letters.data(), letters.size(), cudaMemcpyHostToDevice));
  CC(cudaMemcpy(dWeight, weight.data(), sites * sizeof(int), cudaMemcpyHostToDevice));

  tipPartials<<<dim3((sites + 127) / 128, TAXA), 128>>>(dLetters, dPartials, sites);
  double lnL[2];
  for (int trial = 0; trial < 2; trial++) {
    if (trial == 1)
      branch[3] *= 1.5; // a proposed change of one branch
    CC(cudaMemcpy(dBranch, branch.data(), NODES * sizeof(double), cudaMemcpyHostToDevice));
    CC(cudaMemset(dScale, 0, sites * sizeof(double)));
    CC(cudaMemset(dTotal, 0, sizeof(double)));
    transitionMatrices<<<(NODES * RATES + 31) / 32, 32>>>(m, dBranch, dP);
    for (int node = TAXA; node < NODES; node++) {
      prune<<<(perNode + 255) / 256, 256>>>(dP, dPartials, left[node], right[node], node, sites);
      if (node % 3 == 0)
        rescale<<<(sites + 127) / 128, 128>>>(dPartials, node, dScale, sites);
    }
    rootLikelihood<<<(sites + 127) / 128, 128>>>(m, dPartials, dScale, dWeight, NODES - 1, dSite,
                                                 dTotal, sites);
    CC(cudaMemcpy(&lnL[trial], dTotal, sizeof(double), cudaMemcpyDeviceToHost));
  }
  std::vector<double> siteLog(sites);
  CC(cudaMemcpy(siteLog.data(), dSite, sites * sizeof(double), cudaMemcpyDeviceToHost));

  std::vector<double> P(NODES * RATES * 16);
  for (int i = 0; i < NODES * RATES; i++)
    matrixExp(m.Q, branch[i / RATES] * m.rate[i % RATES], &P[i * 16]);
  int bad = 0;
  double sum = 0;
  for (int s = 0; s < sites; s++) {
    sum += siteLog[s] * weight[s];
    if (s % 13)
      continue;
    double l = 0, part[NODES][4];
    for (int r = 0; r < RATES; r++) {
      for (int node = 0; node < NODES; node++)
        for (int k = 0; k < 4; k++) {
          if (node < TAXA) {
            int c = letters[(size_t)node * sites + s];
            part[node][k] = c == 4 || c == k;
            continue;
          }
          double a = 0, b = 0;
          for (int j = 0; j < 4; j++) {
            a += P[(left[node] * RATES + r) * 16 + k * 4 + j] * part[left[node]][j];
            b += P[(right[node] * RATES + r) * 16 + k * 4 + j] * part[right[node]][j];
          }
          part[node][k] = a * b;
        }
      for (int k = 0; k < 4; k++)
        l += m.pi[k] * part[NODES - 1][k] / RATES;
    }
    if (!(std::fabs(std::log(l) - siteLog[s]) < 1e-8 * std::fabs(siteLog[s])))
      bad++;
  }
  if (!(std::fabs(sum - lnL[1]) < 1e-9 * std::fabs(sum)))
    bad++;
  printf("lnL %.6f -> %.6f (%s)\n", lnL[0], lnL[1], lnL[1] > lnL[0] ? "accept" : "reject");
  if (bad) {
    printf("FAIL %d\n", bad);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
