// SPDX-License-Identifier: Apache-2.0
#include "frontend/TextEdits.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::frontend {
namespace {

std::string edited(std::string text, std::vector<TextEdit> edits) {
  std::ranges::sort(edits);
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
    text.replace(edit->offset, edit->length, edit->text);
  return text;
}

std::string launch(const std::string& text, std::size_t offset = 0) {
  return edited(text, deviceLaunchEdits(text, offset));
}

TEST(TextEdits, LaunchBecomesCall) {
  EXPECT_EQ(launch("k<<<1, 2>>>(v);"), "__heddle_child<k>(1, 2)(v);");
  EXPECT_EQ(launch("k<T> <<<g(a >> 1), b[3], 0, s>>> (v);"),
            "__heddle_child<k<T> >(g(a >> 1), b[3], 0, s) (v);");
  EXPECT_EQ(launch("if (x) a::b<c, d>::template k<1><<<1, 2>>>(v);", 26),
            "if (x) __heddle_child<a::b<c, d>::template k<1>>(1, 2)(v);");
  EXPECT_EQ(launch("else ::k<<<1, 1>>>();", 5), "else __heddle_child<::k>(1, 1)();");
  EXPECT_EQ(launch("(k)<<<1, 1>>>();"), "__heddle_child<(k)>(1, 1)();");
  EXPECT_EQ(launch("k<<<\n  1, /* >>> */ f(\">>>\")>>>(v);"),
            "__heddle_child<k>(\n  1, /* >>> */ f(\">>>\"))(v);");
}

TEST(TextEdits, OtherTextStays) {
  for (const char* text : {"k(v);", "k(v); k<<<1, 1>>>(v);", "k<<<1, 1", "x = <<<1, 1>>>(v);", ""})
    EXPECT_TRUE(deviceLaunchEdits(text, 0).empty()) << text;
  EXPECT_TRUE(asmEscapeEdits("asm(\"mov\");", 6).empty());
}

TEST(TextEdits, DeducedLaunchAsksTheTwin) {
  const auto deduced = [](const std::string& text, const char* kernel) {
    return edited(text, deducedLaunchEdits(text, 0, kernel));
  };
  EXPECT_EQ(deduced("k<<<1, 2>>>(v);", "k"),
            "__heddle_deduced([](auto&&... heddle_x) { return __heddle_of_k(heddle_x...); }, 1, "
            "2)(v);");
  EXPECT_EQ(deduced("a::k<<<1, 2>>>(v);", "k"),
            "__heddle_deduced([](auto&&... heddle_x) { return a::__heddle_of_k(heddle_x...); }, 1, "
            "2)(v);");
  EXPECT_EQ(deduced("k<int><<<1, 2>>>(v);", "k"), "__heddle_child<k<int>>(1, 2)(v);");
  EXPECT_EQ(deduced("name<<<1, 2>>>(v);", "k"), "__heddle_child<name>(1, 2)(v);"); // of a macro
}

TEST(TextEdits, DeductionGuideIsForBothSides) {
  const auto guide = [](const std::string& text) {
    return edited(text, deductionGuideEdits(text, text.find("Two")));
  };
  EXPECT_EQ(guide("template <class A> Two(A, int (*)(A)) -> Two<A>;"),
            "template <class A> __host__ __device__ Two(A, int (*)(A)) -> Two<A>;");
  EXPECT_EQ(guide("explicit Two (int)\n  -> Two<int>;"),
            "explicit __host__ __device__ Two (int)\n  -> Two<int>;");
  for (const char* text : {"Two(int a) : a(a) {}", "struct Two { int a; };", "Two(", "Two"})
    EXPECT_TRUE(deductionGuideEdits(text, 0).empty()) << text;
}

TEST(TextEdits, KernelTemplateGetsATwin) {
  const std::string text = "int x;\ntemplate <class T, int n = 4, class... Ts> // a comment\n"
                           "static __global__ void k(T* v, int d = f(1, 2),\n Ts... more) {}\n";
  const std::vector<TextEdit> edits = kernelTwinEdits(text, text.find("k("));
  ASSERT_EQ(edits.size(), 1U);
  EXPECT_EQ(edits[0].offset, text.find("template"));
  EXPECT_EQ(
      edits[0].text,
      "template <class T, int n , class... Ts>    static __global__ void k(T* v, int d ,  Ts... "
      "more); template <class T, int n = 4, class... Ts> __host__ __device__ auto "
      "__heddle_of_k(T* v, int d ,  Ts... more) { return __heddle_kernel<k<T, n, "
      "Ts...>>::value; } ");
  const std::string once = edited(text, edits);
  EXPECT_TRUE(kernelTwinEdits(once, once.rfind("k(")).empty()); // it has one
  const std::string plain = "template <class T> void f() {}\n__global__ void k(int* v) {}\n";
  EXPECT_TRUE(kernelTwinEdits(plain, plain.find("k(")).empty());
}

} // namespace
} // namespace heddle::frontend
