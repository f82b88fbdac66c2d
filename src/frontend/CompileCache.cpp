// SPDX-License-Identifier: Apache-2.0
#include "frontend/CompileCache.h"

#include "frontend/ContentHash.h"
#include "support/Files.h"
#include "support/Parse.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view entryHeading = "heddle cache entry 2";
constexpr mode_t onlyOurs = S_IRWXU;
constexpr const char* lockName = "lock";

/// Takes an entry apart: lines and blocks of bytes, until something does not fit.
class EntryReader {
public:
  explicit EntryReader(std::string_view text) : text_(text) {}

  std::optional<std::string_view> line() {
    const std::size_t end = text_.find('\n');
    if (end == std::string_view::npos)
      return {};
    const std::string_view result = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return result;
  }

  /// A number on a line of its own.
  std::optional<std::size_t> number() {
    const auto text = line();
    const auto value = text ? parseInteger(*text) : Expected<std::int64_t>(-1);
    return value && *value >= 0 ? std::optional(std::size_t(*value)) : std::nullopt;
  }

  /// Its size on a line, then the bytes.
  std::optional<std::string_view> block() {
    const auto size = number();
    if (!size || *size > text_.size())
      return {};
    const std::string_view result = text_.substr(0, *size);
    text_.remove_prefix(*size);
    return result;
  }

  std::string_view rest() const { return text_; }

private:
  std::string_view text_;
};

std::string checksum(std::string_view key, std::string_view body) {
  ContentHash hash;
  hash.add(key);
  hash.add(body);
  return hash.name();
}

/// What makes a folder unfit for what we run afterwards; empty: nothing, or it is not there yet.
std::string complaintOf(const fs::path& folder) {
  struct stat found = {};
  if (stat(folder.c_str(), &found) != 0)
    return "";
  if (!S_ISDIR(found.st_mode))
    return fmt::format("{} is no folder", folder.string());
  if (found.st_uid != geteuid())
    return fmt::format("{} belongs to another user", folder.string());
  if ((found.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return fmt::format("others can write to {} (mode {:o}); after 'chmod go-w' and 'heddle cache "
                       "clear' it is used",
                       folder.string(), found.st_mode & 07777U);
  return "";
}

/// Ours alone, whatever the umask says.
bool makeFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  return mkdir(folder.c_str(), onlyOurs) == 0 || fs::is_directory(folder, error);
}

/// Every file below a folder, then the folder. What is gone already is fine.
Expected<void> removeAll(const fs::path& folder) {
  std::error_code error, ignored;
  for (int i = 0; i < 3; ++i) { // others may add to it meanwhile
    fs::remove_all(folder, error);
    if (!error || !fs::exists(folder, ignored))
      return {};
  }
  if (error == std::errc::directory_not_empty)
    return {};
  return fail(ErrorKind::Io, "cannot remove {}: {}", folder.string(), error.message());
}

/// A line "HASH PATH": whether the file still has that content.
bool isCurrent(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos)
    return false;
  const auto content = readFile(fs::path(line.substr(space + 1)));
  return content && contentName(*content) == line.substr(0, space);
}

/// Nothing where a file is gone or newer than the compilation that read it.
std::optional<std::string> describe(const std::vector<fs::path>& dependencies,
                                    fs::file_time_type started) {
  std::string text = fmt::format("{}\n", dependencies.size());
  for (const fs::path& path : dependencies) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    const auto content = readFile(path);
    if (!content || error || fs::last_write_time(path, error) >= started || error)
      return {};
    text += fmt::format("{} {}\n", contentName(*content), absolute.string());
  }
  return text;
}

} // namespace

struct CompileCache::Entry {
  fs::path path;
  std::uintmax_t size = 0;
  fs::file_time_type used;
};

CompileCache::Place CompileCache::defaultPlace() {
  Place place;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    place.folder = fs::path(cache) / "heddle";
  else if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
    place.folder = fs::path(home) / ".cache" / "heddle";
  else
    return place;
  for (const char* part : {"", "entries", "headers"})
    if (place.complaint.empty())
      place.complaint = complaintOf(*part == '\0' ? place.folder : place.folder / part);
  return place;
}

std::optional<fs::path> CompileCache::defaultFolder() {
  Place place = defaultPlace();
  if (place.folder.empty() || !place.complaint.empty())
    return {};
  return std::move(place.folder);
}

std::optional<CachedResult> CompileCache::find(const std::string& key) const {
  const fs::path path = entryFolder() / key;
  const auto text = readFile(path);
  if (!text)
    return {};
  EntryReader reader(*text);
  if (reader.line() != entryHeading || reader.line() != key)
    return {};
  const auto sum = reader.line();
  if (!sum || checksum(key, reader.rest()) != *sum)
    return {};
  const auto count = reader.number();
  if (!count)
    return {};
  for (std::size_t i = 0; i < *count; ++i) {
    const auto line = reader.line();
    if (!line || !isCurrent(*line))
      return {};
  }
  const auto diagnostics = reader.block();
  const auto content = reader.block();
  if (!diagnostics || !content)
    return {};
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored); // used now
  return CachedResult{std::string(*content), std::string(*diagnostics)};
}

void CompileCache::store(const std::string& key, const CachedResult& result,
                         const std::vector<fs::path>& dependencies,
                         fs::file_time_type started) const {
  const auto description = describe(dependencies, started);
  if (!description || !makeFolder(folder_) || !makeFolder(entryFolder()))
    return;
  const std::string body = fmt::format("{}{}\n{}{}\n{}", *description, result.diagnostics.size(),
                                       result.diagnostics, result.content.size(), result.content);
  const std::string text =
      fmt::format("{}\n{}\n{}\n{}", entryHeading, key, checksum(key, body), body);
  if (!writeFile(entryFolder() / key, text))
    return;
  bytes_ += text.size();
  if (!counted_ || bytes_ > limit_)
    dropOldest();
}

std::vector<CompileCache::Entry> CompileCache::entries() const {
  std::vector<Entry> found;
  std::error_code error;
  for (auto at = fs::directory_iterator(entryFolder(), error);
       !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code gone; // another process may remove it meanwhile
    Entry entry{at->path(), at->file_size(gone), at->last_write_time(gone)};
    if (!gone)
      found.push_back(std::move(entry));
  }
  return found;
}

void CompileCache::dropOldest() const {
  std::vector<Entry> found = entries();
  counted_ = true;
  bytes_ = 0;
  for (const Entry& entry : found)
    bytes_ += entry.size;
  if (bytes_ <= limit_)
    return;
  std::ranges::sort(found, {}, &Entry::used);
  for (const Entry& entry : found) {
    if (bytes_ <= limit_ / 10 * 9) // some room, so that not every store has to make some
      return;
    std::error_code ignored;
    fs::remove(entry.path, ignored);
    bytes_ -= entry.size;
  }
}

CacheState CompileCache::state() const {
  CacheState state;
  for (const Entry& entry : entries()) {
    ++state.entries;
    state.bytes += entry.size;
  }
  return state;
}

Expected<void> CompileCache::clear() const {
  HEDDLE_CHECK(removeAll(entryFolder()));
  const int lock = open((folder_ / lockName).c_str(), O_RDWR | O_CLOEXEC);
  const bool unused = lock < 0 || flock(lock, LOCK_EX | LOCK_NB) == 0;
  Expected<void> removed;
  if (unused)
    removed = removeAll(folder_ / "headers");
  if (lock >= 0)
    close(lock);
  return removed;
}

CacheUse::CacheUse(const fs::path& folder) : lock_(-1) {
  if (!makeFolder(folder))
    return;
  lock_ = open((folder / lockName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock_ >= 0)
    flock(lock_, LOCK_SH);
}

CacheUse::~CacheUse() {
  if (lock_ >= 0)
    close(lock_);
}

std::vector<fs::path> parseDependencies(std::string_view makeRule) {
  std::vector<fs::path> paths;
  std::string word;
  const auto finish = [&] {
    if (!word.empty())
      paths.emplace_back(std::exchange(word, {}));
  };
  const std::size_t colon = makeRule.find(": ");
  std::string_view text = colon == std::string_view::npos ? "" : makeRule.substr(colon + 2);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    if (text[i] == '\\' && (next == ' ' || next == '#'))
      word += text[++i];
    else if (text[i] == '$' && next == '$')
      word += text[++i];
    else if (text[i] == '\\' && next == '\n')
      ++i;
    else if (text[i] == ' ' || text[i] == '\n')
      finish();
    else
      word += text[i];
  }
  finish();
  return paths;
}

} // namespace heddle::frontend
