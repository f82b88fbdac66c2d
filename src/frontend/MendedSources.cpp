// SPDX-License-Identifier: Apache-2.0
#include "frontend/MendedSources.h"

#include "frontend/ClangRun.h"
#include "frontend/SharedObjectEdits.h"
#include "frontend/TextEdits.h"
#include "support/Files.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <set>
#include <system_error>
#include <vector>

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

struct SourcePlace {
  fs::path file;
  std::size_t line = 0, column = 0; ///< from 1
  std::string message;
};

enum class ComplaintKind {
  AsmEscape,
  SpacedLaunch,
  DeviceLaunch,
  DeducedLaunch,
  DeducedClass,
  SharedObject,
  SharedAlignment
};

struct Mendable {
  std::string_view begin; ///< of clang's message
  ComplaintKind kind;
};

constexpr std::array mendable = {
    Mendable{"invalid % escape in inline assembly string", ComplaintKind::AsmEscape},
    Mendable{"expected expression", ComplaintKind::SpacedLaunch},
    Mendable{"reference to __global__ function", ComplaintKind::DeviceLaunch},
    Mendable{"no matching function for call to", ComplaintKind::DeducedLaunch},
    Mendable{"no viable constructor or deduction guide", ComplaintKind::DeducedClass},
    Mendable{"initialization is not supported for __shared__ variables",
             ComplaintKind::SharedObject},
    Mendable{"no matching constructor for initialization of", ComplaintKind::SharedObject},
    Mendable{"reference to __device__ function", ComplaintKind::SharedObject},
    Mendable{"an attribute list cannot appear here", ComplaintKind::SharedAlignment},
    Mendable{"'alignas' attribute cannot be applied to types", ComplaintKind::SharedAlignment},
};

/// The error's own place, and those of the notes that follow: macros it comes from, candidates.
struct Complaint {
  ComplaintKind kind;
  std::vector<SourcePlace> places;
};

/// Of a candidate that clang did not take: a kernel, because device code asked for it.
bool isKernelOfDevice(const SourcePlace& place) {
  return place.message.find("not viable: call to __global__ function") != std::string::npos;
}

/// The same of a function of the host.
bool isHostsOfDevice(const SourcePlace& place) {
  return place.message.find("not viable: call to __host__ function") != std::string::npos;
}

/// Calls without a match are the program's own fault, unless it is a kernel that is called.
bool isMendable(const Complaint& complaint) {
  return complaint.kind != ComplaintKind::DeducedLaunch ||
         std::ranges::any_of(complaint.places, isKernelOfDevice);
}

/// The name in the first quotes of an error.
std::string_view nameIn(std::string_view message) {
  const std::size_t begin = message.find('\'') + 1;
  return message.substr(begin, message.find('\'', begin) - begin);
}

std::vector<TextEdit> editsFor(const Complaint& complaint, const std::string& text,
                               std::size_t offset) {
  switch (complaint.kind) {
  case ComplaintKind::AsmEscape:
    return asmEscapeEdits(text, offset);
  case ComplaintKind::SpacedLaunch:
    return spacedLaunchEdits(text, offset);
  case ComplaintKind::DeviceLaunch:
    return deviceLaunchEdits(text, offset);
  case ComplaintKind::DeducedClass:
    return deductionGuideEdits(text, offset);
  case ComplaintKind::SharedObject:
    return sharedObjectEdits(text, offset);
  case ComplaintKind::SharedAlignment:
    return sharedAlignmentEdits(text, offset);
  case ComplaintKind::DeducedLaunch:
    break;
  }
  return deducedLaunchEdits(text, offset, nameIn(complaint.places.front().message));
}

std::vector<Complaint> complaintsOf(const std::string& diagnostics) {
  static const std::regex headline(
      "^([^:\n]+):([0-9]+):([0-9]+): (error|warning|note|fatal error): ([^\n]*)$",
      std::regex::multiline);
  std::vector<Complaint> found;
  bool follows = false;
  for (auto at = std::sregex_iterator(diagnostics.begin(), diagnostics.end(), headline);
       at != std::sregex_iterator(); ++at) {
    const std::string kind = (*at)[4], text = (*at)[5];
    if (kind != "note") {
      const auto* known = std::ranges::find_if(
          mendable, [&](const Mendable& each) { return text.starts_with(each.begin); });
      follows = known != mendable.end();
      if (follows)
        found.push_back({known->kind, {}});
    }
    std::error_code error;
    if (follows)
      found.back().places.push_back(
          {fs::absolute((*at)[1].str(), error), std::stoul((*at)[2]), std::stoul((*at)[3]), text});
  }
  for (Complaint& each : found)
    if (each.kind == ComplaintKind::DeducedClass) // other candidates are not to be touched
      std::erase_if(each.places, [](const SourcePlace& place) { return !isHostsOfDevice(place); });
  std::erase_if(found, [](const Complaint& each) { return !isMendable(each); });
  return found;
}

std::optional<std::size_t> offsetOf(const std::string& text, const SourcePlace& place) {
  std::size_t at = 0;
  for (std::size_t line = 1; line < place.line && at != std::string::npos; ++line) {
    at = text.find('\n', at);
    at += at == std::string::npos ? 0 : 1;
  }
  if (at == std::string::npos || at + place.column - 1 >= text.size())
    return std::nullopt;
  return at + place.column - 1;
}

/// Template arguments that are deduced (heddle_launches.h) need it.
void raiseStandard(CompilerFlags& flags) {
  for (const char* old : {"11", "14", "0x", "1y"})
    if (flags.standard.ends_with(old))
      flags.standard = "c++17";
}

} // namespace

const std::string* MendedSources::textOf(const fs::path& file) {
  if (!texts_.contains(file)) {
    auto text = readFile(file);
    if (!text)
      return nullptr;
    texts_[file] = *std::move(text);
  }
  return &texts_[file];
}

bool MendedSources::mend(const std::string& diagnostics) {
  std::map<fs::path, std::set<TextEdit>> edits; // the same place is named for each of its errors
  const auto editAt = [&](const SourcePlace& place, auto find) {
    const std::string* text = textOf(place.file);
    const auto offset = text != nullptr ? offsetOf(*text, place) : std::nullopt;
    const std::vector<TextEdit> found = offset ? find(*text, *offset) : std::vector<TextEdit>();
    edits[place.file].insert(found.begin(), found.end());
    return !found.empty();
  };
  const std::string plain = Diagnostics{}.styled(diagnostics);
  for (const Complaint& complaint : complaintsOf(plain)) {
    const bool isMended = std::ranges::any_of(complaint.places, [&](const SourcePlace& place) {
      return editAt(place, [&](const std::string& text, std::size_t offset) {
        return editsFor(complaint, text, offset);
      });
    });
    hasLaunches_ |= isMended && (complaint.kind == ComplaintKind::DeviceLaunch ||
                                 complaint.kind == ComplaintKind::DeducedLaunch);
    if (isMended && complaint.kind == ComplaintKind::DeducedLaunch)
      for (const SourcePlace& place : complaint.places)
        if (isKernelOfDevice(place))
          editAt(place, kernelTwinEdits);
  }
  std::erase_if(edits, [](const auto& file) { return file.second.empty(); });
  for (const auto& [file, ofFile] : edits)
    for (auto edit = ofFile.rbegin(); edit != ofFile.rend(); ++edit)
      texts_[file].replace(edit->offset, edit->length, edit->text);
  const bool needsHeader =
      !hasReferences_ && plain.find("no template named 'texture'") != std::string::npos;
  hasReferences_ |= needsHeader;
  return edits.empty() ? needsHeader : writeOverlay();
}

bool MendedSources::writeOverlay() {
  nlohmann::json files = nlohmann::json::array();
  for (const auto& [file, text] : texts_) {
    const fs::path copy = folder_ / fmt::format("mended-{}", files.size());
    if (!writeFile(copy, text))
      return false;
    files.push_back(
        {{"type", "file"}, {"name", file.string()}, {"external-contents", copy.string()}});
  }
  overlay_ = folder_ / "mended.json";
  const nlohmann::json document = {{"version", 0}, {"use-external-names", false}, {"roots", files}};
  return writeFile(overlay_, document.dump()).has_value();
}

CompilerFlags MendedSources::applied(CompilerFlags flags) const {
  if (hasReferences_)
    flags.common.insert(flags.common.end(), {"-include", "heddle_texture_references.h"});
  if (overlay_.empty())
    return flags;
  flags.common.insert(flags.common.end(), {"-ivfsoverlay", overlay_.string()});
  if (hasLaunches_)
    raiseStandard(flags);
  return flags;
}

} // namespace heddle::frontend
