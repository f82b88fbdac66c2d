// SPDX-License-Identifier: Apache-2.0
#include "frontend/Ptxas.h"

#include "frontend/DeviceModule.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

constexpr const char* output = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z4scanPi' for 'sm_90'
ptxas info    : Function properties for _Z4scanPi
    1024 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
ptxas info    : Function properties for _Z8exchangePiii
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 1024 bytes smem
ptxas info    : Compile time = 6.826 ms
ptxas info    : Compiling entry function '_Z4initPiii' for 'sm_90'
ptxas info    : Function properties for _Z4initPiii
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 360 bytes cmem[0]
)";

TEST(Ptxas, ItsOutputIsTakenApart) {
  const auto kernels = parsePtxasOutput(output);
  ASSERT_EQ(kernels.size(), 2u);
  const PtxasKernel scan{
      .registers = 40, .spillStores = 12, .spillLoads = 16, .stack = 1024, .shared = 1024};
  EXPECT_EQ(kernels.at("_Z4scanPi"), scan);
  EXPECT_EQ(kernels.at("_Z4initPiii"), PtxasKernel{.registers = 8});
  EXPECT_TRUE(parsePtxasOutput("ptxas fatal   : Unresolved extern function '__nv_sinf'").empty());
}

TEST(Ptxas, KernelsThatTheFileHasForItselfAreFoundByTheNamesOfTheModule) {
  const std::map<std::string, PtxasKernel> kernels =
      withCommonNames({{"_ZN35_GLOBAL__N__009b43b0_7_name_cu_main1kEPi", {.registers = 49}},
                       {"_Z1sPi", {.registers = 12}}});
  EXPECT_EQ(kernels.at("_ZN12_GLOBAL__N_11kEPi").registers, 49);
  EXPECT_EQ(kernels.at("_Z1sPi").registers, 12);
  EXPECT_EQ(kernels.at("_ZL1sPi").registers, 12);
}

TEST(Ptxas, TheNextNewerGpuStandsIn) {
  const std::vector<int> known = {75, 80, 86, 90, 100};
  EXPECT_EQ(nearestArchitecture(known, 90), 90);
  EXPECT_EQ(nearestArchitecture(known, 70), 75);
  EXPECT_EQ(nearestArchitecture(known, 89), 90);
  EXPECT_EQ(nearestArchitecture(known, 121), std::nullopt);
  EXPECT_EQ(nearestArchitecture(known, 30), std::nullopt); // 63 registers: too different
  EXPECT_EQ(nearestArchitecture({}, 90), std::nullopt);
}

TEST(Ptxas, ItsHelpNamesArchitectures) {
  EXPECT_EQ(knownArchitectures("for sm_70 or higher\n Allowed values: 'compute_75','sm_90',\n"
                               "'sm_90a','lto_75','sm_75','sm_100f','sm_90'"),
            (std::vector<int>{75, 90}));
}

TEST(Ptxas, SaysWhatAKernelTakes) {
  if (!findPtxas())
    GTEST_SKIP() << "no ptxas in PATH, CUDA_HOME, CUDA_PATH or /usr/local/cuda";
  const auto module = parseDeviceModule(R"(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [256 x i32] undef
declare float @__nv_sinf(float)
define void @wave(ptr %p) {
  %a = load float, ptr %p
  %b = call float @__nv_sinf(float %a)
  store float %b, ptr %p
  store volatile i32 1, ptr addrspace(3) @shared
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{ptr @wave, !"kernel", i32 1}
)",
                                        "test");
  ASSERT_TRUE(module) << module.error().message;
  const auto report = askPtxas(*module, 90, false);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->architecture, "sm_90");
  ASSERT_TRUE(report->kernels.contains("wave"));
  EXPECT_GT(report->kernels.at("wave").registers, 8); // the sine is linked in, not called
  EXPECT_LT(report->kernels.at("wave").registers, 64);
  EXPECT_EQ(report->kernels.at("wave").shared, 1024);
  EXPECT_FALSE(askPtxas(*module, 10, false));
}

} // namespace
} // namespace heddle::frontend
