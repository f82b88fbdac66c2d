// SPDX-License-Identifier: Apache-2.0
//
//   1. "-DTILE={tile}" says that the parameter tile sets the macro TILE.
//   2. Points that differ in this parameter alone are preprocessed, until two differ.
//   3. Host code is all that is looked at. So where the macro's name is in a file that tells
//      device code apart, nothing is said.
#include "driver/SweepMacros.h"

#include "frontend/CompilerFlags.h"
#include "frontend/Preprocess.h"
#include "support/Files.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <span>

namespace heddle::driver {
namespace {

using sweep::Point;
using sweep::Row;

constexpr std::size_t mostCompared = 8; ///< points; what is equal so often counts as equal

struct SweptMacro {
  std::string name;
  std::string parameter;
};

// Step 1:
std::vector<SweptMacro> sweptMacros(const sweep::Spec& spec) {
  std::vector<SweptMacro> macros;
  for (std::size_t i = 0; i < spec.command.size() && spec.command[i] != "--"; ++i) {
    std::string word = spec.command[i];
    if (i > 0 && spec.command[i - 1] == "-D")
      word = "-D" + word;
    const std::size_t equals = word.find('='), brace = word.find('{');
    const std::size_t end = word.find('}');
    if (!word.starts_with("-D") || equals == std::string::npos || brace == std::string::npos ||
        brace < equals || end == std::string::npos || end < brace)
      continue;
    macros.push_back({word.substr(2, equals - 2), word.substr(brace + 1, end - brace - 1)});
  }
  return macros;
}

bool isWordPart(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

bool mentions(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !isWordPart(text[at - 1])) && (end == text.size() || !isWordPart(text[end])))
      return true;
  }
  return false;
}

bool isSource(const std::string& word) {
  return word.ends_with(".cu") || word.ends_with(".cpp") || word.ends_with(".cc") ||
         word.ends_with(".cxx") || word.ends_with(".c");
}

/// What the compiler sees of a point, in one text; nothing where it does not get that far.
std::optional<frontend::PreprocessedSource> preprocessed(const Point& point) {
  frontend::PreprocessOptions options{
      .flags = {}, .nvcc = {}, .diagnostics = {.print = [](std::string_view) {}}};
  std::vector<std::string> files;
  const std::span words(point.command);
  for (std::size_t at = 1; at < words.size() && words[at] != "--";) {
    const auto taken = frontend::takeCompilerFlag(words.subspan(at), options.flags);
    if (!taken)
      return std::nullopt;
    if (*taken == 0 && isSource(words[at]))
      files.push_back(words[at]);
    at += std::max<std::size_t>(*taken, 1);
  }
  frontend::PreprocessedSource all;
  for (const std::string& file : files) {
    auto one = frontend::preprocess(file, options);
    if (!one)
      return std::nullopt;
    all.text += one->text;
    all.files.insert(all.files.end(), one->files.begin(), one->files.end());
  }
  return all;
}

std::vector<const Point*> differingOnlyIn(const std::string& parameter,
                                          const std::vector<Point>& points) {
  std::vector<const Point*> result;
  Row rest;
  for (const Point& point : points) {
    if (!point.refusal.empty() || !point.inputs.contains(parameter))
      continue;
    Row others = point.inputs;
    others.erase(parameter);
    if (result.empty())
      rest = others;
    if (others == rest && result.size() < mostCompared)
      result.push_back(&point);
  }
  return result;
}

// Step 3:
bool isHidden(const std::vector<std::filesystem::path>& files, const std::string& name) {
  return std::ranges::any_of(files, [&](const std::filesystem::path& file) {
    const auto text = readFile(file);
    return text && mentions(*text, name) && mentions(*text, "__CUDA_ARCH__");
  });
}

// Step 2:
std::optional<std::string> idleText(const SweptMacro& macro, const std::vector<Point>& points) {
  const std::vector<const Point*> compared = differingOnlyIn(macro.parameter, points);
  if (compared.size() < 2)
    return std::nullopt;
  const auto first = preprocessed(*compared.front());
  if (!first || first->text.empty() || isHidden(first->files, macro.name))
    return std::nullopt;
  for (const Point* point : std::span(compared).subspan(1)) {
    const auto other = preprocessed(*point);
    if (!other || other->text != first->text)
      return std::nullopt;
  }
  const auto valueOf = [&](const Point* point) {
    return sweep::valueText(point->inputs[macro.parameter]);
  };
  return fmt::format("macro {} changes nothing: the sources read the same with {} and {}",
                     macro.name, valueOf(compared.front()), valueOf(compared.back()));
}

} // namespace

std::vector<std::string> idleMacros(const sweep::Spec& spec, const std::vector<Point>& points) {
  std::vector<std::string> texts;
  for (const SweptMacro& macro : sweptMacros(spec))
    if (auto text = idleText(macro, points))
      texts.push_back(std::move(*text));
  return texts;
}

} // namespace heddle::driver
