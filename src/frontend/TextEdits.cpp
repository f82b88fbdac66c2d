// SPDX-License-Identifier: Apache-2.0
#include "frontend/TextEdits.h"

#include "frontend/TextScan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <string_view>

namespace heddle::frontend {
namespace {

constexpr std::string_view open = "<<<", close = ">>>";

/// `a::b<c>::template k<T><<<...>>>`, by offsets.
struct LaunchText {
  std::size_t begin = 0; ///< of the callee
  std::size_t name = 0;  ///< of its last name
  bool hasArguments = false;
  std::size_t open = 0, close = 0; ///< of the signs
};

/// Reads the callee that ends at `end`, from its end.
bool readCallee(std::string_view text, std::size_t end, LaunchText& launch) {
  end = backOverBlanks(text, end);
  if (end > 0 && text[end - 1] == ')') {
    const auto begin = backOverBrackets(text, end, '(', ')');
    launch.begin = launch.name = begin.value_or(0);
    return begin.has_value();
  }
  launch.hasArguments = end > 0 && text[end - 1] == '>';
  for (bool isLast = true;; isLast = false) {
    if (end > 0 && text[end - 1] == '>') {
      const auto bracket = backOverBrackets(text, end, '<', '>');
      if (!bracket)
        return false;
      end = backOverBlanks(text, *bracket);
    }
    launch.begin = backOverName(text, end);
    if (launch.begin == end)
      return false;
    launch.name = isLast ? launch.begin : launch.name;
    std::size_t before = backOverBlanks(text, launch.begin);
    constexpr std::string_view keyword = "template";
    if (text.substr(0, before).ends_with(keyword))
      before = backOverBlanks(text, before - keyword.size());
    if (!text.substr(0, before).ends_with("::"))
      return true;
    launch.begin = before - 2;
    end = launch.begin; // a blank would stand behind a keyword: `else ::k`
    if (end == 0 || (!isOfName(text[end - 1]) && text[end - 1] != '>'))
      return true; // of the global namespace
  }
}

std::optional<LaunchText> launchAt(std::string_view text, std::size_t offset) {
  LaunchText launch;
  launch.open = findOutside(text, offset, open);
  if (launch.open == notFound)
    return std::nullopt;
  launch.close = findOutside(text, launch.open + open.size(), close);
  if (launch.close == notFound || !readCallee(text, launch.open, launch))
    return std::nullopt;
  return launch;
}

std::vector<TextEdit> namedLaunch(const LaunchText& launch) {
  return {{launch.begin, 0, "__heddle_child<"},
          {launch.open, open.size(), ">("},
          {launch.close, close.size(), ")"}};
}

std::string_view withoutDefault(std::string_view parameter) {
  return parameter.substr(0, findOutside(parameter, 0, "="));
}

std::string withoutDefaults(const std::vector<std::string>& parameters) {
  std::string list;
  for (const std::string& parameter : parameters)
    list += fmt::format("{}{}", list.empty() ? "" : ",", withoutDefault(parameter));
  return list;
}

/// `T` of `class T = int`, `Ts...` of `class... Ts`.
std::string nameOfParameter(const std::string& parameter) {
  const std::string_view plain = withoutDefault(parameter);
  const std::size_t end = backOverBlanks(plain, plain.size()), begin = backOverName(plain, end);
  const bool isPack = plain.find("...") != notFound;
  return std::string(plain.substr(begin, end - begin)) + (isPack ? "..." : "");
}

/// Where the template begins whose function has its name at an offset.
std::optional<std::size_t> templateBefore(std::string_view text, std::size_t name) {
  constexpr std::string_view keyword = "template";
  const std::size_t begin = text.rfind(keyword, name);
  if (begin == notFound)
    return std::nullopt;
  const std::size_t head = text.find_first_not_of(" \t\n", begin + keyword.size());
  if (head == notFound || text[head] != '<')
    return std::nullopt;
  const auto behind = behindBrackets(text, head);
  const bool isItsOwn = behind && *behind <= name &&
                        text.substr(*behind, name - *behind).find_first_of(";{}") == notFound;
  return isItsOwn ? std::optional(begin) : std::nullopt;
}

} // namespace

std::vector<TextEdit> asmEscapeEdits(const std::string& text, std::size_t offset) {
  // Clang names the letter at which it gave up, one or two behind the sign.
  const std::size_t sign = text.rfind('%', offset);
  if (sign == std::string::npos || sign + 2 < offset)
    return {};
  return {{sign, 0, "%"}};
}

std::vector<TextEdit> spacedLaunchEdits(const std::string& text, std::size_t offset) {
  const std::size_t end = backOverBlanks(text, offset);
  const std::string_view signs = text[offset] == '<' ? open : close;
  if (text[offset] != signs.front() || end == offset || end < 2 ||
      text.compare(end - 2, 2, signs.substr(1)) != 0)
    return {};
  return {{end - 2, offset + 3 - end, std::string(signs) + std::string(offset - end, ' ')}};
}

std::string withJoinedLaunches(std::string text) {
  for (const char sign : {'<', '>'}) {
    const std::string pair(2, sign);
    for (std::size_t at = text.find(pair); at != std::string::npos; at = text.find(pair, at + 1)) {
      const std::size_t third = text.find_first_not_of(" \t", at + 2);
      if (third != std::string::npos && third > at + 2 && text[third] == sign)
        std::swap(text[at + 2], text[third]);
    }
  }
  return text;
}

std::vector<TextEdit> deviceLaunchEdits(const std::string& text, std::size_t offset) {
  const auto launch = launchAt(text, offset);
  return launch ? namedLaunch(*launch) : std::vector<TextEdit>();
}

std::vector<TextEdit> deducedLaunchEdits(const std::string& text, std::size_t offset,
                                         std::string_view kernel) {
  const auto launch = launchAt(text, offset);
  if (!launch)
    return {};
  const std::size_t name = launch->name;
  const bool isItself =
      text.compare(name, kernel.size(), kernel) == 0 && !isOfName(text[name + kernel.size()]);
  if (launch->hasArguments || !isItself)
    return namedLaunch(*launch);
  const std::string before = "__heddle_deduced([](auto&&... heddle_x) { return ";
  const std::string call = "(heddle_x...); }, ", twin = "__heddle_of_";
  if (launch->begin == launch->name)
    return {{launch->begin, 0, before + twin},
            {launch->open, open.size(), call},
            {launch->close, close.size(), ")"}};
  return {{launch->begin, 0, before},
          {launch->name, 0, twin},
          {launch->open, open.size(), call},
          {launch->close, close.size(), ")"}};
}

std::vector<TextEdit> kernelTwinEdits(const std::string& text, std::size_t offset) {
  std::size_t end = offset;
  while (end < text.size() && isOfName(text[end]))
    ++end;
  const std::string name = text.substr(offset, end - offset);
  const std::size_t list = text.find_first_not_of(" \t\n", end);
  const auto begin = templateBefore(text, offset);
  if (name.empty() || !begin || list == notFound || text[list] != '(' ||
      text.find(fmt::format("__heddle_of_{}(", name)) < offset)
    return {};
  const auto behindList = behindBrackets(text, list);
  const std::size_t head = text.find('<', *begin);
  const auto behindHead = behindBrackets(text, head);
  if (!behindList || !behindHead)
    return {};
  const auto inside = [&](std::size_t from, std::size_t to) {
    return onOneLine(std::string_view(text).substr(from + 1, to - from - 2));
  };
  const std::string parameters = inside(head, *behindHead);
  const std::vector<std::string> each = splitOutside(parameters);
  const std::string arguments = withoutDefaults(splitOutside(inside(list, *behindList)));
  std::vector<std::string> names;
  for (const std::string& parameter : each)
    names.push_back(nameOfParameter(parameter));
  return {
      {*begin, 0,
       fmt::format("template <{}> {}{}({}); template <{}> __host__ __device__ auto "
                   "__heddle_of_{}({}) {{ return __heddle_kernel<{}<{}>>::value; }} ",
                   withoutDefaults(each), onOneLine(text.substr(*behindHead, offset - *behindHead)),
                   name, arguments, parameters, name, arguments, name, fmt::join(names, ", "))}};
}

std::vector<TextEdit> deductionGuideEdits(const std::string& text, std::size_t offset) {
  std::size_t at = offset;
  const auto skip = [&](auto isPart) {
    while (at < text.size() && isPart(text[at]))
      ++at;
  };
  const auto isBlank = [](char letter) {
    return letter == ' ' || letter == '\t' || letter == '\n';
  };
  skip(isOfName);
  skip(isBlank);
  if (at == offset || at >= text.size() || text[at] != '(')
    return {};
  const auto behind = behindBrackets(text, at);
  at = behind.value_or(text.size());
  skip(isBlank);
  if (text.compare(at, 2, "->") != 0)
    return {};
  return {{offset, 0, "__host__ __device__ "}};
}

} // namespace heddle::frontend
