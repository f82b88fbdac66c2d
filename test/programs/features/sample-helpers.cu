// SPDX-License-Identifier: Apache-2.0
// The headers around NVIDIA's samples as programs include them: command lines, stop watches,
// checked calls, arithmetic of vectors; constants, complex numbers, NVTX.
#include <cuComplex.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <helper_math.h>
#include <math_constants.h>
#include <nvtx3/nvToolsExt.h>

#include "../check.h"

__global__ void bounce(float3* points, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float3 up = make_float3(0, 1, 0);
  float3 p = points[i];
  p += 0.5f * normalize(reflect(p, up)) - cross(p, up) / 4.0f;
  points[i] = clamp(p, -2.0f, 2.0f);
}

__global__ void turn(cuFloatComplex* numbers, cuDoubleComplex* sizes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const cuFloatComplex by = make_cuFloatComplex(cosf(CUDART_PIO4_F), sinf(CUDART_PIO4_F));
  const cuFloatComplex turned = cuCmulf(numbers[i], by);
  numbers[i] = cuCsubf(cuCdivf(turned, by), cuConjf(numbers[i]));
  sizes[i] = make_cuDoubleComplex(cuCabs(cuComplexFloatToDouble(turned)), CUDART_PI);
}

void checkVectors() {
  const int n = 1000;
  std::vector<float3> points(n);
  for (int i = 0; i < n; ++i)
    points[i] = make_float3(i % 7 - 3.0f, i % 5 + 0.5f, i % 3 - 1.0f);
  DeviceArray<float3> data(points);
  bounce<<<(n + 127) / 128, 128>>>(data, n);
  getLastCudaError("bounce");
  checkCudaErrors(cudaDeviceSynchronize());
  const std::vector<float3> got = data.read();
  for (int i = 0; i < n; ++i) {
    const float3 p = points[i], mirrored = make_float3(p.x, -p.y, p.z);
    const float size = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z);
    const float3 want =
        make_float3(p.x + 0.5f * mirrored.x / size + p.z / 4, p.y + 0.5f * mirrored.y / size,
                    p.z + 0.5f * mirrored.z / size - p.x / 4);
    expectNear("x", got[i].x, std::fmin(std::fmax(want.x, -2), 2), 1e-5, 1e-6);
    expectNear("y", got[i].y, std::fmin(std::fmax(want.y, -2), 2), 1e-5, 1e-6);
    expectNear("z", got[i].z, std::fmin(std::fmax(want.z, -2), 2), 1e-5, 1e-6);
  }
  const int4 whole = make_int4(make_float4(1.5f, 2.5f, 3.5f, -4.5f)) * 2 + make_int4(1);
  expectTrue("int4", whole.x == 3 && whole.y == 5 && whole.z == 7 && whole.w == -7);
  expectEqual<int>("dot", dot(make_int2(3, 4), make_int2(5, 6)), 39);
  expectNear("length", length(make_float2(3, 4)), 5, 1e-6);
  expectNear("lerp", lerp(make_float2(1, 2), make_float2(3, 6), 0.25f).y, 3, 1e-6);
}

void checkComplex() {
  const int n = 100;
  std::vector<cuFloatComplex> numbers(n);
  for (int i = 0; i < n; ++i)
    numbers[i] = make_cuComplex(i - 50.0f, 0.25f * i);
  DeviceArray<cuFloatComplex> data(numbers);
  DeviceArray<cuDoubleComplex> sizes(n);
  turn<<<1, n>>>(data, sizes, n);
  CHECK_LAUNCH();
  const std::vector<cuFloatComplex> got = data.read();
  const std::vector<cuDoubleComplex> size = sizes.read();
  for (int i = 0; i < n; ++i) {
    expectNear("real", got[i].x, 0, 0, 2e-5);
    expectNear("imaginary", got[i].y, 0.5 * i, 1e-5, 2e-5);
    expectNear("size", size[i].x, std::hypot(i - 50.0, 0.25 * i), 1e-6);
    expectNear("pi", size[i].y, M_PI, 1e-15);
  }
  const cuDoubleComplex fused =
      cuCfma(make_cuDoubleComplex(1, 2), make_cuDoubleComplex(3, 4), make_cuDoubleComplex(5, 6));
  expectTrue("cuCfma", fused.x == 0 && fused.y == 16);
  expectNear("1e200", cuCabs(make_cuDoubleComplex(3e200, 4e200)), 5e200, 1e-15);
}

void checkCommandLine() {
  const char* line[] = {"program", "--size=12", "-scale=0.5", "-quiet", "-name=abc"};
  char* name = nullptr;
  expectTrue("a flag", checkCmdLineFlag(5, line, "quiet") && !checkCmdLineFlag(5, line, "qui"));
  expectEqual<int>("size", getCmdLineArgumentInt(5, line, "size"), 12);
  expectNear("scale", getCmdLineArgumentFloat(5, line, "scale"), 0.5, 0);
  expectTrue("name", getCmdLineArgumentString(5, line, "name", &name) &&
                         std::string(name) == "abc" &&
                         !getCmdLineArgumentString(5, line, "x", &name));
  expectEqual<int>("device", findCudaDevice(5, line), 0);
  expectTrue("capability", checkCudaCapabilities(3, 0) && _ConvertSMVer2Cores(9, 0) == 128);
}

int main() {
  nvtxRangePushA("all of it");
  StopWatchInterface* timer = nullptr;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  checkVectors();
  checkComplex();
  checkCommandLine();
  sdkStopTimer(&timer);
  expectTrue("time passes", sdkGetTimerValue(&timer) > 0 && sdkGetAverageTimerValue(&timer) > 0);
  sdkDeleteTimer(&timer);
  const float one[] = {1, 2, 3}, other[] = {1, 2, 3.001f};
  expectTrue("compare",
             sdkCompareL2fe(one, other, 3, 1e-2f) && !sdkCompareL2fe(one, other, 3, 1e-5f));
  nvtxRangePop();
  return finish();
}
