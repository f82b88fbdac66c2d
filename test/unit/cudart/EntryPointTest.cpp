// SPDX-License-Identifier: Apache-2.0
#include "ApiFixture.h"

namespace heddle::cudart {
namespace {

using EntryPoints = ApiTest;

TEST_F(EntryPoints, NoFunctionOfTheDriverIsFound) {
  int other = 0;
  void* function = &other;
  cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSuccess;
  EXPECT_EQ(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, 0, &result), cudaSuccess);
  EXPECT_EQ(result, cudaDriverEntryPointSymbolNotFound);
  EXPECT_EQ(function, nullptr);
  EXPECT_EQ(cudaGetDriverEntryPoint("cuInit", &function, 0, nullptr), cudaErrorSymbolNotFound);
  EXPECT_EQ(cudaGetDriverEntryPointByVersion("cuInit", &function, 12000, 0, nullptr),
            cudaErrorSymbolNotFound);
  EXPECT_EQ(cudaGetDriverEntryPoint(nullptr, &function, 0, &result), cudaErrorInvalidValue);
}

} // namespace
} // namespace heddle::cudart
