// SPDX-License-Identifier: Apache-2.0
//
// What a kernel costs must not grow with the file it stands in: its copy holds what it needs and
// nothing else.
#include "EngineFixture.h"

#include "engine/ExtractKernel.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Verifier.h>

#include <set>

namespace heddle::engine {
namespace {

constexpr const char* file = R"(
__device__ int first[4] = {1, 2, 3, 4}, second[8];
__device__ int* table[2] = {first, first + 2};
typedef int (*Function)(int);
__device__ __noinline__ int twice(int x) { return x * second[x & 7]; }
__device__ __noinline__ int named(int x) { return x + 1; }
__device__ __noinline__ int called(int x) { return twice(x) + 3; }
__device__ Function chosen = named;
__global__ void plain(int* a) { __shared__ int s[32]; s[threadIdx.x] = a[0]; __syncthreads();
                                a[1] = s[31 - threadIdx.x]; }
__global__ void calls(int* a) { a[0] = called(a[1]); }
__global__ void points(int* a) { a[0] = *table[a[1]]; }
__global__ void jumps(int* a) { a[0] = chosen(a[1]); }
)";

class ExtractKernelTest : public testing::Test {
protected:
  void SetUp() override {
    const TemporaryFolder folder = *TemporaryFolder::make();
    const std::string path = (folder.path() / "test.cu").string();
    ASSERT_TRUE(writeFile(path, file));
    module_ = *frontend::parseDeviceModule(*frontend::compileDevice(path, {}), "test.cu");
  }

  ExtractedKernel extract(const std::string& kernel) {
    ExtractedKernel result = extractKernel(**frontend::findKernel(*module_.module, kernel));
    EXPECT_EQ(frontend::plainKernelName(result.functions.front()->getName().str()), kernel);
    return result;
  }

  /// Plain names of what a module defines, but for shared memory.
  static std::set<std::string> definitions(const llvm::Module& module) {
    std::set<std::string> names;
    for (const llvm::GlobalObject& object : module.global_objects())
      if (!object.isDeclaration() && object.getAddressSpace() != 3)
        names.insert(frontend::plainKernelName(object.getName().str()));
    return names;
  }

  frontend::DeviceModule module_;
};

using Names = std::set<std::string>;

TEST_F(ExtractKernelTest, AKernelAlone) {
  const ExtractedKernel extracted = extract("plain");
  EXPECT_EQ(definitions(*extracted.module), Names{"plain"});
  EXPECT_EQ(extracted.module->global_size(), 1u) << "its shared memory";
}

TEST_F(ExtractKernelTest, FunctionsAndTheirVariables) {
  const ExtractedKernel extracted = extract("calls");
  EXPECT_EQ(definitions(*extracted.module), (Names{"calls", "called", "twice", "second"}));
  EXPECT_EQ(extracted.functions.size(), 3u);
}

TEST_F(ExtractKernelTest, VariablesThatPointToOthers) {
  const ExtractedKernel extracted = extract("points");
  EXPECT_EQ(definitions(*extracted.module), (Names{"points", "table", "first"}));
  const llvm::GlobalVariable* first = extracted.module->getNamedGlobal("first");
  ASSERT_NE(first, nullptr);
  EXPECT_TRUE(first->hasInitializer());
}

TEST_F(ExtractKernelTest, WhatAPointerMayMean) {
  const ExtractedKernel extracted = extract("jumps");
  EXPECT_EQ(definitions(*extracted.module), (Names{"jumps", "chosen", "named"}));
  EXPECT_EQ(extracted.functions.size(), 2u);
}

TEST_F(ExtractKernelTest, LinesOfTheSourceAreShared) {
  const llvm::Function* before = *frontend::findKernel(*module_.module, "calls");
  const ExtractedKernel extracted = extract("calls");
  EXPECT_EQ(extracted.functions.front()->getSubprogram(), before->getSubprogram());
  EXPECT_TRUE(extracted.functions.front()->getEntryBlock().getTerminator()->getDebugLoc());
}

} // namespace
} // namespace heddle::engine
