// SPDX-License-Identifier: Apache-2.0
#include "frontend/AsmEscapes.h"

#include "frontend/ClangRun.h"
#include "support/Files.h"
#include "support/Parse.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <regex>
#include <set>
#include <system_error>
#include <vector>

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

struct AsmPlace {
  fs::path file;
  std::size_t line = 0, column = 0; ///< from 1

  auto operator<=>(const AsmPlace&) const = default;
};

/// The error's own place, and those of the macros it comes from.
using AsmPlaces = std::vector<AsmPlace>;

std::vector<AsmPlaces> complaints(const std::string& diagnostics) {
  static const std::regex headline(
      "^([^:\n]+):([0-9]+):([0-9]+): (error|warning|note|fatal error): ([^\n]*)$",
      std::regex::multiline);
  std::vector<AsmPlaces> found;
  bool follows = false;
  for (auto at = std::sregex_iterator(diagnostics.begin(), diagnostics.end(), headline);
       at != std::sregex_iterator(); ++at) {
    const std::string kind = (*at)[4], text = (*at)[5];
    if (kind != "note") {
      follows = text.starts_with("invalid % escape in inline assembly string");
      if (follows)
        found.emplace_back();
    }
    std::error_code error;
    if (follows)
      found.back().push_back(
          {fs::absolute((*at)[1].str(), error), std::stoul((*at)[2]), std::stoul((*at)[3])});
  }
  return found;
}

/// Of the sign that a place means: clang names the letter at which it gave up, one or two behind.
std::optional<std::size_t> signAt(const std::string& text, const AsmPlace& place) {
  std::size_t at = 0;
  for (std::size_t line = 1; line < place.line && at != std::string::npos; ++line) {
    at = text.find('\n', at);
    at += at == std::string::npos ? 0 : 1;
  }
  if (at == std::string::npos || at + place.column - 1 >= text.size())
    return std::nullopt;
  const std::size_t sign = text.rfind('%', at + place.column - 1);
  const bool isNear = sign != std::string::npos && sign + 3 >= at + place.column;
  return isNear ? std::optional(sign) : std::nullopt;
}

} // namespace

bool AsmEscapes::mend(const std::string& diagnostics, CompilerFlags& flags) {
  std::map<fs::path, std::set<std::size_t>> places; // of signs to double
  for (const AsmPlaces& complaint : complaints(Diagnostics{}.styled(diagnostics))) {
    bool understood = false;
    for (const AsmPlace& place : complaint) {
      if (!texts_.contains(place.file)) {
        const auto text = readFile(place.file);
        if (!text)
          continue;
        texts_[place.file] = *text;
      }
      const auto sign = signAt(texts_[place.file], place);
      if (understood || !sign)
        continue;
      places[place.file].insert(*sign);
      understood = true;
    }
    if (!understood)
      return false;
  }
  for (const auto& [file, offsets] : places)
    for (auto offset = offsets.rbegin(); offset != offsets.rend(); ++offset)
      texts_[file].insert(*offset, 1, '%');
  return !places.empty() && writeOverlay(flags);
}

bool AsmEscapes::writeOverlay(CompilerFlags& flags) {
  nlohmann::json files = nlohmann::json::array();
  for (const auto& [file, text] : texts_) {
    const fs::path copy = folder_ / fmt::format("escaped-{}", files.size());
    if (!writeFile(copy, text))
      return false;
    files.push_back(
        {{"type", "file"}, {"name", file.string()}, {"external-contents", copy.string()}});
  }
  const fs::path overlay = folder_ / "escaped.json";
  const nlohmann::json document = {{"version", 0}, {"use-external-names", false}, {"roots", files}};
  if (!writeFile(overlay, document.dump()))
    return false;
  const bool known = std::ranges::find(flags.device, "-ivfsoverlay") != flags.device.end();
  if (!known)
    flags.device.insert(flags.device.end(), {"-ivfsoverlay", overlay.string()});
  return true;
}

} // namespace heddle::frontend
