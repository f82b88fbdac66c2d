// SPDX-License-Identifier: Apache-2.0
// Prices coupon bonds off a zero curve, solves for their yields by Newton's method and reports
// durations in buckets.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define gpuErrchk(ans) gpuAssert((ans), __FILE__, __LINE__)
inline void gpuAssert(cudaError_t code, const char* file, int line) {
  if (code != cudaSuccess) {
    printf("FAIL GPUassert: %s %s %d\n", cudaGetErrorString(code), file, line);
    exit(1);
  }
}

const int CURVE_POINTS = 40;
const int BUCKETS = 16;

// cash flows of all bonds one after the other, bond b owns flows [first[b], first[b+1])
struct Portfolio {
  int bonds;
  int* first;
  double* time;
  double* amount;
};

__host__ __device__ double zeroRate(const double* t, const double* r, double x) {
  if (x <= t[0])
    return r[0];
  if (x >= t[CURVE_POINTS - 1])
    return r[CURVE_POINTS - 1];
  int lo = 0, hi = CURVE_POINTS - 1;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (t[mid] > x)
      hi = mid;
    else
      lo = mid;
  }
  double w = (x - t[lo]) / (t[hi] - t[lo]);
  return r[lo] * (1.0 - w) + r[hi] * w;
}

__global__ void price_from_curve(Portfolio pf, const double* ct, const double* cr,
                                 const double* spread, double* price) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= pf.bonds)
    return;
  double p = 0;
  for (int k = pf.first[b]; k < pf.first[b + 1]; k++) {
    double t = pf.time[k];
    p += pf.amount[k] * exp(-(zeroRate(ct, cr, t) + spread[b]) * t);
  }
  price[b] = p;
}

__host__ __device__ double valueAt(const double* time, const double* amount, int n, double y,
                                   double* slope) {
  double v = 0, s = 0;
  for (int k = 0; k < n; k++) {
    double d = pow(1.0 + y, -time[k]);
    v += amount[k] * d;
    s -= amount[k] * time[k] * d / (1.0 + y);
  }
  *slope = s;
  return v;
}

__host__ __device__ double solveYield(const double* time, const double* amount, int n, double price,
                                      double guess, int* iterations) {
  double y = guess;
  int it = 0;
  for (; it < 40; it++) {
    double slope;
    double f = valueAt(time, amount, n, y, &slope) - price;
    if (fabs(f) < 1e-9 * price)
      break;
    double step = f / slope;
    if (step > 0.25)
      step = 0.25;
    if (step < -0.25)
      step = -0.25;
    y -= step;
    if (y < -0.5)
      y = -0.5;
  }
  *iterations = it;
  return y;
}

__global__ void yields(Portfolio pf, const double* price, const double* guess, double* y,
                       int* iterations) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= pf.bonds)
    return;
  int f = pf.first[b];
  int it;
  y[b] = solveYield(pf.time + f, pf.amount + f, pf.first[b + 1] - f, price[b], guess[b], &it);
  iterations[b] = it;
}

// a warp for every bond: the flows go over the lanes
__global__ void risk(Portfolio pf, const double* y, const double* price, double* duration,
                     double* convexity) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (warp >= pf.bonds)
    return;
  double q = 1.0 + y[warp], d1 = 0, d2 = 0;
  for (int k = pf.first[warp] + lane; k < pf.first[warp + 1]; k += 32) {
    double t = pf.time[k];
    double pv = pf.amount[k] * pow(q, -t);
    d1 += t * pv;
    d2 += t * (t + 1.0) * pv;
  }
  for (int o = 16; o > 0; o /= 2) {
    d1 += __shfl_down_sync(0xffffffff, d1, o);
    d2 += __shfl_down_sync(0xffffffff, d2, o);
  }
  if (lane == 0) {
    duration[warp] = d1 / price[warp] / q;
    convexity[warp] = d2 / price[warp] / (q * q);
  }
}

__global__ void buckets(const double* duration, const double* price, int n, int* count,
                        double* exposure) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= n)
    return;
  int k = (int)duration[b];
  if (k >= BUCKETS)
    k = BUCKETS - 1;
  atomicAdd(&count[k], 1);
  atomicAdd(&exposure[k], price[b] * duration[b]);
}

template <typename T> T* toDevice(const std::vector<T>& v) {
  T* p;
  gpuErrchk(cudaMalloc((void**)&p, v.size() * sizeof(T)));
  gpuErrchk(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

template <typename T> std::vector<T> toHost(const T* p, size_t n) {
  std::vector<T> v(n);
  gpuErrchk(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
  return v;
}

int main(int argc, char** argv) {
  int bonds = argc > 1 ? atoi(argv[1]) : 1024;
  std::mt19937 gen(7);
  auto rnd = [&](double a, double b) { return a + (b - a) * (gen() / 4294967296.0); };

  std::vector<double> ct(CURVE_POINTS), cr(CURVE_POINTS);
  for (int i = 0; i < CURVE_POINTS; i++) {
    ct[i] = 0.25 + 0.8 * i;
    cr[i] = 0.015 + 0.025 * (1.0 - std::exp(-ct[i] / 6.0)) + 0.003 * std::sin(ct[i]);
  }
  std::vector<int> first(1, 0);
  std::vector<double> time, amount, spread(bonds), guess(bonds);
  for (int b = 0; b < bonds; b++) {
    int flows = gen() % 8 ? 2 + gen() % 20 : 30 + gen() % 30;
    double coupon = rnd(0.5, 4.0), start = rnd(0.02, 0.5);
    for (int k = 0; k < flows; k++) {
      time.push_back(start + 0.5 * k);
      amount.push_back(coupon + (k + 1 == flows ? 100.0 : 0.0));
    }
    first.push_back((int)time.size());
    spread[b] = rnd(0.0, 0.05) + (gen() % 16 == 0 ? 0.6 : 0.0);
    guess[b] = 0.05;
  }

  Portfolio pf{bonds, toDevice(first), toDevice(time), toDevice(amount)};
  double *dct = toDevice(ct), *dcr = toDevice(cr), *dspread = toDevice(spread);
  double *dguess = toDevice(guess), *dprice, *dy, *ddur, *dconv, *dexp;
  int *dit, *dcount;
  gpuErrchk(cudaMalloc(&dprice, bonds * sizeof(double)));
  gpuErrchk(cudaMalloc(&dy, bonds * sizeof(double)));
  gpuErrchk(cudaMalloc(&ddur, bonds * sizeof(double)));
  gpuErrchk(cudaMalloc(&dconv, bonds * sizeof(double)));
  gpuErrchk(cudaMalloc(&dexp, BUCKETS * sizeof(double)));
  gpuErrchk(cudaMalloc(&dit, bonds * sizeof(int)));
  gpuErrchk(cudaMalloc(&dcount, BUCKETS * sizeof(int)));

  int threads = 128, blocks = (bonds + threads - 1) / threads;
  const int days = 3;
  for (int day = 0; day < days; day++) {
    if (day > 0) {
      for (double& r : cr)
        r += 0.001;
      gpuErrchk(cudaMemcpy(dcr, cr.data(), cr.size() * sizeof(double), cudaMemcpyHostToDevice));
    }
    gpuErrchk(cudaMemset(dcount, 0, BUCKETS * sizeof(int)));
    gpuErrchk(cudaMemset(dexp, 0, BUCKETS * sizeof(double)));
    price_from_curve<<<blocks, threads>>>(pf, dct, dcr, dspread, dprice);
    // yesterday's yields are today's first guess
    yields<<<blocks, threads>>>(pf, dprice, day ? dy : dguess, dy, dit);
    risk<<<(bonds * 32 + 255) / 256, 256>>>(pf, dy, dprice, ddur, dconv);
    buckets<<<(bonds + 255) / 256, 256>>>(ddur, dprice, bonds, dcount, dexp);
    gpuErrchk(cudaGetLastError());
  }

  auto price = toHost(dprice, bonds), y = toHost(dy, bonds), dur = toHost(ddur, bonds);
  auto expo = toHost(dexp, BUCKETS);
  auto count = toHost(dcount, BUCKETS);
  int errors = 0, total = 0;
  double sum = 0, sumHost = 0;
  for (int b = 0; b < bonds; b++) {
    sumHost += price[b] * dur[b];
    if (b % 11)
      continue;
    double p = 0, slope;
    for (int k = first[b]; k < first[b + 1]; k++)
      p += amount[k] * std::exp(-(zeroRate(ct.data(), cr.data(), time[k]) + spread[b]) * time[k]);
    double back =
        valueAt(&time[first[b]], &amount[first[b]], first[b + 1] - first[b], y[b], &slope);
    if (std::fabs(p - price[b]) > 1e-9 * p || std::fabs(back - p) > 1e-6 * p ||
        std::fabs(-slope / p - dur[b]) > 1e-6 * (1 + dur[b]))
      errors++;
  }
  for (int k = 0; k < BUCKETS; k++) {
    total += count[k];
    sum += expo[k];
  }
  if (total != bonds || std::fabs(sum - sumHost) > 1e-9 * sumHost)
    errors++;
  printf("dollar duration %.3f\n", sum);
  printf(errors ? "FAIL %d errors\n" : "PASS\n", errors);
  return errors ? 1 : 0;
}
