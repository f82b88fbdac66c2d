// SPDX-License-Identifier: Apache-2.0
//
// Checked calls and the choice of a device in the manner of NVIDIA's samples. For programs that
// include helper_cuda.h and do not bring their own.
#ifndef COMMON_HELPER_CUDA_H_
#define COMMON_HELPER_CUDA_H_

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "helper_string.h"

inline const char* _cudaGetErrorEnum(cudaError_t error) {
  return cudaGetErrorName(error);
}

template <class T> void check(T result, const char* call, const char* file, int line) {
  if (!result)
    return;
  fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\"\n", file, line, (int)result,
          _cudaGetErrorEnum(result), call);
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)

inline void __getLastCudaError(const char* message, const char* file, int line,
                               bool leaves = true) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s(%d): CUDA error: %s: (%d) %s\n", file, line, message, (int)error,
          cudaGetErrorString(error));
  if (leaves)
    exit(EXIT_FAILURE);
}
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__, false)

#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

inline int ftoi(float value) {
  return (int)(value >= 0 ? value + 0.5f : value - 0.5f);
}

// Lanes for single precision of a multiprocessor, and the name of its kind.
struct heddleArchitecture {
  int version, cores;
  const char* name;
};
inline heddleArchitecture heddleArchitectureOf(int major, int minor) {
  const heddleArchitecture known[] = {
      {30, 192, "Kepler"},  {35, 192, "Kepler"},     {37, 192, "Kepler"},     {50, 128, "Maxwell"},
      {52, 128, "Maxwell"}, {53, 128, "Maxwell"},    {60, 64, "Pascal"},      {61, 128, "Pascal"},
      {62, 128, "Pascal"},  {70, 64, "Volta"},       {72, 64, "Xavier"},      {75, 64, "Turing"},
      {80, 64, "Ampere"},   {86, 128, "Ampere"},     {87, 128, "Ampere"},     {89, 128, "Ada"},
      {90, 128, "Hopper"},  {100, 128, "Blackwell"}, {120, 128, "Blackwell"},
  };
  heddleArchitecture result = known[0];
  for (const heddleArchitecture& each : known)
    if (each.version <= major * 10 + minor)
      result = each;
  return result;
}
inline int _ConvertSMVer2Cores(int major, int minor) {
  return heddleArchitectureOf(major, minor).cores;
}
inline const char* _ConvertSMVer2ArchName(int major, int minor) {
  return heddleArchitectureOf(major, minor).name;
}

inline int heddleCapability(int device) {
  int major = 0, minor = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  checkCudaErrors(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  return major * 10 + minor;
}

inline int gpuDeviceInit(int device) {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (count == 0) {
    fprintf(stderr, "no device supports CUDA\n");
    exit(EXIT_FAILURE);
  }
  device = device < 0 ? 0 : device;
  if (device >= count) {
    fprintf(stderr, "there is no device %d, only %d of them\n", device, count);
    return -device;
  }
  checkCudaErrors(cudaSetDevice(device));
  const int version = heddleCapability(device);
  printf("GPU Device %d: \"%s\"\n", device, _ConvertSMVer2ArchName(version / 10, version % 10));
  return device;
}

// The device with the most lanes times clock.
inline int gpuGetMaxGflopsDeviceId() {
  int count = 0, best = 0;
  double most = -1;
  checkCudaErrors(cudaGetDeviceCount(&count));
  for (int device = 0; device < count; ++device) {
    int multiprocessors = 0, clock = 1;
    checkCudaErrors(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    checkCudaErrors(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device));
    const int version = heddleCapability(device);
    const double speed =
        (double)multiprocessors * _ConvertSMVer2Cores(version / 10, version % 10) * clock;
    if (speed > most) {
      most = speed;
      best = device;
    }
  }
  return best;
}

// The one that -device=N names, or the fastest.
inline int findCudaDevice(int count, const char** arguments) {
  if (checkCmdLineFlag(count, arguments, "device")) {
    const int device = gpuDeviceInit(getCmdLineArgumentInt(count, arguments, "device"));
    if (device < 0)
      exit(EXIT_FAILURE);
    return device;
  }
  const int device = gpuGetMaxGflopsDeviceId();
  checkCudaErrors(cudaSetDevice(device));
  const int version = heddleCapability(device);
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device,
         _ConvertSMVer2ArchName(version / 10, version % 10), version / 10, version % 10);
  return device;
}

inline bool checkCudaCapabilities(int major, int minor) {
  int device = 0;
  checkCudaErrors(cudaGetDevice(&device));
  const int version = heddleCapability(device);
  if (version >= major * 10 + minor)
    return true;
  printf("compute capability %d.%d is needed; this device has %d.%d\n", major, minor, version / 10,
         version % 10);
  return false;
}

#endif
