// SPDX-License-Identifier: Apache-2.0
#include "frontend/NvccCommandLine.h"

#include "support/Files.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

using Goal = NvccCommandLine::Goal;
using Texts = std::vector<std::string>;

NvccCommandLine read(const Texts& arguments) {
  const auto line = readNvccCommandLine(arguments);
  EXPECT_TRUE(line) << (line ? "" : line.error().message);
  return line ? *line : NvccCommandLine();
}

std::string refusal(const Texts& arguments) {
  const auto line = readNvccCommandLine(arguments);
  return line ? "taken" : line.error().message;
}

TEST(NvccCommandLine, FindsInputsAmongOptions) {
  const NvccCommandLine line = read({"-O3", "a.cu", "-o", "app", "b.o", "-lm", "libx.a"});
  EXPECT_EQ(line.goal, Goal::Program);
  EXPECT_EQ(line.inputs, (Texts{"a.cu", "b.o", "libx.a"}));
  EXPECT_EQ(line.output, "app");
  EXPECT_EQ(line.flags.level, "3");
  EXPECT_EQ(line.flags.link, Texts{"-lm"});
}

TEST(NvccCommandLine, KnowsWhatToMake) {
  EXPECT_EQ(read({"-c", "a.cu"}).goal, Goal::Objects);
  EXPECT_FALSE(read({"-c", "a.cu"}).flags.relocatable);
  EXPECT_EQ(read({"-dc", "a.cu"}).goal, Goal::Objects);
  EXPECT_TRUE(read({"-dc", "a.cu"}).flags.relocatable);
  EXPECT_TRUE(read({"--relocatable-device-code=true", "a.cu"}).flags.relocatable);
  EXPECT_EQ(read({"-dlink", "a.o"}).goal, Goal::DeviceLink);
  EXPECT_EQ(read({"--lib", "a.o"}).goal, Goal::Archive);
  EXPECT_TRUE(read({"-shared", "a.o"}).shared);
  EXPECT_EQ(read({"--version"}).goal, Goal::Version);
}

/// The line that CMake writes for one source.
TEST(NvccCommandLine, TakesWhatCMakeWrites) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const std::string includes = (folder->path() / "includes.rsp").string();
  ASSERT_TRUE(writeFile(includes, "-I/opt/first\n"));
  const NvccCommandLine line = read({"-forward-unknown-to-host-compiler",
                                     "-DNAME=1",
                                     "--options-file=" + includes,
                                     "-isystem=/opt/include",
                                     "-O3",
                                     "-DNDEBUG",
                                     "--generate-code=arch=compute_90,code=[compute_90,sm_90]",
                                     "-Xcompiler=-fPIC",
                                     "-std=c++17",
                                     "-unknown",
                                     "-MD",
                                     "-MT",
                                     "a.cu.o",
                                     "-MF",
                                     "a.cu.o.d",
                                     "-x",
                                     "cu",
                                     "-rdc=true",
                                     "-c",
                                     "a.cu",
                                     "-o",
                                     "a.cu.o"});
  EXPECT_EQ(line.inputs, Texts{"a.cu"});
  EXPECT_EQ(line.targets, Texts{"a.cu.o"});
  EXPECT_TRUE(line.wantsDependencies);
  EXPECT_EQ(line.dependencyFile, "a.cu.o.d");
  EXPECT_EQ(line.flags.host, (Texts{"-fPIC", "-unknown"}));
  EXPECT_EQ(line.flags.common.at(3), "/opt/first");
}

TEST(NvccCommandLine, ReadsResponseFiles) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const std::string inner = (folder->path() / "inner").string();
  const std::string outer = (folder->path() / "outer").string();
  ASSERT_TRUE(writeFile(inner, "-o \"my app\"\n'-DTEXT=a b' c\\ d.cu"));
  ASSERT_TRUE(writeFile(outer, "-g @" + inner));
  const NvccCommandLine line = read({"@" + outer});
  EXPECT_EQ(line.output, "my app");
  EXPECT_EQ(line.inputs, Texts{"c d.cu"});
  EXPECT_EQ(line.flags.common, (Texts{"-D", "TEXT=a b"}));
  EXPECT_EQ(read({"-optf", inner}).output, "my app");
}

TEST(NvccCommandLine, ResponseFilesThatNameEachOtherEnd) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const std::string file = (folder->path() / "self").string();
  ASSERT_TRUE(writeFile(file, "@" + file));
  EXPECT_EQ(refusal({"@" + file}), file + ": response files that name each other");
  ASSERT_TRUE(writeFile(file, "-o \"x"));
  EXPECT_EQ(refusal({"@" + file}), file + ": a quote \" is never closed");
}

TEST(NvccCommandLine, RefusesByName) {
  EXPECT_EQ(refusal({"-ptx", "a.cu"}),
            "-ptx: heddle cc makes objects, libraries and programs that run on the engine; nvcc "
            "makes code for a GPU");
  EXPECT_EQ(refusal({"a.cubin"}),
            "a.cubin: heddle cc compiles sources; 'heddle profile' runs kernels of a .ptx file");
  EXPECT_EQ(
      refusal({"--ouput-file", "x", "a.cu"}),
      "unknown option '--ouput-file'; did you mean --output-file? (what is the host compiler's "
      "goes behind -Xcompiler)");
  EXPECT_EQ(refusal({}), "no input files; see 'heddle cc --help'");
  EXPECT_EQ(refusal({"a.cu", "-o"}), "-o needs a value");
  EXPECT_EQ(refusal({"-c", "a.cu", "b.cu", "-o", "x.o"}),
            "-o x.o and 2 inputs: one file cannot take what each of them becomes");
  EXPECT_EQ(refusal({"-rdc=maybe", "a.cu"}), "-rdc=maybe: expected true or false");
}

} // namespace
} // namespace heddle::frontend
