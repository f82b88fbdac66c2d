// SPDX-License-Identifier: Apache-2.0
#include "frontend/Preprocess.h"

#include "frontend/NvccDevice.h"
#include "frontend/ProgramBuilder.h"

namespace heddle::frontend {
namespace {

/// A name in a rule: make parts them at blanks.
std::string ruleWord(const std::string& name) {
  std::string word;
  for (const char letter : name) {
    if (letter == ' ' || letter == '#')
      word += '\\';
    if (letter == '$')
      word += '$';
    word += letter;
  }
  return word;
}

} // namespace

Expected<PreprocessedSource> preprocess(const std::string& source,
                                        const PreprocessOptions& options) {
  HEDDLE_TRY(const Pass found, passOf(source, options.flags));
  const Pass pass = found == Pass::Device ? Pass::Host : found;
  HEDDLE_TRY(const Toolchain toolchain, Toolchain::open(true));
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  std::vector<std::string> command =
      toolchain.command(pass, hostFlagsWith(options.nvcc, options.flags), source);
  command.emplace_back("-E");
  HEDDLE_TRY(ClangRun run, ClangRun::start(std::move(command), folder.path() / "preprocessed"));
  HEDDLE_TRY(ClangResult result, run.finish());
  if (result.failed)
    return tl::unexpected(
        compileError(source + " does not compile", result.diagnostics, options.diagnostics));
  PreprocessedSource made{.text = std::move(result.content)};
  const std::string own = toolchain.libraryFolder().string() + "/";
  for (std::filesystem::path& file : result.dependencies)
    if (!file.string().starts_with(own))
      made.files.push_back(std::move(file));
  return made;
}

std::string makeRule(const std::vector<std::string>& targets,
                     const std::vector<std::filesystem::path>& files) {
  std::string rule;
  for (const std::string& target : targets)
    rule += (rule.empty() ? "" : " ") + ruleWord(target);
  rule += ":";
  for (const std::filesystem::path& file : files)
    rule += " \\\n  " + ruleWord(file.string());
  return rule + "\n";
}

} // namespace heddle::frontend
