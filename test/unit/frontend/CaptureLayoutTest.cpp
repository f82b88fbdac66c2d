// SPDX-License-Identifier: Apache-2.0
#include "frontend/CaptureLayout.h"

#include "frontend/DeviceModule.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

constexpr const char* kernel = "_Z4eachIZ4mainEUliE_EvT_";

/// A kernel with one argument that reads the words at some places of it.
DeviceModule kernelOf(const std::string& argument, const std::vector<int>& reads) {
  std::string body;
  for (std::size_t i = 0; i < reads.size(); ++i)
    body += fmt::format("  %p{0} = getelementptr i8, ptr %f, i64 {1}\n"
                        "  %v{0} = load volatile i32, ptr %p{0}\n",
                        i, reads[i]);
  const std::string text =
      fmt::format("target triple = \"nvptx64-nvidia-cuda\"\n"
                  "define void @{0}(ptr byval({1}) align 8 %f) {{\n{2}  ret void\n}}\n"
                  "!nvvm.annotations = !{{!0}}\n!0 = !{{ptr @{0}, !\"kernel\", i32 1}}\n",
                  kernel, argument, body);
  return parseDeviceModule(text, "test").value();
}

bool agree(const DeviceModule& byNvcc, const DeviceModule& byClang) {
  return laidOutOtherwise(*byNvcc.module, *byClang.module).empty();
}

TEST(CaptureLayout, KnowsKernelsThatTakeALambda) {
  EXPECT_TRUE(takesLambda(kernel));
  EXPECT_FALSE(takesLambda("_Z3addPi"));
  EXPECT_FALSE(takesLambda("_Z6UlyssePi"));
}

TEST(CaptureLayout, AgreesWhereBothHaveTheSame) {
  const DeviceModule byClang = kernelOf("<{ ptr, i32, [4 x i8] }>", {0, 8});
  EXPECT_TRUE(agree(kernelOf("[16 x i8]", {0, 8}), byClang));
}

TEST(CaptureLayout, FindsAConstantThatMakesItLarger) {
  const DeviceModule byClang = kernelOf("<{ ptr, i32, [4 x i8] }>", {0, 8});
  EXPECT_EQ(laidOutOtherwise(*kernelOf("[24 x i8]", {0, 16}).module, *byClang.module),
            std::vector<std::string>{kernel});
}

TEST(CaptureLayout, FindsAConstantThatTakesThePlaceOfPadding) {
  const DeviceModule atTheEnd = kernelOf("<{ ptr, i32, [4 x i8] }>", {0, 8});
  EXPECT_FALSE(agree(kernelOf("[16 x i8]", {0, 12}), atTheEnd));
  const DeviceModule inside = kernelOf("{ ptr, i32, ptr }", {0, 8, 16});
  EXPECT_FALSE(agree(kernelOf("[24 x i8]", {0, 12, 16}), inside));
  EXPECT_TRUE(agree(kernelOf("[24 x i8]", {0, 8, 16}), inside));
}

TEST(CaptureLayout, LeavesOutWhatOnlyOneHas) {
  DeviceModule byClang = kernelOf("{ ptr }", {0});
  byClang.module->getFunction(kernel)->setName("other");
  EXPECT_TRUE(agree(kernelOf("[24 x i8]", {0}), byClang));
}

} // namespace
} // namespace heddle::frontend
