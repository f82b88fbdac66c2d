// SPDX-License-Identifier: Apache-2.0
#include "ApiFixture.h"

#include <array>
#include <cstring>
#include <string>

namespace heddle::cudart {
namespace {

class Copy : public ApiTest {
protected:
  Copy() {
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&device_), 64), cudaSuccess);
    EXPECT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned_), 64), cudaSuccess);
    EXPECT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&managed_), 64, cudaMemAttachGlobal),
              cudaSuccess);
  }

  char* at(char where) {
    return where == 'h' ? host_ : where == 'd' ? device_ : where == 'p' ? pinned_ : managed_;
  }

  char host_[64] = "what the host holds";
  char* device_ = nullptr;
  char* pinned_ = nullptr;
  char* managed_ = nullptr;
};

// Measured on an H200: the side that the kind calls "device" must not be pageable host memory, and
// nothing else is checked.
TEST_F(Copy, KindsAreCheckedAsAGpuDoes) {
  for (const char to : std::string("hdpm"))
    for (const char from : std::string("hdpm"))
      for (int kind = -1; kind <= 5; ++kind) {
        cudaError_t expected = cudaSuccess;
        if (kind < 0 || kind > 4)
          expected = cudaErrorInvalidMemcpyDirection;
        else if ((to == 'h' && (kind == 1 || kind == 3)) ||
                 (from == 'h' && (kind == 2 || kind == 3)))
          expected = cudaErrorInvalidValue;
        EXPECT_EQ(cudaMemcpy(at(to), at(from) + 32, 8, static_cast<cudaMemcpyKind>(kind)), expected)
            << to << " from " << from << " kind " << kind;
      }
}

TEST_F(Copy, BytesArrive) {
  char back[64] = {};
  ASSERT_EQ(cudaMemcpy(device_, host_, 64, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(managed_, device_, 64, cudaMemcpyDeviceToDevice, nullptr), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(back, managed_, 64, cudaMemcpyDefault), cudaSuccess);
  EXPECT_STREQ(back, host_);
}

TEST_F(Copy, RangesStayInsideTheAllocation) {
  char host[128] = {};
  EXPECT_EQ(cudaMemcpy(device_, host, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device_ + 60, host, 5, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device_ + 64, host, 1, cudaMemcpyDefault), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host, device_, 65, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(device_, nullptr, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaFree(device_), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(host, device_, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
}

TEST_F(Copy, MemsetNeedsDeviceMemory) {
  EXPECT_EQ(cudaMemset(device_, 7, 64), cudaSuccess);
  EXPECT_EQ(device_[63], 7);
  EXPECT_EQ(cudaMemset(device_, 0, 65), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(host_, 0, 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(pinned_, 0, 4), cudaSuccess);
  EXPECT_EQ(cudaMemset(nullptr, 0, 0), cudaSuccess);
}

TEST_F(Copy, RowsOfAPitchedCopy) {
  // 3 rows of 4 bytes, 8 apart on the host and 16 apart on the device
  char host[24] = "abcd----efgh----ijkl---";
  ASSERT_EQ(cudaMemset(device_, 0, 64), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(device_, 16, host, 8, 4, 3, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(std::string(device_), "abcd");
  EXPECT_EQ(std::string(device_ + 32), "ijkl");
  EXPECT_EQ(cudaMemcpy2D(device_, 16, host, 3, 4, 3, cudaMemcpyHostToDevice),
            cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemcpy2D(device_, 32, host, 8, 4, 3, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2D(device_, std::size_t{1} << 62, host, 8, 4, 9, cudaMemcpyHostToDevice),
            cudaErrorInvalidValue);
}

TEST_F(Copy, SlicesOfA3DCopy) {
  cudaPitchedPtr volume = {};
  ASSERT_EQ(cudaMalloc3D(&volume, {4, 2, 3}), cudaSuccess);
  ASSERT_EQ(cudaMemset3D(volume, 1, {4, 2, 3}), cudaSuccess);
  char host[24] = {};
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = volume;
  copy.dstPtr = {host, 4, 4, 2};
  copy.extent = {4, 2, 2};
  copy.srcPos.z = 1;
  copy.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  EXPECT_EQ(host[15], 1);
  EXPECT_EQ(host[16], 0);
  copy.srcPos.z = 2;
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
}

TEST_F(Copy, ArraysHoldTexels) {
  const cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindSigned};
  cudaArray_t array = nullptr;
  ASSERT_EQ(cudaMalloc3DArray(&array, &format, {2, 2, 2}, 0), cudaSuccess);
  const std::array<int, 8> from = {1, 2, 3, 4, 5, 6, 7, 8};
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = {const_cast<int*>(from.data()), 8, 2, 2};
  copy.dstArray = array;
  copy.extent = {2, 2, 2}; // texels
  copy.kind = cudaMemcpyHostToDevice;
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  std::array<int, 2> row = {};
  copy = {};
  copy.srcArray = array;
  copy.srcPos = {0, 1, 1};
  copy.dstPtr = {row.data(), 8, 2, 1};
  copy.extent = {2, 1, 1};
  copy.kind = cudaMemcpyDeviceToHost;
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaSuccess);
  EXPECT_EQ(row, (std::array{7, 8}));
  copy.extent.height = 2; // one more than is left
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidValue);
  copy.srcArray = reinterpret_cast<cudaArray_t>(device_);
  EXPECT_EQ(cudaMemcpy3D(&copy), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaFreeArray(array), cudaSuccess);
  EXPECT_EQ(cudaFreeArray(array), cudaErrorInvalidResourceHandle);
}

TEST_F(Copy, UnknownSymbols) {
  EXPECT_EQ(cudaMemcpyToSymbol(host_, host_, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
  std::size_t size = 0;
  EXPECT_EQ(cudaGetSymbolSize(&size, host_), cudaErrorInvalidSymbol);
}

} // namespace
} // namespace heddle::cudart
