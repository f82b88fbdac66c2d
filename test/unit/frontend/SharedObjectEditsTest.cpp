// SPDX-License-Identifier: Apache-2.0
#include "frontend/SharedObjectEdits.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::frontend {
namespace {

std::string withEdits(std::string text, std::vector<TextEdit> edits) {
  std::ranges::sort(edits);
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit)
    text.replace(edit->offset, edit->length, edit->text);
  return text;
}

/// What becomes of the body of a function whose variable `name` clang refuses.
std::string objectEdited(const std::string& body, const std::string& name) {
  const std::string head = "void f() { ", text = head + body;
  return withEdits(text, sharedObjectEdits(text, text.find(name))).substr(head.size());
}

std::string declared(const std::string& name, const std::string& before = "") {
  return " " + before + "__shared__ __heddle_shared<__heddle_t_" + name + ", alignof(__heddle_t_" +
         name + ")> __heddle_" + name + "; static auto& " + name + " = __heddle_" + name +
         ".object;";
}

TEST(SharedObjectEdits, ObjectsGoIntoAUnion) {
  EXPECT_EQ(objectEdited("__shared__ A<B, 2> xx;", "xx"),
            "typedef A<B, 2> __heddle_t_xx;" + declared("xx"));
  EXPECT_EQ(objectEdited("__shared__ T xx[n > 2][3],\n // one, more;\n *yy; int z;", "yy"),
            "typedef T __heddle_t_xx[n > 2][3],\n // one, more;\n *__heddle_t_yy;" +
                declared("xx") + declared("yy") + " int z;");
  EXPECT_EQ(objectEdited("T __shared__ xx /* it */;", "xx"),
            "T typedef __heddle_t_xx /* it */;" + declared("xx"));
  EXPECT_EQ(objectEdited("__shared__ struct { T a; int b; } xx;", "xx"),
            "typedef struct { T a; int b; } __heddle_t_xx;" + declared("xx"));
}

TEST(SharedObjectEdits, SpecifiersGoWhereTheyMay) {
  EXPECT_EQ(objectEdited("static __shared__ T xx;", "xx"),
            " typedef T __heddle_t_xx;" + declared("xx"));
  EXPECT_EQ(objectEdited("alignas(n * 2) static const __shared__ T xx;", "xx"),
            "  const typedef T __heddle_t_xx;" + declared("xx", "alignas(n * 2) "));
}

TEST(SharedObjectEdits, InitialValuesAndOthersStay) {
  for (const char* body :
       {"__shared__ T xx(1);", "__shared__ T xx{1};", "__shared__ T xx = T();", "T xx;",
        "__shared__ T y; T xx;", "__shared__ T xx", "__shared__ alignas(8) T xx;"})
    EXPECT_EQ(objectEdited(body, "xx"), body);
  const auto isLeft = [](const std::string& text) {
    return sharedObjectEdits(text, text.find("xx")).empty();
  };
  EXPECT_TRUE(isLeft("__shared__ T xx;"));
  EXPECT_TRUE(isLeft("namespace a { void f() {} __shared__ T xx; }"));
  EXPECT_FALSE(isLeft("namespace a { int n = 1'000; void f() { g(\"}\"); __shared__ T xx; } }"));
}

TEST(SharedObjectEdits, AlignmentComesFirst) {
  const auto aligned = [](const std::string& text) {
    return withEdits(text, sharedAlignmentEdits(text, text.find("alignas")));
  };
  EXPECT_EQ(aligned("int a; extern __shared__ alignas(f(2)) char x[];"),
            "int a; alignas(f(2)) extern __shared__  char x[];");
  for (const char* text : {"int alignas(8) x;", "__shared__ alignas", "__shared__ alignas(8 x;"})
    EXPECT_EQ(aligned(text), text);
}

} // namespace
} // namespace heddle::frontend
