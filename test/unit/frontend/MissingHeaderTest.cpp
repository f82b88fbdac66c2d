// SPDX-License-Identifier: Apache-2.0
#include "frontend/MissingHeader.h"

#include <gtest/gtest.h>

#include <string>

namespace heddle::frontend {
namespace {

TEST(MissingHeader, NamesWhatIsKnown) {
  EXPECT_EQ(
      missingHeader("1 note\na.cu:3:10: fatal error: 'thrust/sort.h' file not found"),
      "a.cu:3: Heddle has no thrust/sort.h: it is Thrust's (Debian: apt install libthrust-dev)");
  for (const char* name : {"cufft.h", "cusparse.h", "cusolverDn.h", "cudnn.h", "nccl.h", "npp.h"})
    EXPECT_NE(missingHeader(std::string("x: fatal error: '") + name + "' file not found"), "");
}

TEST(MissingHeader, NamesOfMicrosoftAreNamed) {
  EXPECT_EQ(
      microsoftName("a.cpp:9:3: error: use of undeclared identifier 'other'\n"
                    "a.cpp:15:34: error: use of undeclared identifier '_countof'\n"),
      "'_countof' is of Microsoft's compiler and library; a header of yours may say what it is "
      "(#define __int64 long long): give it with -include");
  EXPECT_NE(microsoftName("a.cpp:2:1: error: unknown type name 'DWORD'"), "");
  EXPECT_EQ(microsoftName("a.cpp:2:1: error: use of undeclared identifier 'count'"), "");
}

TEST(MissingHeader, AddressesOfKernelsAreNamed) {
  EXPECT_EQ(launchOnDevice("note\na.cu:3:32: error: reference to __global__ function 'child' in "
                           "__global__ function\n"),
            "a.cu:3: device code can launch a kernel by its name, but not take its address");
  EXPECT_EQ(launchOnDevice("a.cu:3:32: error: expected ';'"), "");
}

TEST(MissingHeader, TextureReferencesAreNamed) {
  const std::string told =
      textureReference("x\na.cu(18): error: texture is not a template\n  texture<float> t;\n");
  EXPECT_TRUE(told.starts_with("a.cu:18: CUDA 12 and nvcc have no texture references")) << told;
  EXPECT_EQ(textureReference("a.cu(18): error: expected a ;"), "");
}

TEST(MissingHeader, InitialValuesInSharedMemoryAreNamed) {
  const std::string told = "b.cu:9:48: error: initialization is not supported for __shared__ "
                           "variables\n    9 | __shared__ int f = 1;\n";
  EXPECT_EQ(sharedInitialValue("1 warning\n" + told + told),
            "b.cu:9: a __shared__ variable has no initial value, with nvcc neither; declare it in "
            "the kernel without one, and let a thread set it");
  EXPECT_EQ(sharedInitialValue(told + "b.cu:10:1: error: expected ';'\n"), "");
  EXPECT_EQ(sharedInitialValue(""), "");
}

TEST(MissingHeader, LeavesTheUsersOwnAlone) {
  EXPECT_EQ(missingHeader("a.cu:1:10: fatal error: 'mine.h' file not found\n"), "");
  EXPECT_EQ(missingHeader("' file not found"), "");
  EXPECT_EQ(missingHeader(""), "");
}

} // namespace
} // namespace heddle::frontend
