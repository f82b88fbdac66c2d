// SPDX-License-Identifier: Apache-2.0
// Discrete element simulation of discs that collide in a box: linked cell lists, spring-dashpot
// contacts, Coulomb friction.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#ifdef __CUDACC__
#define HD __host__ __device__
#endif

typedef double real;

static void chk(cudaError_t err, const char* where) {
  if (err != cudaSuccess) {
    fprintf(stdout, "FAIL [%s] %s\n", where, cudaGetErrorString(err));
    exit(EXIT_FAILURE);
  }
}

struct Disc {
  real x, y;
  real vx, vy;
  real spin;
  real radius;
  real fx, fy, torque;
  int next;
  int contacts;
};

struct World {
  real width, height;
  real cell;
  int cols, rows;
  real kn, cn, mu, ct;
  real dt;
};

HD inline int cellIndex(const World& w, real x, real y) {
  int c = (int)(x / w.cell), r = (int)(y / w.cell);
  c = c < 0 ? 0 : c >= w.cols ? w.cols - 1 : c;
  r = r < 0 ? 0 : r >= w.rows ? w.rows - 1 : r;
  return r * w.cols + c;
}

__global__ void clearHeads(int* head, int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells)
    head[i] = -1;
}

__global__ void buildLists(World w, Disc* discs, int n, int* head) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  discs[i].next = atomicExch(&head[cellIndex(w, discs[i].x, discs[i].y)], i);
}

HD inline bool contact(const World& w, const Disc& a, const Disc& b, real* fx, real* fy, real* tq) {
  real dx = b.x - a.x, dy = b.y - a.y;
  real d2 = dx * dx + dy * dy, reach = a.radius + b.radius;
  if (d2 >= reach * reach || d2 == 0.0)
    return false;
  real d = sqrt(d2), nx = dx / d, ny = dy / d;
  real rvx = b.vx - a.vx, rvy = b.vy - a.vy;
  real vn = rvx * nx + rvy * ny;
  real vt = -rvx * ny + rvy * nx - a.spin * a.radius - b.spin * b.radius;
  real fn = w.kn * (reach - d) - w.cn * vn;
  if (fn < 0)
    fn = 0;
  real ft = w.ct * vt;
  real limit = w.mu * fn;
  if (ft > limit)
    ft = limit;
  if (ft < -limit)
    ft = -limit;
  *fx += -fn * nx - ft * ny;
  *fy += -fn * ny + ft * nx;
  *tq += ft * a.radius;
  return true;
}

HD inline void wallForces(const World& w, const Disc& a, real* fx, real* fy) {
  real o = a.radius - a.x;
  if (o > 0)
    *fx += w.kn * o - w.cn * a.vx;
  o = a.x + a.radius - w.width;
  if (o > 0)
    *fx -= w.kn * o + w.cn * a.vx;
  o = a.radius - a.y;
  if (o > 0)
    *fy += w.kn * o - w.cn * a.vy;
  o = a.y + a.radius - w.height;
  if (o > 0)
    *fy -= w.kn * o + w.cn * a.vy;
}

__global__ void contactForces(World w, Disc* discs, int n, const int* head, int* total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Disc a = discs[i];
  real mass = a.radius * a.radius;
  real fx = 0, fy = -9.81 * mass, tq = 0;
  int found = 0;
  int home = cellIndex(w, a.x, a.y);
  int r0 = home / w.cols, c0 = home % w.cols;
  for (int r = r0 - 1; r <= r0 + 1; r++)
    for (int c = c0 - 1; c <= c0 + 1; c++) {
      if (r < 0 || c < 0 || r >= w.rows || c >= w.cols)
        continue;
      for (int j = head[r * w.cols + c]; j >= 0; j = discs[j].next) {
        if (j == i)
          continue;
        if (contact(w, a, discs[j], &fx, &fy, &tq))
          found++;
      }
    }
  wallForces(w, a, &fx, &fy);
  discs[i].fx = fx;
  discs[i].fy = fy;
  discs[i].torque = tq;
  discs[i].contacts = found;
  if (found)
    atomicAdd(total, found);
}

HD inline void moveDisc(const World& w, Disc& a) {
  real mass = a.radius * a.radius, inertia = 0.5 * mass * a.radius * a.radius;
  a.vx += w.dt * a.fx / mass;
  a.vy += w.dt * a.fy / mass;
  a.spin += w.dt * a.torque / inertia;
  a.x += w.dt * a.vx;
  a.y += w.dt * a.vy;
}

__global__ void advance(World w, Disc* discs, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    moveDisc(w, discs[i]);
}

__global__ void energies(const Disc* discs, int n, double* sums) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const Disc& a = discs[i];
  double m = a.radius * a.radius;
  atomicAdd(&sums[0], 0.5 * m * (a.vx * a.vx + a.vy * a.vy));
  atomicAdd(&sums[1], 0.25 * m * a.radius * a.radius * a.spin * a.spin);
  atomicAdd(&sums[2], 9.81 * m * a.y);
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4096;
  World w;
  int perRow = (int)ceil(sqrt(n * 2.0));
  w.width = perRow * 1.9;
  w.height = (n / perRow + 4) * 1.9;
  w.cell = 2.4;
  w.cols = (int)ceil(w.width / w.cell);
  w.rows = (int)ceil(w.height / w.cell);
  w.kn = 4000;
  w.cn = 6;
  w.mu = 0.4;
  w.ct = 3;
  w.dt = 5e-4;

  std::vector<Disc> discs(n);
  memset(discs.data(), 0, n * sizeof(Disc));
  unsigned long long s = 2024;
  auto rnd = [&]() {
    s = s * 6364136223846793005ULL + 1ULL;
    return (double)(s >> 40) / 16777216.0;
  };
  for (int i = 0; i < n; i++) {
    Disc& d = discs[i];
    d.radius = 0.8 + 0.35 * rnd();
    d.x = (i % perRow + 0.5) * 1.9 + 0.05 * (rnd() - 0.5);
    d.y = (i / perRow + 0.6) * 1.9 + 0.05 * (rnd() - 0.5);
    d.vx = rnd() - 0.5;
    d.vy = rnd() - 0.5;
    d.next = -1;
  }
  std::vector<Disc> ref = discs;

  Disc* dDiscs;
  int *dHead, *dTotal;
  double* dSums;
  int cells = w.cols * w.rows;
  chk(cudaMalloc(&dDiscs, n * sizeof(Disc)), "malloc discs");
  chk(cudaMalloc(&dHead, cells * sizeof(int)), "malloc heads");
  chk(cudaMalloc(&dTotal, sizeof(int)), "malloc total");
  chk(cudaMalloc(&dSums, 3 * sizeof(double)), "malloc sums");
  chk(cudaMemcpy(dDiscs, discs.data(), n * sizeof(Disc), cudaMemcpyHostToDevice), "upload");
  chk(cudaMemset(dTotal, 0, sizeof(int)), "zero");
  chk(cudaMemset(dSums, 0, 3 * sizeof(double)), "zero");

  const int steps = 8;
  dim3 block(96), grid((n + 95) / 96);
  for (int k = 0; k < steps; k++) {
    clearHeads<<<(cells + 255) / 256, 256>>>(dHead, cells);
    buildLists<<<grid, block>>>(w, dDiscs, n, dHead);
    contactForces<<<grid, block>>>(w, dDiscs, n, dHead, dTotal);
    advance<<<grid, block>>>(w, dDiscs, n);
  }
  energies<<<grid, block>>>(dDiscs, n, dSums);
  chk(cudaGetLastError(), "launch");
  chk(cudaDeviceSynchronize(), "sync");
  int total;
  double sums[3];
  chk(cudaMemcpy(discs.data(), dDiscs, n * sizeof(Disc), cudaMemcpyDeviceToHost), "download");
  chk(cudaMemcpy(&total, dTotal, sizeof(int), cudaMemcpyDeviceToHost), "total");
  chk(cudaMemcpy(sums, dSums, sizeof sums, cudaMemcpyDeviceToHost), "sums");

  // the host does the same steps with cells as vectors
  long refTotal = 0;
  std::vector<std::vector<int>> lists(cells);
  for (int k = 0; k < steps; k++) {
    for (auto& l : lists)
      l.clear();
    for (int i = 0; i < n; i++)
      lists[cellIndex(w, ref[i].x, ref[i].y)].push_back(i);
    for (int i = 0; i < n; i++) {
      Disc& a = ref[i];
      real fx = 0, fy = -9.81 * a.radius * a.radius, tq = 0;
      int home = cellIndex(w, a.x, a.y), r0 = home / w.cols, c0 = home % w.cols;
      for (int r = r0 - 1; r <= r0 + 1; r++)
        for (int c = c0 - 1; c <= c0 + 1; c++)
          if (r >= 0 && c >= 0 && r < w.rows && c < w.cols)
            for (int j : lists[r * w.cols + c])
              if (j != i && contact(w, a, ref[j], &fx, &fy, &tq))
                refTotal++;
      wallForces(w, a, &fx, &fy);
      a.fx = fx;
      a.fy = fy;
      a.torque = tq;
    }
    for (Disc& d : ref)
      moveDisc(w, d);
  }
  int bad = 0;
  double kin = 0;
  for (int i = 0; i < n; i++) {
    const Disc &a = discs[i], &b = ref[i];
    kin += 0.5 * b.radius * b.radius * (b.vx * b.vx + b.vy * b.vy);
    if (!(fabs(a.x - b.x) < 1e-9 && fabs(a.y - b.y) < 1e-9 && fabs(a.spin - b.spin) < 1e-6))
      bad++;
  }
  if (labs(refTotal - total) > 2 || !(fabs(kin - sums[0]) < 1e-7 * kin))
    bad++;
  printf("%d contacts over %d steps, kinetic %.5f, rotation %.5f, potential %.3f\n", total, steps,
         sums[0], sums[1], sums[2]);
  if (bad) {
    printf("FAIL %d discs\n", bad);
    return EXIT_FAILURE;
  }
  printf("PASS\n");
  return EXIT_SUCCESS;
}
