// SPDX-License-Identifier: Apache-2.0
// Renders a procedural density volume by ray marching with trilinear sampling, gradient shading and
// early termination.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define DIM 64
#define VOX(x, y, z) (((z) * DIM + (y)) * DIM + (x))

#define CUDA_CALL(x)                                                                               \
  do {                                                                                             \
    if ((x) != cudaSuccess) {                                                                      \
      printf("FAIL at %s:%d\n", __FILE__, __LINE__);                                               \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

struct Camera {
  float3 eye, right, up, forward;
  float zoom;
};

struct TransferEntry {
  float r, g, b, a;
};

__constant__ TransferEntry transferTable[64];

__host__ __device__ inline float hashNoise(int x, int y, int z) {
  uint32_t h = (uint32_t)x * 374761393u + (uint32_t)y * 668265263u + (uint32_t)z * 2147483647u;
  h = (h ^ (h >> 13)) * 1274126177u;
  return (float)((h ^ (h >> 16)) & 0xffff) / 65535.0f;
}

__host__ __device__ inline float densityAt(int x, int y, int z) {
  float fx = (x - DIM / 2) * (2.0f / DIM), fy = (y - DIM / 2) * (2.0f / DIM),
        fz = (z - DIM / 2) * (2.0f / DIM);
  float r = sqrtf(fx * fx + fy * fy + fz * fz);
  float shell = expf(-30.0f * (r - 0.7f) * (r - 0.7f));
  float core = r < 0.35f ? 0.9f : 0.0f;
  float n = hashNoise(x / 4, y / 4, z / 4);
  float d = shell * (0.3f + 0.7f * n) + core;
  return d > 1.0f ? 1.0f : d < 0.05f ? 0.0f : d;
}

__global__ void fillVolume(float* vol) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  vol[VOX(x, y, z)] = densityAt(x, y, z);
}

__global__ void gradients(const float* vol, float4* grad) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  int x0 = x > 0 ? x - 1 : 0, x1 = x < DIM - 1 ? x + 1 : x;
  int y0 = y > 0 ? y - 1 : 0, y1 = y < DIM - 1 ? y + 1 : y;
  int z0 = z > 0 ? z - 1 : 0, z1 = z < DIM - 1 ? z + 1 : z;
  float gx = vol[VOX(x1, y, z)] - vol[VOX(x0, y, z)];
  float gy = vol[VOX(x, y1, z)] - vol[VOX(x, y0, z)];
  float gz = vol[VOX(x, y, z1)] - vol[VOX(x, y, z0)];
  float len = sqrtf(gx * gx + gy * gy + gz * gz) + 1e-6f;
  grad[VOX(x, y, z)] = make_float4(gx / len, gy / len, gz / len, vol[VOX(x, y, z)]);
}

__host__ __device__ inline float4 mixf(float4 a, float4 b, float t) {
  float4 r;
  r.x = a.x + t * (b.x - a.x);
  r.y = a.y + t * (b.y - a.y);
  r.z = a.z + t * (b.z - a.z);
  r.w = a.w + t * (b.w - a.w);
  return r;
}

__host__ __device__ inline float4 sampleTri(const float4* grad, float x, float y, float z) {
  int ix = (int)x, iy = (int)y, iz = (int)z;
  if (ix > DIM - 2)
    ix = DIM - 2;
  if (iy > DIM - 2)
    iy = DIM - 2;
  if (iz > DIM - 2)
    iz = DIM - 2;
  float tx = x - ix, ty = y - iy, tz = z - iz;
  float4 c00 = mixf(grad[VOX(ix, iy, iz)], grad[VOX(ix + 1, iy, iz)], tx);
  float4 c10 = mixf(grad[VOX(ix, iy + 1, iz)], grad[VOX(ix + 1, iy + 1, iz)], tx);
  float4 c01 = mixf(grad[VOX(ix, iy, iz + 1)], grad[VOX(ix + 1, iy, iz + 1)], tx);
  float4 c11 = mixf(grad[VOX(ix, iy + 1, iz + 1)], grad[VOX(ix + 1, iy + 1, iz + 1)], tx);
  return mixf(mixf(c00, c10, ty), mixf(c01, c11, ty), tz);
}

__host__ __device__ inline float4 march(const float4* grad, const TransferEntry* table, Camera c,
                                        float u, float v, int* steps) {
  float3 d;
  d.x = c.forward.x * c.zoom + u * c.right.x + v * c.up.x;
  d.y = c.forward.y * c.zoom + u * c.right.y + v * c.up.y;
  d.z = c.forward.z * c.zoom + u * c.right.z + v * c.up.z;
  float inv = 1.0f / sqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
  d.x *= inv;
  d.y *= inv;
  d.z *= inv;
  // slab test with the cube [0, DIM-1]^3
  float tn = 0.0f, tf = 1e9f;
  const float lo = 0.0f, hi = DIM - 1.001f;
  float o[3] = {c.eye.x, c.eye.y, c.eye.z}, dd[3] = {d.x, d.y, d.z};
  for (int k = 0; k < 3; k++) {
    float a = (lo - o[k]) / dd[k], b = (hi - o[k]) / dd[k];
    if (a > b) {
      float t = a;
      a = b;
      b = t;
    }
    if (a > tn)
      tn = a;
    if (b < tf)
      tf = b;
  }
  float4 out;
  out.x = out.y = out.z = out.w = 0.0f;
  int n = 0;
  for (float t = tn + 0.01f; t < tf - 0.01f; t += 0.7f) {
    n++;
    float4 s = sampleTri(grad, c.eye.x + t * d.x, c.eye.y + t * d.y, c.eye.z + t * d.z);
    if (s.w < 0.04f)
      continue;
    int idx = (int)(s.w * 63.0f);
    if (idx > 63)
      idx = 63;
    TransferEntry e = table[idx];
    float diffuse = fabsf(s.x * d.x + s.y * d.y + s.z * d.z);
    float shade = 0.3f + 0.7f * diffuse;
    float w = e.a * (1.0f - out.w);
    out.x += w * e.r * shade;
    out.y += w * e.g * shade;
    out.z += w * e.b * shade;
    out.w += w;
    if (out.w > 0.97f)
      break;
  }
  *steps = n;
  return out;
}

__global__ void render(const float4* grad, float4* image, unsigned long long* samples, Camera c,
                       int w) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= w || py >= w)
    return;
  int steps;
  image[py * w + px] =
      march(grad, transferTable, c, (px + 0.5f) / w * 2 - 1, (py + 0.5f) / w * 2 - 1, &steps);
  atomicAdd(samples, (unsigned long long)steps);
}

__global__ void toBytes(const float4* image, uchar4* bytes, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float4 c = image[i];
  bytes[i] = make_uchar4((unsigned char)(255.0f * powf(fminf(c.x, 1.0f), 1.0f / 2.2f)),
                         (unsigned char)(255.0f * powf(fminf(c.y, 1.0f), 1.0f / 2.2f)),
                         (unsigned char)(255.0f * powf(fminf(c.z, 1.0f), 1.0f / 2.2f)),
                         (unsigned char)(255.0f * fminf(c.w, 1.0f)));
}

static Camera orbit(float angle) {
  Camera c;
  float r = DIM * 1.6f, mid = DIM / 2.0f;
  c.eye = make_float3(mid + r * cosf(angle), mid + r * 0.35f, mid + r * sinf(angle));
  float fx = mid - c.eye.x, fy = mid - c.eye.y, fz = mid - c.eye.z,
        l = sqrtf(fx * fx + fy * fy + fz * fz);
  c.forward = make_float3(fx / l, fy / l, fz / l);
  float rl = sqrtf(c.forward.z * c.forward.z + c.forward.x * c.forward.x);
  c.right = make_float3(-c.forward.z / rl, 0, c.forward.x / rl);
  c.up = make_float3(c.right.y * c.forward.z - c.right.z * c.forward.y,
                     c.right.z * c.forward.x - c.right.x * c.forward.z,
                     c.right.x * c.forward.y - c.right.y * c.forward.x);
  c.zoom = 2.2f;
  return c;
}

int main(int argc, char** argv) {
  int w = argc > 1 ? atoi(argv[1]) : 96;
  TransferEntry table[64];
  for (int i = 0; i < 64; i++) {
    float t = i / 63.0f;
    table[i].r = t;
    table[i].g = 4 * t * (1 - t);
    table[i].b = 1 - t;
    table[i].a = 0.02f + 0.35f * t * t;
  }
  CUDA_CALL(cudaMemcpyToSymbol(transferTable, table, sizeof(table)));
  float* vol;
  float4 *grad, *image;
  uchar4* bytes;
  unsigned long long* samples;
  CUDA_CALL(cudaMalloc((void**)&vol, DIM * DIM * DIM * sizeof(float)));
  CUDA_CALL(cudaMalloc((void**)&grad, DIM * DIM * DIM * sizeof(float4)));
  CUDA_CALL(cudaMalloc((void**)&image, w * w * sizeof(float4)));
  CUDA_CALL(cudaMalloc((void**)&bytes, w * w * sizeof(uchar4)));
  CUDA_CALL(cudaMalloc((void**)&samples, sizeof(unsigned long long)));
  CUDA_CALL(cudaMemset(samples, 0, sizeof(unsigned long long)));

  dim3 vb(8, 8, 4), vg(DIM / 8, DIM / 8, DIM / 4);
  fillVolume<<<vg, vb>>>(vol);
  gradients<<<vg, vb>>>(vol, grad);
  dim3 rb(16, 16), rg((w + 15) / 16, (w + 15) / 16);
  const int frames = 3;
  for (int f = 0; f < frames; f++) {
    render<<<rg, rb>>>(grad, image, samples, orbit(0.4f + 0.9f * f), w);
    toBytes<<<(w * w + 255) / 256, 256>>>(image, bytes, w * w);
  }
  CUDA_CALL(cudaDeviceSynchronize());

  std::vector<float4> hg(DIM * DIM * DIM), hi(w * w);
  std::vector<float> hv(DIM * DIM * DIM);
  std::vector<uchar4> hb(w * w);
  unsigned long long hs;
  CUDA_CALL(cudaMemcpy(hv.data(), vol, hv.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CALL(cudaMemcpy(hg.data(), grad, hg.size() * sizeof(float4), cudaMemcpyDeviceToHost));
  CUDA_CALL(cudaMemcpy(hi.data(), image, hi.size() * sizeof(float4), cudaMemcpyDeviceToHost));
  CUDA_CALL(cudaMemcpy(hb.data(), bytes, hb.size() * sizeof(uchar4), cudaMemcpyDeviceToHost));
  CUDA_CALL(cudaMemcpy(&hs, samples, sizeof(hs), cudaMemcpyDeviceToHost));
  int wrong = 0, pixels = 0, off = 0;
  for (int i = 0; i < DIM * DIM * DIM; i += 97) {
    int x = i % DIM, y = i / DIM % DIM, z = i / (DIM * DIM);
    float d = densityAt(x, y, z);
    if (fabsf(d - hv[i]) > 0.06f ||
        (fabsf(d - hv[i]) > 1e-3f && fabsf(d - 0.05f) > 1e-3f && fabsf(d) > 1e-3f))
      wrong++;
  }
  Camera last = orbit(0.4f + 0.9f * (frames - 1));
  double lit = 0;
  for (int i = 0; i < w * w; i += 53) {
    int steps;
    float4 c = march(hg.data(), table, last, (i % w + 0.5f) / w * 2 - 1, (i / w + 0.5f) / w * 2 - 1,
                     &steps);
    pixels++;
    if (fabsf(c.x - hi[i].x) > 0.02f || fabsf(c.w - hi[i].w) > 0.02f)
      off++;
    if (abs((int)(255.0f * powf(fminf(hi[i].y, 1.0f), 1.0f / 2.2f)) - hb[i].y) > 1)
      wrong++;
    lit += c.w;
  }
  printf("%llu samples, coverage %.3f\n", hs, lit / pixels);
  if (wrong || off > pixels / 50 || lit == 0) {
    printf("FAIL %d wrong, %d of %d pixels off\n", wrong, off, pixels);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
