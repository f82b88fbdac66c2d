// SPDX-License-Identifier: Apache-2.0
// SU(3) link products on a 4D lattice: plaquettes, staple smearing, hopping term.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct cplx {
  float re, im;
};
#define HD __host__ __device__ __forceinline__
HD cplx operator+(cplx a, cplx b) {
  return {a.re + b.re, a.im + b.im};
}
HD cplx operator*(cplx a, cplx b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
HD cplx conj(cplx a) {
  return {a.re, -a.im};
}

struct su3 {
  cplx e[3][3];
};
struct vec3 {
  cplx c[3];
};

HD su3 mul(const su3& a, const su3& b) {
  su3 r;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      r.e[i][j] = a.e[i][0] * b.e[0][j] + a.e[i][1] * b.e[1][j] + a.e[i][2] * b.e[2][j];
  return r;
}
HD su3 mul_dag(const su3& a, const su3& b) { // a b^dagger
  su3 r;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      r.e[i][j] =
          a.e[i][0] * conj(b.e[j][0]) + a.e[i][1] * conj(b.e[j][1]) + a.e[i][2] * conj(b.e[j][2]);
  return r;
}
HD su3 dag_mul(const su3& a, const su3& b) { // a^dagger b
  su3 r;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      r.e[i][j] =
          conj(a.e[0][i]) * b.e[0][j] + conj(a.e[1][i]) * b.e[1][j] + conj(a.e[2][i]) * b.e[2][j];
  return r;
}

struct Lattice {
  int L;
  HD int sites() const { return L * L * L * L; }
  HD int shift(int s, int mu, int d) const {
    int stride = 1;
    for (int k = 0; k < mu; k++)
      stride *= L;
    int x = (s / stride) % L;
    int y = (x + d + L) % L;
    return s + (y - x) * stride;
  }
};

HD void unitarise(su3& u) {
  float n = 0;
  for (int j = 0; j < 3; j++)
    n += u.e[0][j].re * u.e[0][j].re + u.e[0][j].im * u.e[0][j].im;
  n = 1.0f / sqrtf(n);
  for (int j = 0; j < 3; j++)
    u.e[0][j] = {u.e[0][j].re * n, u.e[0][j].im * n};
  cplx d = {0, 0};
  for (int j = 0; j < 3; j++)
    d = d + conj(u.e[0][j]) * u.e[1][j];
  n = 0;
  for (int j = 0; j < 3; j++) {
    cplx p = d * u.e[0][j];
    u.e[1][j] = {u.e[1][j].re - p.re, u.e[1][j].im - p.im};
    n += u.e[1][j].re * u.e[1][j].re + u.e[1][j].im * u.e[1][j].im;
  }
  n = 1.0f / sqrtf(n);
  for (int j = 0; j < 3; j++)
    u.e[1][j] = {u.e[1][j].re * n, u.e[1][j].im * n};
  // third row: conjugate of the cross product
  for (int j = 0; j < 3; j++) {
    int a = (j + 1) % 3, b = (j + 2) % 3;
    cplx p = u.e[0][a] * u.e[1][b], q = u.e[0][b] * u.e[1][a];
    u.e[2][j] = {p.re - q.re, q.im - p.im};
  }
}

HD float plaquette_at(const Lattice& lat, const su3* u, int s) {
  float sum = 0;
  for (int mu = 0; mu < 3; mu++)
    for (int nu = mu + 1; nu < 4; nu++) {
      su3 a = mul(u[s * 4 + mu], u[lat.shift(s, mu, 1) * 4 + nu]);
      su3 b = mul(u[s * 4 + nu], u[lat.shift(s, nu, 1) * 4 + mu]);
      su3 p = mul_dag(a, b);
      sum += p.e[0][0].re + p.e[1][1].re + p.e[2][2].re;
    }
  return sum / 18.0f;
}

// links: array of structs, four per site
__global__ void init_links(Lattice lat, su3* u, float spread) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= lat.sites() * 4)
    return;
  unsigned s = k * 747796405u + 2891336453u;
  su3 m;
  for (int i = 0; i < 9; i++) {
    s = s * 1664525u + 1013904223u;
    float a = (s >> 8) / 16777216.0f - 0.5f;
    s = s * 1664525u + 1013904223u;
    float b = (s >> 8) / 16777216.0f - 0.5f;
    m.e[i / 3][i % 3] = {spread * a + (i % 4 == 0 ? 1.0f : 0.0f), spread * b};
  }
  unitarise(m);
  u[k] = m;
}

__global__ void plaquettes(Lattice lat, const su3* u, float* out) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < lat.sites())
    out[s] = plaquette_at(lat, u, s);
}

// one thread per link: U' = projection of (1 - a) U + a / 6 * staples
__global__ void smear(Lattice lat, const su3* __restrict__ u, su3* __restrict__ v, float alpha) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= lat.sites() * 4)
    return;
  int s = k / 4, mu = k % 4;
  su3 r = u[k];
  for (int i = 0; i < 9; i++) {
    r.e[i / 3][i % 3].re *= 1.0f - alpha;
    r.e[i / 3][i % 3].im *= 1.0f - alpha;
  }
  int smu = lat.shift(s, mu, 1);
  for (int nu = 0; nu < 4; nu++) {
    if (nu == mu)
      continue;
    su3 up = mul_dag(mul(u[s * 4 + nu], u[lat.shift(s, nu, 1) * 4 + mu]), u[smu * 4 + nu]);
    int d = lat.shift(s, nu, -1);
    su3 dn = mul(dag_mul(u[d * 4 + nu], u[d * 4 + mu]), u[lat.shift(d, mu, 1) * 4 + nu]);
    for (int i = 0; i < 9; i++) {
      r.e[i / 3][i % 3].re += alpha / 6 * (up.e[i / 3][i % 3].re + dn.e[i / 3][i % 3].re);
      r.e[i / 3][i % 3].im += alpha / 6 * (up.e[i / 3][i % 3].im + dn.e[i / 3][i % 3].im);
    }
  }
  unitarise(r);
  v[k] = r;
}

// y(s) = sum over directions of U x(forward) + U^dagger x(backward)
__global__ void hopping(Lattice lat, const su3* u, const vec3* x, vec3* y) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= lat.sites())
    return;
  vec3 r = {{{0, 0}, {0, 0}, {0, 0}}};
  for (int mu = 0; mu < 4; mu++) {
    int f = lat.shift(s, mu, 1), b = lat.shift(s, mu, -1);
    const su3& uf = u[s * 4 + mu];
    const su3& ub = u[b * 4 + mu];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        r.c[i] = r.c[i] + uf.e[i][j] * x[f].c[j] + conj(ub.e[j][i]) * x[b].c[j];
  }
  for (int i = 0; i < 3; i++)
    y[s].c[i] = {0.125f * r.c[i].re, 0.125f * r.c[i].im};
}

static void ok(cudaError_t e) {
  if (e != cudaSuccess) {
    printf("FAIL %s\n", cudaGetErrorString(e));
    exit(1);
  }
}

int main(int argc, char** argv) {
  Lattice lat;
  lat.L = argc > 1 ? atoi(argv[1]) : 6;
  int n = lat.sites();
  su3 *u, *v;
  vec3 *x, *y;
  float* p;
  ok(cudaMalloc(&u, sizeof(su3) * 4 * n));
  ok(cudaMalloc(&v, sizeof(su3) * 4 * n));
  ok(cudaMalloc(&x, sizeof(vec3) * n));
  ok(cudaMalloc(&y, sizeof(vec3) * n));
  ok(cudaMalloc(&p, sizeof(float) * n));
  std::vector<vec3> hx(n), hy(n);
  for (int s = 0; s < n; s++)
    for (int i = 0; i < 3; i++)
      hx[s].c[i] = {std::cos(0.3f * s + i), std::sin(0.7f * s - i)};
  ok(cudaMemcpy(x, hx.data(), sizeof(vec3) * n, cudaMemcpyHostToDevice));
  init_links<<<(4 * n + 127) / 128, 128>>>(lat, u, 1.0f);
  std::vector<float> hp(n);
  double mean[3];
  for (int it = 0; it < 3; it++) {
    plaquettes<<<(n + 63) / 64, 64>>>(lat, u, p);
    ok(cudaMemcpy(hp.data(), p, sizeof(float) * n, cudaMemcpyDeviceToHost));
    mean[it] = 0;
    for (float f : hp)
      mean[it] += f / n;
    if (it == 2)
      break;
    smear<<<(4 * n + 127) / 128, 128>>>(lat, u, v, 0.5f);
    su3* t = u;
    u = v;
    v = t;
  }
  for (int it = 0; it < 4; it++) {
    hopping<<<(n + 127) / 128, 128>>>(lat, u, x, y);
    vec3* t = x;
    x = y;
    y = t;
  }
  ok(cudaDeviceSynchronize());
  // x is the last field, y the one before it
  std::vector<su3> hu(4 * (size_t)n);
  ok(cudaMemcpy(hu.data(), u, sizeof(su3) * 4 * n, cudaMemcpyDeviceToHost));
  ok(cudaMemcpy(hy.data(), x, sizeof(vec3) * n, cudaMemcpyDeviceToHost));
  ok(cudaMemcpy(hx.data(), y, sizeof(vec3) * n, cudaMemcpyDeviceToHost));
  double unit = 0, plaq = 0, hop = 0;
  auto worst = [](double& w, double e) {
    if (!(e <= w))
      w = e;
  };
  for (auto& m : hu) {
    su3 q = mul_dag(m, m);
    for (int i = 0; i < 9; i++)
      worst(unit, std::fabs(q.e[i / 3][i % 3].re - (i % 4 == 0)) + std::fabs(q.e[i / 3][i % 3].im));
  }
  for (int s = 0; s < n; s++) {
    worst(plaq, std::fabs(plaquette_at(lat, hu.data(), s) - hp[s]));
    for (int i = 0; i < 3; i++) {
      cplx r = {0, 0};
      for (int mu = 0; mu < 4; mu++)
        for (int j = 0; j < 3; j++) {
          int b = lat.shift(s, mu, -1);
          r = r + hu[s * 4 + mu].e[i][j] * hx[lat.shift(s, mu, 1)].c[j] +
              conj(hu[b * 4 + mu].e[j][i]) * hx[b].c[j];
        }
      worst(hop,
            std::fabs(0.125f * r.re - hy[s].c[i].re) + std::fabs(0.125f * r.im - hy[s].c[i].im));
    }
  }
  printf("mean plaquette %.5f %.5f %.5f\n", mean[0], mean[1], mean[2]);
  if (!(unit < 1e-4) || !(plaq < 1e-4) || !(hop < 1e-4) ||
      !(mean[2] > mean[1] && mean[1] > mean[0])) {
    printf("FAIL %g %g %g\n", unit, plaq, hop);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
