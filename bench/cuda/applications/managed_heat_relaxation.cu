// SPDX-License-Identifier: Apache-2.0
// Relaxes a heat plate by red-black SOR in managed memory while the host reads residuals and moves
// the heaters between launches.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void die_if(cudaError_t e, const char* what) {
  if (e != cudaSuccess) {
    printf("FAIL %s: %s\n", what, cudaGetErrorString(e));
    exit(1);
  }
}

// everything lives in managed memory: the object itself as well as its arrays
class Managed {
public:
  void* operator new(size_t n) {
    void* p;
    die_if(cudaMallocManaged(&p, n), "managed new");
    return p;
  }
  void operator delete(void* p) {
    cudaDeviceSynchronize();
    cudaFree(p);
  }
};

struct Heater {
  int x, y, size;
  double power;
};

class Plate : public Managed {
public:
  int nx, ny;
  double omega;
  double* t;        // temperature with boundary
  double* source;   // heat input
  double* residual; // one number per block
  int blocks;
  int heaters;
  Heater heater[4];
  double hottest;
  int hotX, hotY;

  Plate(int nx, int ny) : nx(nx), ny(ny), omega(1.5), heaters(0), hottest(0), hotX(0), hotY(0) {
    blocks = ((nx + 31) / 32) * ((ny + 7) / 8);
    die_if(cudaMallocManaged(&t, sizeof(double) * (nx + 2) * (ny + 2)), "t");
    die_if(cudaMallocManaged(&source, sizeof(double) * (nx + 2) * (ny + 2)), "source");
    die_if(cudaMallocManaged(&residual, sizeof(double) * blocks), "residual");
    for (int i = 0; i < (nx + 2) * (ny + 2); i++)
      t[i] = source[i] = 0.0;
    for (int i = 0; i < blocks; i++)
      residual[i] = 0.0;
    for (int x = 0; x < nx + 2; x++)
      t[x] = 100.0; // the hot edge
  }
  ~Plate() {
    cudaFree(t);
    cudaFree(source);
    cudaFree(residual);
  }
  __host__ __device__ int at(int x, int y) const { return y * (nx + 2) + x; }
};

__global__ void placeHeaters(Plate* p) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x > p->nx || y > p->ny)
    return;
  double q = 0;
  for (int h = 0; h < p->heaters; h++) {
    Heater k = p->heater[h];
    if (abs(x - k.x) <= k.size && abs(y - k.y) <= k.size)
      q += k.power;
  }
  p->source[p->at(x, y)] = q;
}

__global__ void sweep(Plate* p, int colour) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x > p->nx || y > p->ny || ((x + y) & 1) != colour)
    return;
  double* t = p->t;
  int i = p->at(x, y), row = p->nx + 2;
  double gs = 0.25 * (t[i - 1] + t[i + 1] + t[i - row] + t[i + row] + p->source[i]);
  t[i] += p->omega * (gs - t[i]);
}

__global__ void measure(Plate* p) {
  __shared__ double r[256];
  int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1;
  int k = threadIdx.y * 32 + threadIdx.x;
  double v = 0;
  if (x <= p->nx && y <= p->ny) {
    int i = p->at(x, y), row = p->nx + 2;
    v = 0.25 * (p->t[i - 1] + p->t[i + 1] + p->t[i - row] + p->t[i + row] + p->source[i]) - p->t[i];
  }
  r[k] = v * v;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (k < s)
      r[k] += r[k + s];
    __syncthreads();
  }
  if (k == 0)
    p->residual[blockIdx.y * gridDim.x + blockIdx.x] = r[0];
}

// one small block scans the whole plate
__global__ void findHottest(Plate* p) {
  __shared__ double best[128];
  __shared__ int where[128];
  double b = -1e300;
  int w = 0;
  for (int i = threadIdx.x; i < p->nx * p->ny; i += blockDim.x) {
    int k = p->at(i % p->nx + 1, i / p->nx + 1);
    if (p->t[k] > b) {
      b = p->t[k];
      w = i;
    }
  }
  best[threadIdx.x] = b;
  where[threadIdx.x] = w;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < blockDim.x; i++)
      if (best[i] > b || (best[i] == b && where[i] < w)) {
        b = best[i];
        w = where[i];
      }
    p->hottest = b;
    p->hotX = w % p->nx + 1;
    p->hotY = w / p->nx + 1;
  }
}

// the host does the same with vectors
struct Reference {
  int nx, ny;
  std::vector<double> t, source;
  double omega = 1.5;

  Reference(int nx, int ny) : nx(nx), ny(ny), t((nx + 2) * (ny + 2)), source(t.size()) {
    for (int x = 0; x < nx + 2; x++)
      t[x] = 100;
  }
  void heat(const std::vector<Heater>& hs) {
    for (int y = 1; y <= ny; y++)
      for (int x = 1; x <= nx; x++) {
        double q = 0;
        for (const Heater& h : hs)
          if (std::abs(x - h.x) <= h.size && std::abs(y - h.y) <= h.size)
            q += h.power;
        source[y * (nx + 2) + x] = q;
      }
  }
  double gs(int i) const {
    return 0.25 * (t[i - 1] + t[i + 1] + t[i - nx - 2] + t[i + nx + 2] + source[i]);
  }
  void sweep(int colour) {
    for (int y = 1; y <= ny; y++)
      for (int x = 1 + ((y + 1 + colour) & 1); x <= nx; x += 2) {
        int i = y * (nx + 2) + x;
        t[i] += omega * (gs(i) - t[i]);
      }
  }
  double residual() const {
    double s = 0;
    for (int y = 1; y <= ny; y++)
      for (int x = 1; x <= nx; x++) {
        double v = gs(y * (nx + 2) + x) - t[y * (nx + 2) + x];
        s += v * v;
      }
    return std::sqrt(s);
  }
};

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 128;
  Plate* plate = new Plate(n, n * 3 / 4);
  Reference ref(n, n * 3 / 4);
  dim3 block(32, 8), grid((plate->nx + 31) / 32, (plate->ny + 7) / 8);
  std::vector<Heater> heaters;
  double worst = 0;
  const int phases = 4;
  for (int phase = 0; phase < phases; phase++) {
    // the host adds a heater, and moves the first one next to the hottest place
    Heater h = {n / 5 * (phase + 1), n / 8 * (phase + 1), 2 + phase, 3.0 - 0.5 * phase};
    heaters.push_back(h);
    if (phase > 1) {
      heaters[0].x = plate->hotX;
      heaters[0].y = plate->ny + 1 - plate->hotY;
    }
    plate->heaters = (int)heaters.size();
    for (size_t k = 0; k < heaters.size(); k++)
      plate->heater[k] = heaters[k];
    ref.heat(heaters);
    placeHeaters<<<grid, block>>>(plate);
    double before = 0;
    for (int it = 0; it < 4; it++) {
      sweep<<<grid, block>>>(plate, 0);
      sweep<<<grid, block>>>(plate, 1);
      ref.sweep(0);
      ref.sweep(1);
      if (it % 2 == 1) {
        measure<<<grid, block>>>(plate);
        die_if(cudaDeviceSynchronize(), "measure");
        double s = 0;
        for (int b = 0; b < plate->blocks; b++)
          s += plate->residual[b];
        s = std::sqrt(s);
        double r = ref.residual();
        worst = std::fmax(worst, std::fabs(s - r) / r);
        if (before > 0 && s > 0.9 * before)
          plate->omega = ref.omega = 1.0 + 0.5 * (ref.omega - 1.0);
        else
          plate->omega = ref.omega = std::fmin(1.9, ref.omega + 0.05);
        before = s;
      }
    }
    findHottest<<<1, 128>>>(plate);
    die_if(cudaDeviceSynchronize(), "phase");
  }
  int bad = 0;
  double top = -1e300;
  for (int y = 1; y <= plate->ny; y++)
    for (int x = 1; x <= plate->nx; x++) {
      double a = plate->t[plate->at(x, y)], b = ref.t[y * (n + 2) + x];
      top = std::fmax(top, b);
      if (!(std::fabs(a - b) < 1e-9 * (1 + std::fabs(b))))
        bad++;
    }
  if (!(worst < 1e-9) || !(std::fabs(top - plate->hottest) < 1e-9 * top))
    bad++;
  printf("hottest %.6f at %d,%d\n", plate->hottest, plate->hotX, plate->hotY);
  delete plate;
  if (bad) {
    printf("FAIL %d cells, residual %g\n", bad, worst);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
