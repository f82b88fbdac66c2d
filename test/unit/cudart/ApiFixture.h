// SPDX-License-Identifier: Apache-2.0
//
// Each test of the API begins with a device that nobody has used.
#pragma once

#include "cudart/CudaTypes.h"

#include <gtest/gtest.h>

namespace heddle::cudart {

class ApiTest : public testing::Test {
protected:
  ApiTest() {
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "left by the test before";
  }
  ~ApiTest() override { cudaGetLastError(); }
};

} // namespace heddle::cudart
