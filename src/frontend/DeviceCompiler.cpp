// SPDX-License-Identifier: Apache-2.0
#include "frontend/DeviceCompiler.h"

#include "frontend/MendedSources.h"
#include "frontend/NvccDevice.h"
#include "support/Files.h"

namespace heddle::frontend {

Expected<std::string> compileDevice(const std::string& sourceFile, const CompileOptions& options) {
  HEDDLE_TRY(const std::string text, readFile(sourceFile)); // our own words for a missing file
  HEDDLE_TRY(const Toolchain toolchain, Toolchain::open(options.useCache));
  const CompileCache* cache = toolchain.cache();
  const bool byNvcc = !options.nvcc.empty();
  const std::string key = toolchain.key(Pass::Device, options.flags, sourceFile, text,
                                        byNvcc ? nvccIdentity(options.nvcc, options.flags) : "");
  const auto show = [&](const std::string& diagnostics) {
    if (options.diagnostics.print && !diagnostics.empty())
      options.diagnostics.print(options.diagnostics.styled(diagnostics));
  };
  if (const auto found = cache != nullptr ? cache->find(key) : std::nullopt) {
    show(found->diagnostics);
    return found->content;
  }
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  MendedSources mended(folder.path());
  const auto compile = [&](Prelude prelude) -> Expected<ClangResult> {
    if (byNvcc) {
      HEDDLE_TRY(ClangRun run,
                 ClangRun::start(nvccCommand(options.nvcc, toolchain, options.flags, sourceFile),
                                 folder.path() / "device"));
      return run.finish();
    }
    HEDDLE_TRY(ClangRun run, ClangRun::start(toolchain, Pass::Device, mended.applied(options.flags),
                                             sourceFile, folder.path(), prelude));
    return run.finish();
  };
  HEDDLE_TRY(ClangResult result, compile(Prelude::Precompiled));
  if (result.failedPrecompiled()) {
    HEDDLE_TRY(result, compile(Prelude::Included));
  }
  while (result.failed && mended.mend(result.diagnostics)) {
    HEDDLE_TRY(result, compile(Prelude::Included));
  }
  if (result.failed)
    return tl::unexpected(
        compileError(sourceFile + " does not compile", result.diagnostics, options.diagnostics));
  if (byNvcc)
    result.content = ptxOfNvcc(std::move(result.content), options.flags);
  show(result.diagnostics);
  if (cache != nullptr)
    cache->store(key, {result.content, result.diagnostics}, result.dependencies, result.started);
  return std::move(result.content);
}

} // namespace heddle::frontend
