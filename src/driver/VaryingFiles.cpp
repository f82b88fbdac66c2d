// SPDX-License-Identifier: Apache-2.0
#include "driver/VaryingFiles.h"

#include "support/Files.h"

#include <fmt/format.h>
#include <llvm/Support/JSON.h>

#include <algorithm>
#include <fstream>
#include <ranges>
#include <system_error>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t longestText = std::uintmax_t{64} << 20;
constexpr std::size_t pieceBytes = std::size_t{1} << 20;

/// Where two files part, and what they hold there; of a file that ends there, nothing.
struct Parting {
  std::uint64_t byte = 0;
  std::optional<int> before, after;
};

std::optional<int> byteAt(const std::string& piece, std::size_t at, std::size_t size) {
  return at < size ? std::optional<int>(static_cast<unsigned char>(piece[at])) : std::nullopt;
}

/// Nothing: they are equal.
Expected<std::optional<Parting>> part(const fs::path& before, const fs::path& after) {
  std::ifstream first(before, std::ios::binary), second(after, std::ios::binary);
  if (!first || !second)
    return fail(ErrorKind::Io, "cannot read {}", (first ? after : before).string());
  std::string one(pieceBytes, 0), other(pieceBytes, 0);
  for (std::uint64_t done = 0;; done += pieceBytes) {
    first.read(one.data(), pieceBytes);
    second.read(other.data(), pieceBytes);
    const auto size = std::size_t(first.gcount()), size2 = std::size_t(second.gcount());
    const std::size_t both = std::min(size, size2);
    const auto differs =
        std::mismatch(one.begin(), one.begin() + std::ptrdiff_t(both), other.begin());
    const auto at = std::size_t(differs.first - one.begin());
    if (at < both || size != size2)
      return Parting{done + at, byteAt(one, at, size), byteAt(other, at, size2)};
    if (both < pieceBytes)
      return std::nullopt;
  }
}

/// Characters, no control codes but those of lines and terminals.
bool isText(const std::string& content) {
  const auto isControl = [](char letter) {
    const auto code = static_cast<unsigned char>(letter);
    return (code < 0x20 && (code < 7 || code > 13) && code != 0x1b) || code == 0x7f;
  };
  return std::ranges::none_of(content, isControl) && llvm::json::isUTF8(content);
}

struct FilePair {
  std::string before, after;
};

/// Nothing: one of them is no text.
Expected<std::optional<FilePair>> readTexts(const fs::path& before, const fs::path& after) {
  std::error_code error;
  if (fs::file_size(before, error) > longestText || fs::file_size(after, error) > longestText)
    return std::nullopt;
  FilePair texts;
  HEDDLE_TRY(texts.before, readFile(before));
  HEDDLE_TRY(texts.after, readFile(after));
  return isText(texts.before) && isText(texts.after) ? std::optional(std::move(texts))
                                                     : std::nullopt;
}

std::string partingText(const std::string& name, const Parting& parting) {
  const std::string place = fmt::format("file {}: byte {}", name, parting.byte);
  if (parting.before && parting.after)
    return fmt::format("{} was {} and is {}", place, *parting.before, *parting.after);
  return fmt::format("file {} {} after byte {}", name, parting.before ? "ends now" : "goes on now",
                     parting.byte);
}

/// One run removed it and the other did not.
std::string changeText(const std::string& name, bool wasRemoved) {
  return wasRemoved ? fmt::format("file {} was removed and is written", name)
                    : fmt::format("file {} was written and is removed", name);
}

} // namespace

Expected<void> VaryingFiles::learn(const profile::WrittenFiles& first,
                                   const profile::WrittenFiles& second) {
  for (const auto& name : second | std::views::keys)
    if (!first.contains(name))
      sometimes_.insert(name);
  for (const auto& [name, copy] : first) {
    const auto found = second.find(name);
    if (found == second.end() || copy.empty() != found->second.empty()) {
      sometimes_.insert(name);
      continue;
    }
    if (copy.empty() || whole_.contains(name))
      continue;
    HEDDLE_TRY(const auto parting, part(copy, found->second));
    if (!parting)
      continue;
    HEDDLE_TRY(const auto texts, readTexts(copy, found->second));
    if (texts)
      texts_[name].learn(texts->before, texts->after);
    else
      whole_.insert(name);
  }
  return {};
}

Expected<std::optional<std::string>> VaryingFiles::difference(const profile::WrittenFiles& before,
                                                              const profile::WrittenFiles& after,
                                                              double tolerance) const {
  for (const auto& [name, copy] : before) {
    if (whole_.contains(name) || sometimes_.contains(name))
      continue;
    const auto found = after.find(name);
    if (found == after.end())
      return fmt::format("file {} is not {} any more", name, copy.empty() ? "removed" : "written");
    if (copy.empty() != found->second.empty())
      return changeText(name, copy.empty());
    if (copy.empty())
      continue;
    HEDDLE_TRY(const auto parting, part(copy, found->second));
    if (!parting)
      continue;
    HEDDLE_TRY(const auto texts, readTexts(copy, found->second));
    if (!texts)
      return partingText(name, *parting);
    const auto known = texts_.find(name);
    const VaryingText& varying = known == texts_.end() ? VaryingText{} : known->second;
    if (const auto line = varying.difference(texts->before, texts->after, tolerance, ""))
      return fmt::format("file {}: {}", name, *line);
  }
  for (const auto& [name, copy] : after)
    if (!before.contains(name) && sometimes_.empty()) // else its name may differ in each run
      return fmt::format("file {} was not {} before", name, copy.empty() ? "removed" : "written");
  return std::nullopt;
}

std::vector<std::string> VaryingFiles::setAside() const {
  std::map<std::string, std::vector<std::string>> byName;
  for (const auto& [name, varying] : texts_)
    byName[name] = varying.setAside();
  for (const std::string& name : whole_)
    byName[name] = {"all of it"};
  for (const std::string& name : sometimes_)
    byName[name] = {"not every run writes it"};
  std::vector<std::string> all;
  for (const auto& [name, parts] : byName)
    for (const std::string& part : parts)
      all.push_back(fmt::format("file {}: {}", name, part));
  return all;
}

} // namespace heddle::driver
