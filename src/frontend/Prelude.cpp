// SPDX-License-Identifier: Apache-2.0
#include "frontend/Prelude.h"

#include "frontend/ClangRun.h"
#include "support/Files.h"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

/// Whether other sources will have these flags, too. Macros often change from run to run.
bool areShared(const CompilerFlags& flags) {
  for (std::size_t i = 0; i + 1 < flags.common.size(); i += 2)
    if (flags.common[i] != "-I" && flags.common[i] != "-iquote")
      return false;
  return true;
}

/// Nothing where clang has something to say, which each source would have to say again.
std::optional<std::string> precompile(const Toolchain& toolchain, Pass pass,
                                      const CompilerFlags& flags, const std::string& key,
                                      const fs::path& base) {
  auto run = ClangRun::start(toolchain.preludeCommand(pass, flags), base);
  if (!run)
    return {};
  auto result = run->finish();
  if (!result || result->failed || !result->diagnostics.empty())
    return {};
  toolchain.cache()->store(key, {result->content, ""}, result->dependencies, result->started);
  return std::move(result->content);
}

} // namespace

std::optional<fs::path> precompiledPrelude(const Toolchain& toolchain, Pass pass,
                                           const CompilerFlags& flags, const fs::path& folder) {
  const bool isCuda = pass == Pass::Device || pass == Pass::Host;
  if (toolchain.cache() == nullptr || !isCuda || !areShared(flags))
    return {};
  const std::string key = toolchain.preludeKey(pass, flags);
  const fs::path base = folder / (pass == Pass::Device ? "device-prelude" : "host-prelude");
  const auto found = toolchain.cache()->find(key);
  const auto content =
      found ? std::optional(found->content) : precompile(toolchain, pass, flags, key, base);
  const fs::path file = fs::path(base).concat(".pch");
  if (!content || !writeFile(file, *content))
    return {};
  return file;
}

} // namespace heddle::frontend
