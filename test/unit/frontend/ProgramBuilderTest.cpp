// SPDX-License-Identifier: Apache-2.0
//
// Programs built with clang and a runtime library that only says what it is asked.
#include "frontend/ProgramBuilder.h"
#include "frontend/LinkHost.h"

#include "frontend/DeviceCompiler.h"
#include "frontend/DeviceModule.h"
#include "support/Files.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

constexpr const char* talkingRuntime = R"(
#include <cstdio>
#include <cstring>
struct Wrapper { int magic, version; const char* data; void* unused; };
extern "C" {
void** __cudaRegisterFatBinary(const Wrapper* wrapper) {
  unsigned long long size = 0;
  memcpy(&size, wrapper->data + 8, 8);
  printf("device code %.8s %s\n", wrapper->data, memcmp(wrapper->data + 16, "BC", 2) ? "?" : "BC");
  static void* handle; return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char*, char* name) { printf("kernel %s\n", name); }
int cudaFree(void*) { return 0; }
unsigned __cudaPushCallConfiguration() { return 1; }
int __cudaPopCallConfiguration() { return 0; }
int cudaLaunchKernel() { return 0; }
}
)";

constexpr const char* cudaProgram = R"(
#include "width.h"
#include <cstdio>
int helper();
extern "C" int plain(void);
__global__ void k(int* data) { data[threadIdx.x] = WIDTH; }
int main(int, char** arguments) {
  k<<<1, 32>>>(nullptr);
  printf("%d %d %d %s\n", WIDTH, helper(), plain(), arguments[1]);
  return cudaFree(nullptr) + 3;
}
)";

class ProgramBuilderTest : public testing::Test {
protected:
  void SetUp() override {
    setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
    write("width.h", "#define WIDTH 7\n");
    write("main.cu", cudaProgram);
    write("helper.cpp", "#include <cuda_runtime.h>\nint helper() { return 8; }\n");
    write("plain.c", "#include <cuda_runtime.h>\nint plain(void) { return 9; }\n");
    write("runtime.cpp", talkingRuntime);
    ASSERT_EQ(runCommand({compilerName, "-shared", "-fPIC", file("runtime.cpp"), "-o",
                          file("libheddle_cudart.so")}),
              "");
    options_.runtime = file("libheddle_cudart.so");
    options_.diagnostics.print = [this](std::string_view text) { shown_ += text; };
  }

  std::string file(const std::string& name) const { return (folder_.path() / name).string(); }
  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(writeFile(file(name), text));
  }

  std::string runCommand(const std::vector<std::string>& arguments, int expected = 0) {
    auto child = Subprocess::start(arguments, {.outputFile = file("output")});
    EXPECT_TRUE(child) << child.error().message;
    EXPECT_EQ(child->wait().exitCode, expected);
    return *readFile(file("output"));
  }

  Expected<BuiltProgram> build(const std::vector<std::string>& names) {
    options_.program.files.clear();
    for (const std::string& name : names)
      options_.program.files.push_back(file(name));
    built_.emplace(*TemporaryFolder::make());
    shown_.clear();
    return buildProgram(options_, built_->path());
  }

  std::size_t entries() const {
    return CompileCache(folder_.path() / "cache/heddle").state().entries;
  }

  TemporaryFolder folder_ = *TemporaryFolder::make();
  std::optional<TemporaryFolder> built_;
  BuildOptions options_;
  std::string shown_;
};

TEST_F(ProgramBuilderTest, CudaAndPlainFilesBecomeOneProgram) {
  const auto program = build({"main.cu", "helper.cpp", "plain.c"});
  ASSERT_TRUE(program) << program.error().message << shown_;
  EXPECT_EQ(program->path.filename(), "main");
  EXPECT_EQ(program->kernels, std::vector<std::string>{"_Z1kPi"});
  EXPECT_EQ(shown_, "");
  EXPECT_EQ(runCommand({program->path.string(), "word"}, 3),
            "device code HEDDLEFB BC\nkernel _Z1kPi\n7 8 9 word\n");
}

TEST_F(ProgramBuilderTest, TheCacheKnowsWhenAHeaderChanges) {
  ASSERT_TRUE(build({"main.cu", "helper.cpp", "plain.c"})) << shown_;
  EXPECT_EQ(entries(), 7u); // two preludes, device code, three objects, the program
  ASSERT_TRUE(build({"main.cu", "helper.cpp", "plain.c"})) << shown_;
  EXPECT_EQ(entries(), 7u);
  write("width.h", "#define WIDTH 70\n");
  const auto program = build({"main.cu", "helper.cpp", "plain.c"});
  ASSERT_TRUE(program) << shown_;
  EXPECT_EQ(runCommand({program->path.string(), "word"}, 3),
            "device code HEDDLEFB BC\nkernel _Z1kPi\n70 8 9 word\n");
  options_.useCache = false;
  ASSERT_TRUE(build({"main.cu", "helper.cpp", "plain.c"})) << shown_;
}

TEST_F(ProgramBuilderTest, TheSameObjectsAreLinkedOnce) {
  const auto isLinked = [&] { return fs::exists(built_->path() / "link.log"); };
  ASSERT_TRUE(build({"main.cu", "helper.cpp", "plain.c"})) << shown_;
  EXPECT_TRUE(isLinked());
  const auto again = build({"main.cu", "helper.cpp", "plain.c"});
  ASSERT_TRUE(again) << shown_;
  EXPECT_FALSE(isLinked());
  EXPECT_EQ(runCommand({again->path.string(), "word"}, 3),
            "device code HEDDLEFB BC\nkernel _Z1kPi\n7 8 9 word\n");
  write("plain.c", "int plain(void) { return 10; }\n");
  const auto changed = build({"main.cu", "helper.cpp", "plain.c"});
  ASSERT_TRUE(changed) << shown_;
  EXPECT_TRUE(isLinked());
  EXPECT_EQ(runCommand({changed->path.string(), "word"}, 3),
            "device code HEDDLEFB BC\nkernel _Z1kPi\n7 8 10 word\n");
  fs::last_write_time(options_.runtime, fs::file_time_type::clock::now());
  ASSERT_TRUE(build({"main.cu", "helper.cpp", "plain.c"})) << shown_;
  EXPECT_TRUE(isLinked()) << "another runtime";
  options_.program.flags.link = {"-lm"};
  for (int time = 0; time < 2; ++time) {
    ASSERT_TRUE(build({"main.cu", "helper.cpp", "plain.c"})) << shown_;
    EXPECT_TRUE(isLinked()) << "a library that may change";
  }
}

TEST_F(ProgramBuilderTest, APrecompiledPreludeChangesNothing) {
  // But for the numbers of files in the tables of lines, and what is made from them.
  const auto codeOf = [&](const fs::path& program) {
    const std::string code = file("code");
    runCommand({"objcopy", "--strip-debug", "-R", ".note.gnu.build-id", program.string(), code});
    return *readFile(code);
  };
  options_.useCache = false;
  const std::string plain = codeOf(build({"main.cu", "helper.cpp", "plain.c"})->path);
  options_.useCache = true;
  for (int time = 0; time < 2; ++time) { // new, and from the cache
    const auto program = build({"main.cu", "helper.cpp", "plain.c"});
    ASSERT_TRUE(program) << shown_;
    EXPECT_TRUE(codeOf(program->path) == plain);
  }
  EXPECT_EQ(entries(), 7u);
}

TEST_F(ProgramBuilderTest, APreludeIsPrecompiledAgainWhenItsHeadersChange) {
  const std::string head = "#include_next <cmath>\n#define WIDE ";
  fs::create_directory(file("own"));
  options_.program.flags.common = {"-I", file("own")};
  write("main.cu", "int main() { return WIDE; }\n");
  for (const std::string width : {"30", "4"}) {
    write("own/cmath", head + width + "\n");
    const auto program = build({"main.cu"});
    ASSERT_TRUE(program) << program.error().message << shown_;
    runCommand({program->path.string()}, std::stoi(width));
  }
}

TEST_F(ProgramBuilderTest, ProgramsThatAreTriedLeaveOnlyThePrelude) {
  options_.keepResults = false;
  ASSERT_TRUE(build({"main.cu", "helper.cpp", "plain.c"})) << shown_;
  EXPECT_EQ(entries(), 2u);
}

TEST_F(ProgramBuilderTest, MacrosArePreparedForNobodyElse) {
  options_.program.flags.common = {"-D", "HEIGHT=3"};
  ASSERT_TRUE(build({"main.cu", "helper.cpp", "plain.c"})) << shown_;
  EXPECT_EQ(entries(), 5u);
}

TEST_F(ProgramBuilderTest, ProfileAndRunShareDeviceCode) {
  ASSERT_TRUE(build({"main.cu", "helper.cpp", "plain.c"})) << shown_;
  const std::size_t before = entries();
  ASSERT_TRUE(compileDevice(file("main.cu"), {}));
  EXPECT_EQ(entries(), before);
}

TEST_F(ProgramBuilderTest, ErrorsAreShownOnceAndAsClangPrintedThem) {
  write("bad.cu", "int main() { return missing; }\n");
  const auto program = build({"bad.cu"});
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().message, file("bad.cu") + " does not compile");
  EXPECT_EQ(shown_, file("bad.cu") + ":1:21: error: use of undeclared identifier 'missing'\n"
                                     "    1 | int main() { return missing; }\n"
                                     "      |                     ^\n");
  write("bad.cu", "__device__ void f() { wrong(); }\n__host__ void g() { f(); }\n");
  ASSERT_FALSE(build({"bad.cu"}));
  EXPECT_NE(shown_.find("undeclared identifier 'wrong'"), std::string::npos);
}

TEST_F(ProgramBuilderTest, WarningsAreShownAgainFromTheCache) {
  write("warn.cu", "#include <cstdio>\nint main() { int* p = 0; if (p = nullptr) return 1; }\n");
  ASSERT_TRUE(build({"warn.cu"})) << shown_;
  const std::string first = shown_;
  EXPECT_NE(first.find("warning: using the result of an assignment"), std::string::npos);
  EXPECT_EQ(first.find("generated"), std::string::npos);
  EXPECT_EQ(first.find('\x1b'), std::string::npos);
  ASSERT_TRUE(build({"warn.cu"}));
  EXPECT_EQ(shown_, first);
  options_.diagnostics.colored = true;
  ASSERT_TRUE(build({"warn.cu"}));
  EXPECT_NE(shown_.find('\x1b'), std::string::npos);
}

TEST_F(ProgramBuilderTest, RefusesWhatItCannotLink) {
  write("api.cu", "int main() { return cudaDeviceReset(); }\n");
  EXPECT_EQ(build({"api.cu"}).error().message,
            file("api.cu") + " calls what heddle does not provide yet: cudaDeviceReset");
  write("b.cu", "__device__ int far(int x) { return x; }\n");
  EXPECT_EQ(build({"b.cu"}).error().message,
            file("b.cu") + " has no main function; 'heddle profile' runs a kernel without a host "
                           "program");
  EXPECT_EQ(build({"a.txt"}).error().message,
            file("a.txt") + ": no source file (expected .cu, .cpp, .cc, .cxx or .c; -x cu for "
                            "another name)");
  EXPECT_EQ(build({"none.cu"}).error().message,
            "cannot read " + file("none.cu") + ": No such file or directory");
}

TEST_F(ProgramBuilderTest, FlagsReachTheirPass) {
  write("flags.cpp",
        "#if !defined(FLAG) || __cplusplus < 202002L || defined(__OPTIMIZE__)\n#error x\n"
        "#endif\nint main() {}\n");
  options_.program.flags.common = {"-D", "FLAG"};
  options_.program.flags.standard = "c++20";
  options_.program.flags.level = "0";
  EXPECT_TRUE(build({"flags.cpp"})) << shown_;
  write("flags.txt", "#if defined(__CUDA_ARCH__) && !defined(__OPTIMIZE__)\n#error device\n#endif\n"
                     "__global__ void k() {}\nint main() {}\n");
  options_.program.flags.language = "cu";
  EXPECT_TRUE(build({"flags.txt"})) << shown_;
}

TEST(Runtime, IsNamedWhereItIsMissed) {
  setenv("HEDDLE_CUDART", "/nowhere/lib.so", 1);
  EXPECT_EQ(findRuntime().error().message,
            "the runtime library /nowhere/lib.so is missing; it lies beside heddle's bin folder, "
            "or where HEDDLE_CUDART says");
  unsetenv("HEDDLE_CUDART");
}

} // namespace
} // namespace heddle::frontend
