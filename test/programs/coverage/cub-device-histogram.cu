// SPDX-License-Identifier: Apache-2.0
// COVERS: cub, cub: DeviceHistogram
// Even bins of floats and the three colours of an image at once. Arguments: n.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cub/device/device_histogram.cuh>

static int fail(const char* what, cudaError_t e) {
  printf("%s: %s\nFAIL\n", what, cudaGetErrorString(e));
  return 1;
}

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4000;
  const int BINS = 16, COLOURS = 256;
  std::vector<float> samples(n);
  std::vector<unsigned char> pixels(4 * n);
  std::vector<int> want(BINS), got(BINS), colours(3 * COLOURS), gotColours(3 * COLOURS);
  for (int i = 0; i < n; ++i) {
    samples[i] = (float)(i * 37 % 200) - 20.0f; // bins are ten wide, from 0 to 160
    if (samples[i] >= 0 && samples[i] < 160)
      ++want[(int)samples[i] / 10];
    for (int c = 0; c < 4; ++c) {
      pixels[4 * i + c] = (unsigned char)(i * (c + 3) + c);
      if (c < 3)
        ++colours[c * COLOURS + pixels[4 * i + c]];
    }
  }
  float* ds;
  unsigned char* dp;
  int* dh;
  if (cudaMalloc(&ds, n * sizeof(float)) || cudaMalloc(&dp, 4 * n) ||
      cudaMalloc(&dh, (BINS + 3 * COLOURS) * sizeof(int)))
    return fail("malloc", cudaGetLastError());
  cudaMemcpy(ds, samples.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(dp, pixels.data(), 4 * n, cudaMemcpyHostToDevice);
  void* temp = nullptr;
  size_t bytes = 0;
  cudaError_t e =
      cub::DeviceHistogram::HistogramEven(temp, bytes, ds, dh, BINS + 1, 0.0f, 160.0f, n);
  if (e || (e = cudaMalloc(&temp, bytes)))
    return fail("size", e);
  if ((e = cub::DeviceHistogram::HistogramEven(temp, bytes, ds, dh, BINS + 1, 0.0f, 160.0f, n)))
    return fail("histogram", e);
  if ((e = cudaMemcpy(got.data(), dh, BINS * sizeof(int), cudaMemcpyDeviceToHost)))
    return fail("copy", e);
  cudaFree(temp);
  temp = nullptr;
  int* bins[3] = {dh + BINS, dh + BINS + COLOURS, dh + BINS + 2 * COLOURS};
  int levels[3] = {COLOURS + 1, COLOURS + 1, COLOURS + 1}, lower[3] = {0, 0, 0},
      upper[3] = {256, 256, 256};
  e = cub::DeviceHistogram::MultiHistogramEven<4, 3>(temp, bytes, dp, bins, levels, lower, upper,
                                                     n);
  if (e || (e = cudaMalloc(&temp, bytes)))
    return fail("size", e);
  if ((e = cub::DeviceHistogram::MultiHistogramEven<4, 3>(temp, bytes, dp, bins, levels, lower,
                                                          upper, n)))
    return fail("colours", e);
  if ((e = cudaMemcpy(gotColours.data(), bins[0], gotColours.size() * sizeof(int),
                      cudaMemcpyDeviceToHost)))
    return fail("copy", e);
  cudaFree(temp), cudaFree(ds), cudaFree(dp), cudaFree(dh);
  bool ok = got == want && gotColours == colours;
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
