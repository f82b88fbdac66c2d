// SPDX-License-Identifier: Apache-2.0
//
// One run of clang over one source file: started, and finished later, so that the passes of a file
// run side by side.
#pragma once

#include "frontend/Toolchain.h"
#include "support/Subprocess.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace heddle::frontend {

/// Where what the compiler prints goes.
struct Diagnostics {
  std::function<void(std::string_view)> print; ///< unset: errors are part of the error's message
  bool colored = false;

  /// The compiler's text as this place wants it.
  std::string styled(std::string text) const;
};

/// "k.cu does not compile", after its diagnostics were printed; they follow where nothing prints.
Error compileError(const std::string& what, const std::string& text, const Diagnostics& to);

/// Clang spells some errors otherwise where names come from a precompiled file, so a source that
/// does not compile is compiled again with the prelude included.
enum class Prelude { Precompiled, Included };

struct ClangResult {
  bool failed = false;
  std::string content;
  std::string diagnostics; ///< with colours
  std::vector<std::filesystem::path> dependencies;
  std::filesystem::file_time_type started;
  Prelude prelude = Prelude::Included;

  bool failedPrecompiled() const { return failed && prelude == Prelude::Precompiled; }
};

class ClangRun {
public:
  /// `folder` is ours and takes the results. `embedded`: a descriptor that a host pass reads the
  /// device code from.
  static Expected<ClangRun> start(const Toolchain& toolchain, Pass pass, const CompilerFlags& flags,
                                  const std::string& source, const std::filesystem::path& folder,
                                  Prelude prelude, std::optional<int> embedded = {});

  /// A command that writes into files whose names begin with `base`.
  static Expected<ClangRun> start(std::vector<std::string> command,
                                  const std::filesystem::path& base, std::optional<int> input = {});

  Expected<ClangResult> finish();

private:
  ClangRun(Subprocess process, std::filesystem::path base, std::filesystem::file_time_type started)
      : process_(std::move(process)), base_(std::move(base)), started_(started) {}

  std::filesystem::path file(const char* extension) const;

  Subprocess process_;
  std::filesystem::path base_; ///< of the result's, the log's and the dependencies' names
  std::filesystem::file_time_type started_;
  Prelude prelude_ = Prelude::Included; ///< as it was
};

} // namespace heddle::frontend
