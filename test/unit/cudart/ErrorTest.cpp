// SPDX-License-Identifier: Apache-2.0
#include "ApiFixture.h"

#include <string>
#include <thread>

namespace heddle::cudart {
namespace {

using Errors = ApiTest;

TEST_F(Errors, PeekKeepsAndGetForgets) {
  EXPECT_EQ(cudaSetDevice(9), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess); // a success does not hide an error
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(Errors, TheLaterOneStays) {
  cudaSetDevice(9);
  cudaFree(this);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
}

TEST_F(Errors, EachThreadHasItsOwn) {
  cudaSetDevice(9);
  std::thread([] { EXPECT_EQ(cudaGetLastError(), cudaSuccess); }).join();
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
}

TEST_F(Errors, NamesAndTexts) {
  EXPECT_EQ(std::string(cudaGetErrorName(cudaSuccess)), "cudaSuccess");
  EXPECT_EQ(std::string(cudaGetErrorString(cudaSuccess)), "no error");
  EXPECT_EQ(std::string(cudaGetErrorName(cudaErrorMemoryAllocation)), "cudaErrorMemoryAllocation");
  EXPECT_EQ(std::string(cudaGetErrorString(cudaErrorMemoryAllocation)), "out of memory");
  EXPECT_EQ(std::string(cudaGetErrorString(static_cast<cudaError_t>(12345))),
            "unrecognized error code");
}

} // namespace
} // namespace heddle::cudart
