// SPDX-License-Identifier: Apache-2.0
//
// Device math from a program's source to the engine's result: all of libdevice is known, and what
// the compat headers define (parts of words, results through pointers) does what a GPU does.
#include "EngineFixture.h"

#include "engine/ScalarMath.h"
#include "engine/VectorMath.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <regex>

namespace heddle::engine {
namespace {

/// The directory of clang's own headers.
std::string clangHeaders() {
  FILE* pipe = popen("clang-19 -print-resource-dir", "r");
  char line[4096] = {};
  const bool read = pipe != nullptr && std::fgets(line, sizeof line, pipe) != nullptr;
  if (pipe != nullptr)
    pclose(pipe);
  std::string path = read ? line : "";
  path.erase(path.find_last_not_of('\n') + 1);
  return path + "/include/";
}

/// A kernel that calls every function of a header, each with operands from `p` and its result to a
/// place of its own.
std::string callEverything(const std::string& header, std::size_t& count) {
  const std::regex declaration(R"(__DEVICE__ ([\w ]+?)\s+(__nv_\w+)\(([^)]*)\);)");
  std::string body;
  for (auto match = std::sregex_iterator(header.begin(), header.end(), declaration);
       match != std::sregex_iterator(); ++match) {
    std::string arguments;
    std::stringstream parameters((*match)[3]);
    for (std::string parameter; std::getline(parameters, parameter, ',');) {
      const std::string type = parameter.substr(0, parameter.rfind("__"));
      arguments += arguments.empty() ? "" : ", ";
      arguments += type.find('*') == std::string::npos ? "*(" + type + "*)p" : "(" + type + ")p";
    }
    const std::string result = (*match)[1], call = (*match)[2].str() + "(" + arguments + ");\n";
    ++count;
    body += result == "void" ? call : fmt::format("*({}*)(p + {}) = {}", result, 8 * count, call);
  }
  return "extern \"C\" __global__ void k(char* p, int n) {\n" + body + "}\n";
}

TEST(DeviceMath, AllOfLibdeviceIsKnown) {
  const auto header = readFile(clangHeaders() + "__clang_cuda_libdevice_declares.h");
  ASSERT_TRUE(header) << header.error().message;
  std::size_t count = 0;
  const std::string source = callEverything(*header, count);
  EXPECT_GT(count, 400u);
  const std::string file =
      (std::filesystem::temp_directory_path() / fmt::format("heddle-math-{}.cu", getpid()))
          .string();
  ASSERT_TRUE(writeFile(file, source));
  const auto bitcode = frontend::compileDevice(file, {});
  std::filesystem::remove(file);
  ASSERT_TRUE(bitcode) << bitcode.error().message;
  const auto module = frontend::parseDeviceModule(*bitcode, file);
  ASSERT_TRUE(module) << module.error().message;
  const auto vectors = vectorMathNames();
  for (const llvm::Function& function : *module->module) {
    const llvm::StringRef name = function.getName();
    if (!function.isDeclaration() ||
        (!name.starts_with("__nv_") && !name.starts_with("llvm.nvvm.")))
      continue;
    EXPECT_TRUE(scalarMath(name) != nullptr || std::ranges::binary_search(vectors, name))
        << name.str() << " is neither in VectorMath or ScalarMath nor in heddle_math.h";
  }
  const auto kernel = compileText(source);
  EXPECT_TRUE(kernel) << kernel.error().message;
}

/// Hashes of 9999 results each, of the very same code on an H200 (CUDA 13.0, sm_90).
const std::vector<unsigned>& hashesOfAGpu() {
  static const std::vector<unsigned> hashes = {
      // parts of a word
      0xd0bb7bbe, 0xbe979917, 0x5c185920, 0x49f47679, 0x7bdbc3ac, 0x3c19eefa, 0x08568680,
      0x0009dfde, 0x473d4dfc, 0x2a8ae5f4, 0xf88cd820, 0xfb677760, 0xc87b2116, 0x98071f3d,
      0x2b792e6a, 0x5bed3043, 0x06241f71, 0x7326fd81, 0x81b1f840, 0xb74cf8a1, 0x9dd89e9d,
      // comparisons
      0xf53ab3c0, 0xebfd4e40, 0xa92d3260, 0x6b3b9aa0, 0x52268478, 0xd5e62188, 0xb295c2f6,
      0xc0f0620a, 0x5cebd0b8, 0xe9e8d348, 0xbd5b0f36, 0xd4f313ca, 0x417c1568, 0x6d501598,
      0xe10cd6ea, 0x8245d516, 0x4c4161a8, 0x8152c758, 0xebd2232a, 0x964886d6,
      // of three
      0x71419ef0, 0x1ae04ed9, 0x6a53dc3c, 0xbee025cd, 0x4d6fdd9d, 0x98ba503c, 0x1674e3bf,
      0xcfb54a1a, 0xcec40a7f, 0x202189a4, 0xf38deeb8, 0x3cf3269d, 0x9244cee2, 0x7a4d941e,
      0x3ab54b8a, 0xbc39c7c2, 0xf940bc1b, 0x6a7771be, 0xc0713771, 0xa346f668, 0x7fe1dc1c,
      0x53e797f4, 0x06966825, 0xbbcca061,
      // dot products, funnel shifts, permutations, differences
      0x6908afe0, 0xae574b40, 0xdeb22d80, 0xa50dfec0, 0x8ada6d60, 0xe0353280, 0xb6fc7040,
      0xa7ebc700, 0x44dc62a0, 0x67f17fa0,
      // which of two
      0xbe5f3f80, 0x7b585f81, 0x0e36787b, 0x0226ca75};
  return hashes;
}

const char* const hashingKernel = R"(
#define L unsigned h=0,a=1,b=2,c=3;for(int j=0;j<9999;j++){a=a*1664525+1013904223;b=b*22695477+1;c=c*1103515245+12345;if(j%3==0)b=a+(b&0x30003)-0x10001;if(j%7==0)c&=63;
#define G }if(n>0)*o=h;o++;
#define U(F) {L h=h*31+__v##F##2(a);h=h*31+__v##F##4(a);G}
#define S(F) {L h=h*31+__v##F##2(a,b);h=h*31+__v##F##4(a,b);G}
#define C(F) S(cmp##F)S(set##F)
#define V(F) {L h=h*31+__vi##F(a,b,c);G}
#define T(F) {L h=h*31+F(a,b,c);h=h*31+F((int)a,(int)b,(int)c);G}
#define W(F) {L bool p,q=0;h=h*31+F;h=h*31+p+q+q;G}
extern "C" __global__ void k(unsigned* o, int n) {
U(abs)U(absss)U(neg)U(negss)S(absdiffs)S(absdiffu)S(add)S(addss)S(addus)S(avgs)S(avgu)S(haddu)S(maxs)S(maxu)S(mins)S(minu)S(sads)S(sadu)S(sub)S(subss)S(subus)
C(eq)C(ne)S(cmpges)S(setges)C(geu)C(gts)C(gtu)C(les)C(leu)C(lts)C(ltu)
V(max3_s32)V(min3_s32)V(max3_u32)V(min3_u32)V(addmax_s32)V(addmin_s32)V(addmax_u32)V(addmin_u32)V(max3_s32_relu)V(min3_s32_relu)V(addmax_s32_relu)V(addmin_s32_relu)V(max3_s16x2)V(min3_s16x2)V(max3_u16x2)V(min3_u16x2)V(addmax_s16x2)V(addmin_s16x2)V(addmax_u16x2)V(addmin_u16x2)V(max3_s16x2_relu)V(min3_s16x2_relu)V(addmax_s16x2_relu)V(addmin_s16x2_relu)
T(__dp4a)T(__dp2a_lo)T(__dp2a_hi)T(__funnelshift_l)T(__funnelshift_r)T(__funnelshift_lc)T(__funnelshift_rc)T(__byte_perm)T(__sad)T(__usad)
W(__vibmax_s32(a,b,&p))W(__vibmin_u32(a,b,&p))W(__vimax_s32_relu(a,p=b))W(__vimin_s16x2_relu(a,b+(p=0)))
})";

TEST(DeviceMath, PartsOfWordsAreThoseOfAGpu) {
  const auto kernel = compileText(hashingKernel);
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<unsigned> hashes(hashesOfAGpu().size());
  const auto profile = runOn(*kernel, hashes, 1, 1);
  ASSERT_TRUE(profile) << profile.error().message;
  for (std::size_t index = 0; index < hashes.size(); ++index)
    EXPECT_EQ(hashes[index], hashesOfAGpu()[index]) << "function number " << index;
}

/// Which of two halves is larger or smaller, as an H200 says.
TEST(DeviceMath, HalvesAndWhereTheyComeFrom) {
  const auto kernel = compileText(R"(extern "C" __global__ void k(unsigned* o, int n) {
    unsigned a[] = {0x00010002, 0x00020001, 0x80007fff, 0x00030003, 0xffff0000};
    unsigned b[] = {0x00020001, 0x00010002, 0x7fff8000, 0x00030003, 0x0000ffff};
    const int i = threadIdx.x;
    bool high, low;
    o[4 * i] = __vibmax_s16x2(a[i], b[i], &high, &low);
    o[4 * i + 1] = 2 * high + low;
    o[4 * i + 2] = __vibmin_u16x2(a[i], b[i], &high, &low);
    o[4 * i + 3] = 2 * high + low; })");
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<unsigned> found(20);
  ASSERT_TRUE(runOn(*kernel, found, 1, 5));
  const std::vector<unsigned> expected = {
      0x00020002, 1, 0x00010001, 2, 0x00020002, 2, 0x00010001, 1, 0x7fff7fff, 1,
      0x7fff7fff, 1, 0x00030003, 3, 0x00030003, 3, 0,          1, 0,          1};
  EXPECT_EQ(found, expected);
}

/// Runs `body` for each x and y, with `r` pointing at eight results.
template <class T>
std::vector<T> resultsOf(const std::string& type, const std::string& body,
                         const std::vector<std::pair<T, T>>& operands) {
  const auto kernel =
      compileText("extern \"C\" __global__ void k(" + type + "* a, int n) { int i = threadIdx.x; " +
                  type + "* r = a + 8 * i; " + type + " x = r[0], y = r[1];" + body + "}");
  EXPECT_TRUE(kernel) << kernel.error().message;
  std::vector<T> data(8 * operands.size());
  for (std::size_t i = 0; i < operands.size(); ++i)
    std::tie(data[8 * i], data[8 * i + 1]) = operands[i];
  EXPECT_TRUE(kernel && runOn(*kernel, data, 1, int(operands.size())));
  return data;
}

template <class T> bool isSame(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

template <class T> std::vector<std::pair<T, T>> pairs() {
  using Limits = std::numeric_limits<T>;
  const T numbers[] = {0,
                       1,
                       T(-2.5),
                       T(7.5),
                       100,
                       T(-1e5),
                       Limits::denorm_min(),
                       Limits::min(),
                       Limits::max(),
                       Limits::infinity(),
                       Limits::quiet_NaN()};
  std::vector<std::pair<T, T>> all;
  for (const T a : numbers)
    for (const T b : numbers) {
      all.emplace_back(a, b);
      all.emplace_back(-a, b);
    }
  return all;
}

template <class T> void expectPointerFunctions(const std::string& type, const std::string& f) {
  const auto operands = pairs<T>();
  const auto found = resultsOf<T>(type,
                                  "int e, q; r[2] = frexp" + f + "(x, &e); r[3] = e; r[5] = modf" +
                                      f + "(x, r + 4); r[6] = remquo" + f + "(x, y, &q); r[7] = q;",
                                  operands);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto [x, y] = operands[i];
    const T* r = &found[8 * i];
    int exponent = 0, quotient = 0;
    const T fraction = std::frexp(x, &exponent);
    T whole = 0;
    const T rest = std::modf(x, &whole);
    const T remainder = std::remquo(x, y, &quotient);
    const std::string what = fmt::format("{} {}, {}", type, x, y);
    EXPECT_TRUE(isSame(r[2], fraction)) << what;
    EXPECT_EQ(r[3], std::isfinite(x) ? exponent : 0) << what;
    EXPECT_TRUE(isSame(r[4], whole) && isSame(r[5], rest)) << what << ": " << r[4] << " " << r[5];
    EXPECT_TRUE(isSame(r[6], remainder)) << what << ": " << r[6];
    EXPECT_TRUE(std::isnan(remainder) || int(r[7]) % 8 == quotient % 8) << what;
  }
}

TEST(DeviceMath, ResultsThroughPointersAreThoseOfTheLibrary) {
  expectPointerFunctions<double>("double", "");
  expectPointerFunctions<float>("float", "f");
}

TEST(DeviceMath, NormsAndSinesOfTwoResults) {
  const auto doubles = resultsOf<double>(
      "double",
      "double v[3] = {x, y, x}; r[2] = norm(3, v); r[3] = rnorm(3, v); sincos(x, r + 4, r + 5); "
      "sincospi(x, r + 6, r + 7);",
      {{3, 4}, {1e300, 1e299}, {1e-300, -3e-301}, {INFINITY, NAN}, {0.25, 0}, {0, 0}});
  const auto norm = [](long double x, long double y) {
    return double(std::sqrt(2 * x * x + y * y));
  };
  EXPECT_DOUBLE_EQ(doubles[2], norm(3, 4));
  EXPECT_DOUBLE_EQ(doubles[8 + 2], norm(1e300, 1e299));
  EXPECT_DOUBLE_EQ(doubles[16 + 2], norm(1e-300, -3e-301));
  EXPECT_EQ(doubles[24 + 2], INFINITY);
  EXPECT_EQ(doubles[24 + 3], 0);
  EXPECT_EQ(doubles[40 + 2], 0);
  EXPECT_EQ(doubles[4], std::sin(3.0));
  EXPECT_EQ(doubles[5], std::cos(3.0));
  EXPECT_DOUBLE_EQ(doubles[32 + 6], std::sqrt(0.5));
  EXPECT_EQ(doubles[7], -1);
  const auto floats = resultsOf<float>(
      "float",
      "float v[3] = {x, y, x}; r[2] = normf(3, v); r[3] = rnormf(3, v); sincosf(x, r + 4, r + 5); "
      "__sincosf(x, r + 6, r + 7);",
      {{3, 4}, {1e30f, 1e29f}});
  EXPECT_FLOAT_EQ(floats[2], std::sqrt(34.0f));
  EXPECT_FLOAT_EQ(floats[8 + 2], float(norm(1e30f, 1e29f)));
  EXPECT_FLOAT_EQ(floats[4], std::sin(3.0f));
  EXPECT_FLOAT_EQ(floats[7], std::cos(3.0f));
}

/// Builtins become LLVM's own intrinsics, some with several overloaded types.
TEST(DeviceMath, BuiltinsOfClang) {
  const auto found = resultsOf<double>(
      "double",
      "r[2] = isnormal(x); r[3] = __builtin_ldexp(x, 3); r[4] = __builtin_powi(x, int(y)); "
      "r[5] = __builtin_lround(x); r[6] = __builtin_llrint(x); r[7] = __builtin_exp10(x);",
      {{2.5, 3}, {-0x1p-1040, 2}});
  const std::vector<double> expected = {2.5, 3, 1, 20, 15.625, 3, 2, std::pow(10.0, 2.5)};
  EXPECT_EQ(std::vector<double>(found.begin(), found.begin() + 8), expected);
  EXPECT_EQ(found[8 + 2], 0);
  EXPECT_EQ(found[8 + 3], -0x1p-1037);
}

} // namespace
} // namespace heddle::engine
