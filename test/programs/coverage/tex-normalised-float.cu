// SPDX-License-Identifier: Apache-2.0
// COVERS: textures, textures: normalised float, textures: uchar4
// uchar4, signed char and unsigned short texels read as floats from 0 (or -1) to 1.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(x)                                                                                   \
  do {                                                                                             \
    if ((x) != cudaSuccess) {                                                                      \
      printf("line %d: %s\nFAIL\n", __LINE__, cudaGetErrorString(cudaGetLastError()));             \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

const int W = 32, H = 16;

template <typename T> struct Image {
  cudaArray_t array;
  cudaTextureObject_t tex;
  explicit Image(const std::vector<T>& texels, cudaTextureFilterMode filter = cudaFilterModePoint) {
    cudaChannelFormatDesc channel = cudaCreateChannelDesc<T>();
    CHECK(cudaMallocArray(&array, &channel, W, H));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), W * sizeof(T), W * sizeof(T), H,
                              cudaMemcpyHostToDevice));
    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeArray;
    res.res.array.array = array;
    cudaTextureDesc desc = {};
    desc.addressMode[0] = desc.addressMode[1] = cudaAddressModeClamp;
    desc.filterMode = filter;
    desc.readMode = cudaReadModeNormalizedFloat;
    CHECK(cudaCreateTextureObject(&tex, &res, &desc, nullptr));
  }
  ~Image() {
    cudaDestroyTextureObject(tex);
    cudaFreeArray(array);
  }
};

__global__ void grey(cudaTextureObject_t colour, cudaTextureObject_t smooth,
                     cudaTextureObject_t bytes, cudaTextureObject_t words, float4* c, float* s,
                     float* b, float* w) {
  int x = threadIdx.x, y = threadIdx.y, i = y * blockDim.x + x;
  c[i] = tex2D<float4>(colour, x + 0.5f, y + 0.5f);
  s[i] = tex2D<float4>(smooth, x + 1.0f, y + 0.5f).y;
  b[i] = tex2D<float>(bytes, x + 0.5f, y + 0.5f);
  w[i] = tex2D<float>(words, x + 0.5f, y + 0.5f);
}

int main() {
  const int n = W * H;
  std::vector<uchar4> colours(n);
  std::vector<signed char> bytes(n);
  std::vector<unsigned short> words(n);
  for (int i = 0; i < n; ++i) {
    colours[i] = make_uchar4((unsigned char)i, (unsigned char)(i * 3), (unsigned char)(255 - i),
                             (unsigned char)(i / 2));
    bytes[i] = (signed char)(i % 256 - 128);
    words[i] = (unsigned short)(i * 127);
  }
  Image<uchar4> colour(colours), smooth(colours, cudaFilterModeLinear);
  Image<signed char> small(bytes);
  Image<unsigned short> large(words);
  float4* c;
  float *s, *b, *w;
  CHECK(cudaMallocManaged(&c, n * sizeof(float4)));
  CHECK(cudaMallocManaged(&s, n * sizeof(float)));
  CHECK(cudaMallocManaged(&b, n * sizeof(float)));
  CHECK(cudaMallocManaged(&w, n * sizeof(float)));
  grey<<<1, dim3(W, H)>>>(colour.tex, smooth.tex, small.tex, large.tex, c, s, b, w);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    int next = i % W == W - 1 ? i : i + 1;
    float eps = 1e-6f, between = (colours[i].y + colours[next].y) / 510.0f;
    float byte = fmaxf(bytes[i] / 127.0f, -1.0f);
    bool ok = fabsf(c[i].x - colours[i].x / 255.0f) < eps &&
              fabsf(c[i].z - colours[i].z / 255.0f) < eps &&
              fabsf(c[i].w - colours[i].w / 255.0f) < eps && fabsf(s[i] - between) < 0.005f &&
              fabsf(b[i] - byte) < eps && fabsf(w[i] - words[i] / 65535.0f) < eps;
    if (!ok && bad++ < 5)
      printf("texel %d: (%g %g %g), between %g (%g), byte %g (%g), word %g\n", i, c[i].x, c[i].y,
             c[i].z, s[i], between, b[i], byte, w[i]);
  }
  cudaFree(c), cudaFree(s), cudaFree(b), cudaFree(w);
  puts(bad ? "FAIL" : "PASS");
  return bad ? 1 : 0;
}
