// SPDX-License-Identifier: Apache-2.0
#include "frontend/Toolchain.h"

#include "frontend/ContentHash.h"
#include "support/EmbeddedFile.h"
#include "support/Files.h"

#include <llvm/Support/Program.h>

#include <algorithm>
#include <span>
#include <system_error>

#include <unistd.h>

namespace heddle::frontend {

/// cuda/include, built into the program: `compat/` and the device library, `heddle/`.
std::span<const EmbeddedFile> embeddedHeaders();

namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

void append(Texts& to, const Texts& more) {
  to.insert(to.end(), more.begin(), more.end());
}

std::string headersName() {
  ContentHash hash;
  for (const EmbeddedFile& file : embeddedHeaders()) {
    hash.add(file.name);
    hash.add(file.text);
  }
  return hash.name();
}

Expected<void> writeHeaders(const fs::path& folder) {
  for (const EmbeddedFile& file : embeddedHeaders()) {
    std::error_code error;
    fs::create_directories((folder / file.name).parent_path(), error);
    HEDDLE_CHECK(writeFile(folder / file.name, file.text));
  }
  return {};
}

bool holdsHeaders(const fs::path& folder) {
  return std::ranges::all_of(embeddedHeaders(), [&](const EmbeddedFile& file) {
    std::error_code error;
    return fs::file_size(folder / file.name, error) == file.text.size() && !error;
  });
}

/// The folder of this version's headers, written by whoever comes first and renamed into place.
std::optional<fs::path> cachedHeaders(const fs::path& cache, const std::string& name) {
  const fs::path folder = cache / "headers" / name;
  if (holdsHeaders(folder))
    return folder;
  const fs::path fresh = fs::path(folder).concat(fmt::format(".{}.new", getpid()));
  std::error_code error;
  if (writeHeaders(fresh))
    fs::rename(fresh, folder, error);
  fs::remove_all(fresh, error);
  return holdsHeaders(folder) ? std::optional(folder) : std::nullopt;
}

/// Which clang this is, without running it: its file, size and date.
std::string compilerIdentity() {
  const auto found = llvm::sys::findProgramByName(compilerName);
  std::error_code error;
  const fs::path path = found ? fs::canonical(*found, error) : fs::path();
  const std::uintmax_t size = fs::file_size(path, error);
  const auto date = fs::last_write_time(path, error).time_since_epoch().count();
  return fmt::format("{} {} {}", path.string(), size, date);
}

constexpr const char* preludeName = "heddle_prelude.h";

const Texts cudaFlags = {"-x",
                         "cuda",
                         "--cuda-gpu-arch=sm_90",
                         "-nocudainc",
                         "-nocudalib",
                         "--cuda-path=/nonexistent",
                         "-Xclang",
                         "-target-sdk-version=12.5",
                         "-fdeclspec"};

/// Clang may start a loop's counter with the value of the switch around it instead of the constant
/// which that value has there, and then neither knows the loop's length nor unrolls it. nvcc does.
/// Line tables for profiling say how often a loop was unrolled.
const Texts deviceFlags = {"--cuda-device-only",
                           "-Xclang",
                           "-target-feature",
                           "-Xclang",
                           "+ptx85",
                           "-Xclang",
                           "-no-enable-noundef-analysis",
                           "-mllvm",
                           "-forward-switch-cond=false",
                           "-gline-tables-only",
                           "-Xclang",
                           "-fdebug-info-for-profiling",
                           "-emit-llvm"};

/// Warnings that speak of nvcc's habits rather than of bugs.
const Texts quietFlags = {"-Wno-unused", "-Wno-unused-result", "-Wno-unused-command-line-argument",
                          "-Wno-unknown-warning-option", "-fdiagnostics-color=always"};

std::string levelFlag(const CompilerFlags& flags) {
  return "-O" + (flags.level.empty() ? "2" : flags.level);
}

Texts passFlags(Pass pass, const CompilerFlags& flags) {
  Texts result = pass == Pass::PlainC     ? Texts{"-x", "c"}
                 : pass == Pass::PlainCpp ? Texts{"-x", "c++"}
                                          : cudaFlags;
  if (pass == Pass::Device)
    append(result, deviceFlags);
  if (pass == Pass::Host)
    result.emplace_back("--cuda-host-only");
  if (pass != Pass::PlainC)
    result.push_back("-std=" + flags.standard);
  result.push_back(levelFlag(flags));
  append(result, quietFlags);
  append(result, flags.common);
  append(result, pass == Pass::Device ? flags.device : flags.host);
  result.emplace_back("-c");
  return result;
}

} // namespace

bool isOwnHeader(const fs::path& file) {
  return std::ranges::any_of(embeddedHeaders(), [&](const EmbeddedFile& header) {
    if (file.filename() != fs::path(header.name).filename())
      return false;
    const auto text = readFile(file);
    return text && *text == header.text;
  });
}

Expected<Toolchain> Toolchain::open(bool useCache) {
  Toolchain result;
  const std::string name = headersName();
  result.identity_ = fmt::format("{} {} {}", HEDDLE_VERSION, name, compilerIdentity());
  const auto folder = useCache ? CompileCache::defaultFolder() : std::nullopt;
  const auto headers = folder ? cachedHeaders(*folder, name) : std::nullopt;
  if (headers) {
    result.headers_ = *headers;
    result.cache_.emplace(*folder);
    return result;
  }
  HEDDLE_TRY(TemporaryFolder own, TemporaryFolder::make());
  HEDDLE_CHECK(writeHeaders(own.path()));
  result.headers_ = own.path();
  result.ownHeaders_.emplace(std::move(own));
  return result;
}

Texts Toolchain::command(Pass pass, const CompilerFlags& flags, const std::string& source,
                         const std::optional<fs::path>& prelude) const {
  Texts words = {compilerName, "-I", preludeFolder().string()};
  if (prelude)
    append(words, {"-include-pch", prelude->string()});
  else if (pass == Pass::Device || pass == Pass::Host)
    append(words, {"-include", preludeName});
  append(words, passFlags(pass, flags));
  append(words, {"-I", headers_.string()}); // last: a program may bring its own device library
  words.push_back(source);
  return words;
}

/// Its headers are told by content, so their dates are left out of it.
Texts Toolchain::preludeCommand(Pass pass, const CompilerFlags& flags) const {
  Texts words = {compilerName, "-I", preludeFolder().string()};
  append(words, passFlags(pass, flags));
  append(words, {"-Xclang", "-emit-pch", "-Xclang", "-fno-pch-timestamp"});
  words.push_back((preludeFolder() / preludeName).string());
  return words;
}

/// The folder matters only to folders that are named relative to it.
std::string Toolchain::preludeKey(Pass pass, const CompilerFlags& flags) const {
  ContentHash hash;
  hash.add("prelude");
  hash.add(identity_);
  hash.add(preludeFolder().string());
  for (const std::string& flag : passFlags(pass, flags))
    hash.add(flag);
  std::error_code error;
  hash.add(flags.common.empty() ? "" : fs::current_path(error).string());
  return hash.name();
}

std::string Toolchain::key(Pass pass, const CompilerFlags& flags, const std::string& source,
                           std::string_view sourceText, std::string_view embedded) const {
  ContentHash hash;
  hash.add(identity_);
  for (const std::string& flag : passFlags(pass, flags))
    hash.add(flag);
  std::error_code error; // line tables hold the folder and the path as it was given
  hash.add(fs::current_path(error).string());
  hash.add(source);
  hash.add(sourceText);
  hash.add(embedded);
  return hash.name();
}

} // namespace heddle::frontend
