// SPDX-License-Identifier: Apache-2.0
#include "frontend/Toolchain.h"

#include "frontend/ContentHash.h"
#include "support/EmbeddedFile.h"
#include "support/Files.h"

#include <llvm/Support/Program.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <mutex>
#include <span>
#include <system_error>

namespace heddle::frontend {

/// cuda/include, built into the program: `compat/`, the device library, `heddle/`, and what
/// programs around NVIDIA's samples expect.
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

bool isThere(const fs::path& folder, const EmbeddedFile& file) {
  const auto text = readFile(folder / file.name);
  return text && *text == file.text;
}

/// Those that are missing or differ: another process may write the same at the same time.
Expected<void> writeHeaders(const fs::path& folder) {
  for (const EmbeddedFile& file : embeddedHeaders()) {
    if (isThere(folder, file))
      continue;
    std::error_code error;
    fs::create_directories((folder / file.name).parent_path(), error);
    HEDDLE_CHECK(writeFile(folder / file.name, file.text));
  }
  return {};
}

/// Until this process ends: what it compiles reads them at any time.
void keepHeaders(const fs::path& folder) {
  static std::mutex mutex;
  static std::map<fs::path, CacheUse> uses;
  const std::lock_guard lock(mutex);
  uses.try_emplace(folder, folder);
}

/// What is in the way of the cache is said once, and then there is none.
std::optional<fs::path> usableCache() {
  const CompileCache::Place place = CompileCache::defaultPlace();
  static std::once_flag once;
  if (!place.complaint.empty())
    std::call_once(once, [&] {
      const std::string text =
          fmt::format("heddle: warning: the cache is not used: {}\n", place.complaint);
      std::fwrite(text.data(), 1, text.size(), stderr);
    });
  return CompileCache::defaultFolder();
}

/// Which clang this is, without running it: its file, size and date.
std::string compilerIdentity() {
  const auto found = llvm::sys::findProgramByName(compilerName);
  return fileIdentity(found ? fs::path(*found) : fs::path());
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
                         "-fdeclspec",
                         "-Xclang",
                         "-fcuda-allow-variadic-functions"}; // as nvcc does

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
const Texts quietFlags = {"-Wno-narrowing",
                          "-Wno-register",
                          "-Wno-reserved-user-defined-literal",
                          "-Wno-unused",
                          "-Wno-unused-result",
                          "-Wno-unused-command-line-argument",
                          "-Wno-unknown-warning-option",
                          "-Wno-pass-failed",
                          "-fdiagnostics-color=always"};

/// What gcc 12, the host compiler of most programs, only warns of.
const Texts plainCFlags = {"-x",
                           "c",
                           "-Wno-error=implicit-function-declaration",
                           "-Wno-error=implicit-int",
                           "-Wno-error=int-conversion",
                           "-Wno-error=incompatible-function-pointer-types"};

std::string levelFlag(const CompilerFlags& flags) {
  return "-O" + (flags.level.empty() ? "2" : flags.level);
}

Texts passFlags(Pass pass, const CompilerFlags& flags) {
  Texts result = pass == Pass::PlainC     ? plainCFlags
                 : pass == Pass::PlainCpp ? Texts{"-x", "c++"}
                                          : cudaFlags;
  if (pass == Pass::Device)
    append(result, deviceFlags);
  if (pass == Pass::Host)
    result.emplace_back("--cuda-host-only");
  if (pass != Pass::Device)
    result.emplace_back("-gline-tables-only"); // which line called the runtime library
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
  if (const auto folder = useCache ? usableCache() : std::nullopt) {
    keepHeaders(*folder);
    result.headers_ = *folder / "headers" / name;
    if (writeHeaders(result.headers_)) {
      result.cache_.emplace(*folder);
      return result;
    }
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
