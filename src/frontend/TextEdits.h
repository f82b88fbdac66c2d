// SPDX-License-Identifier: Apache-2.0
//
// Edits of a source by which clang understands it. Each function gets a text and a place that clang
// complains of, and returns no edits where it does not find there what it knows. None of them adds
// or removes a line.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::frontend {

/// Files of some editors begin with it; compilers take it nowhere else.
constexpr std::size_t sizeOfByteOrderMark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.starts_with(mark) ? mark.size() : 0;
}

struct TextEdit {
  std::size_t offset = 0;
  std::size_t length = 0; ///< of what goes
  std::string text;       ///< that comes in its place

  auto operator<=>(const TextEdit&) const = default;
};

/// nvcc takes `asm("mov.u32 %0, %laneid;" ...)`, which many write; clang wants `%%laneid`.
std::vector<TextEdit> asmEscapeEdits(const std::string& text, std::size_t offset);

/// nvcc takes `k << <g, b >> >(a)`; clang wants `k <<<g, b >>>(a)`. The place is that of a third
/// sign. No character moves but blanks.
std::vector<TextEdit> spacedLaunchEdits(const std::string& text, std::size_t offset);

/// All of them in a text, every other character in its place.
std::string withJoinedLaunches(std::string text);

/// A kernel that launches another: `k<T><<<g, b>>>(a)` becomes `__heddle_child<k<T>>(g, b)(a)`, a
/// function of heddle_launches.h. Clang lets device code name a kernel as a template argument only.
std::vector<TextEdit> deviceLaunchEdits(const std::string& text, std::size_t offset);

/// The same for a template whose arguments follow from the launch's: `k<<<g, b>>>(a)` is
/// `__heddle_deduced([](auto&&... x) { return __heddle_of_k(x...); }, g, b)(a)`. Where the launch
/// gives template arguments, or is a macro's that calls the kernel otherwise, as above.
std::vector<TextEdit> deducedLaunchEdits(const std::string& text, std::size_t offset,
                                         std::string_view kernel);

/// Before a kernel template, whose name is at the place: a function __heddle_of_k with its
/// parameters, which returns the kernel.
std::vector<TextEdit> kernelTwinEdits(const std::string& text, std::size_t offset);

/// `Pair(A, B) -> Pair<A, B>;` whose name is at the place: nvcc lets device code use a deduction
/// guide, clang 19 takes it for the host's unless it says otherwise.
std::vector<TextEdit> deductionGuideEdits(const std::string& text, std::size_t offset);

} // namespace heddle::frontend
