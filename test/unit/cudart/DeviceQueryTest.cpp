// SPDX-License-Identifier: Apache-2.0
#include "ApiFixture.h"

#include "cudart/Properties.h"
#include "machine/DeviceCatalog.h"

#include <string>

namespace heddle::cudart {
namespace {

using DeviceQuery = ApiTest;

cudaDeviceProp propertiesOf(const char* name) {
  return describeDevice(*machine::findDevice(name));
}

TEST_F(DeviceQuery, ThereIsOneDevice) {
  int count = 0, device = 9;
  cudaDeviceProp properties;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 1), cudaErrorInvalidDevice);
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_EQ(std::string(properties.name), "H200 SXM");
}

TEST(DeviceProperties, AnH200) {
  const cudaDeviceProp properties = propertiesOf("h200");
  EXPECT_EQ(properties.major, 9);
  EXPECT_EQ(properties.multiProcessorCount, 132);
  EXPECT_EQ(properties.maxThreadsPerMultiProcessor, 2048);
  EXPECT_EQ(properties.sharedMemPerBlock, 49152U);
  EXPECT_EQ(properties.sharedMemPerBlockOptin, 232448U);
  EXPECT_EQ(properties.sharedMemPerMultiprocessor, 233472U);
  EXPECT_EQ(properties.clockRate, 1980000);
  EXPECT_EQ(properties.memoryBusWidth, 6144);
  EXPECT_EQ(properties.maxGridSize[0], 2147483647);
  EXPECT_EQ(properties.cooperativeLaunch, 1);
}

TEST(DeviceProperties, AG80) {
  const cudaDeviceProp properties = propertiesOf("g80");
  EXPECT_EQ(properties.maxThreadsPerBlock, 512);
  EXPECT_EQ(properties.maxGridSize[0], 65535);
  EXPECT_EQ(properties.maxGridSize[2], 1);
  EXPECT_EQ(properties.memoryBusWidth, 384);
  EXPECT_EQ(properties.cooperativeLaunch, 0);
}

TEST(DeviceProperties, BusWidthsOfEveryGpu) {
  const std::pair<const char*, int> widths[] = {
      {"a100", 5120}, {"v100", 4096},   {"p100", 4096},   {"h100", 5120},  {"b200", 8192},
      {"t4", 256},    {"rtx4090", 384}, {"rtx5090", 512}, {"gtx580", 384}, {"gtx850m", 128}};
  for (const auto& [name, width] : widths)
    EXPECT_EQ(propertiesOf(name).memoryBusWidth, width) << name;
}

TEST_F(DeviceQuery, EveryAttributeIsAnswered) {
  const cudaDeviceProp properties = propertiesOf("h200");
#define HEDDLE_DEVICE_ATTRIBUTE(name, number) EXPECT_TRUE(attributeOf(properties, number)) << #name;
#include "heddle_device_attributes.def"
#undef HEDDLE_DEVICE_ATTRIBUTE
  int value = 0;
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(value, 132);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1), cudaErrorInvalidDevice);
}

TEST_F(DeviceQuery, LimitsAreKept) {
  std::size_t value = 0;
  ASSERT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(value, 1024U);
  ASSERT_EQ(cudaDeviceSetLimit(cudaLimitStackSize, 65536), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetLimit(&value, cudaLimitStackSize), cudaSuccess);
  EXPECT_EQ(value, 65536U);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1), cudaErrorUnsupportedLimit);
}

TEST_F(DeviceQuery, NoPeers) {
  int can = 1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 0), cudaSuccess);
  EXPECT_EQ(can, 0);
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can, 0, 1), cudaErrorInvalidDevice);
}

TEST_F(DeviceQuery, BusIds) {
  char text[16] = {};
  int device = 9;
  EXPECT_EQ(cudaDeviceGetPCIBusId(text, 4, 0), cudaErrorInvalidValue);
  ASSERT_EQ(cudaDeviceGetPCIBusId(text, sizeof text, 0), cudaSuccess);
  ASSERT_EQ(cudaDeviceGetByPCIBusId(&device, text), cudaSuccess);
  EXPECT_EQ(device, 0);
}

TEST_F(DeviceQuery, Versions) {
  int version = 0;
  EXPECT_EQ(cudaRuntimeGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, 12050);
  EXPECT_EQ(cudaDriverGetVersion(&version), cudaSuccess);
  EXPECT_EQ(version, 12050);
}

} // namespace
} // namespace heddle::cudart
