// SPDX-License-Identifier: Apache-2.0
#include "frontend/CompilerFlags.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

using Texts = std::vector<std::string>;

/// Parses a whole command line; what is no compiler flag comes back in `rest`.
CompilerFlags parse(const Texts& arguments, Texts* rest = nullptr) {
  CompilerFlags flags;
  for (std::size_t at = 0; at < arguments.size();) {
    const auto taken = takeCompilerFlag(std::span(arguments).subspan(at), flags);
    EXPECT_TRUE(taken) << taken.error().message;
    if (*taken == 0 && rest != nullptr)
      rest->push_back(arguments[at]);
    at += std::max<std::size_t>(*taken, 1);
  }
  return flags;
}

std::string complaint(const Texts& arguments) {
  CompilerFlags flags;
  const auto taken = takeCompilerFlag(arguments, flags);
  return taken ? "" : taken.error().message;
}

TEST(CompilerFlags, ValuesJoinedOrApart) {
  EXPECT_EQ(parse({"-Ia", "-I", "b", "-DX=1", "-D", "Y", "-UZ", "-isystem", "c"}).common,
            (Texts{"-I", "a", "-I", "b", "-D", "X=1", "-D", "Y", "-U", "Z", "-isystem", "c"}));
  EXPECT_EQ(parse({"-std=c++14"}).standard, "c++14");
  EXPECT_EQ(parse({"--std", "c++20"}).standard, "c++20");
  EXPECT_EQ(parse({"-O3"}).level, "3");
  EXPECT_EQ(parse({"-x", "cu"}).language, "cu");
  EXPECT_EQ(parse({}).standard, "c++17");
}

TEST(CompilerFlags, NvccSpellingsWithNoMeaningHereAreKeptForNvcc) {
  Texts rest;
  const Texts words = {"-arch=sm_70",
                       "-arch",
                       "sm_80",
                       "-gencode",
                       "arch=compute_70,code=sm_70",
                       "-gencode=arch=compute_70,code=sm_70",
                       "--expt-relaxed-constexpr",
                       "--extended-lambda",
                       "-use_fast_math",
                       "-lineinfo",
                       "-G",
                       "-rdc=true",
                       "-maxrregcount=32",
                       "-Xptxas",
                       "-v",
                       "-m64",
                       "-Wno-deprecated-gpu-targets"};
  CompilerFlags expected;
  expected.nvcc = words;
  expected.relocatable = true;
  EXPECT_EQ(parse(words, &rest), expected);
  EXPECT_EQ(parse({"-lcudart", "-lcublas", "-lcurand_static", "-lnppif"}, &rest), CompilerFlags());
  EXPECT_EQ(rest, Texts());
}

TEST(CompilerFlags, HostFlagsComeApart) {
  const CompilerFlags flags =
      parse({"-Xcompiler", "-Wall,-fopenmp", "-Xcompiler=-march=native", "-Wextra", "-g", "-lm",
             "-L/opt/lib", "-Xlinker", "--as-needed"});
  EXPECT_EQ(flags.host, (Texts{"-Wall", "-fopenmp", "-march=native", "-Wextra", "-g"}));
  EXPECT_EQ(flags.link, (Texts{"-fopenmp", "-lm", "-L/opt/lib", "-Wl,--as-needed"}));
  EXPECT_EQ(flags.common, Texts());
}

TEST(CompilerFlags, ContractionIsTheDevicesBusiness) {
  EXPECT_EQ(parse({"-fmad=false"}).device, Texts{"-ffp-contract=off"});
  EXPECT_EQ(parse({"-fmad=true"}), CompilerFlags());
}

TEST(CompilerFlags, LeavesTheRestAlone) {
  Texts rest;
  parse({"a.cu", "--device", "h200", "--json", "-h", "-o", "app"}, &rest);
  EXPECT_EQ(rest, (Texts{"a.cu", "--device", "h200", "--json", "-h", "-o", "app"}));
}

TEST(CompilerFlags, Refusals) {
  EXPECT_EQ(complaint({"-I"}), "-I needs a value");
  EXPECT_EQ(complaint({"-Xcompiler", "--", "x"}), "-Xcompiler needs a value");
  EXPECT_EQ(complaint({"-O4"}), "-O4: expected -O0, -O1, -O2, -O3, -Os, -Oz or -Ofast");
  EXPECT_EQ(complaint({"-x", "fortran"}), "-x fortran: expected cu, c++ or c");
}

} // namespace
} // namespace heddle::frontend
