// SPDX-License-Identifier: Apache-2.0
//
// clang, our CUDA headers on disk, and the flags of each pass: the one place that knows them.
// docs/design/compat.md says why each flag is there.
#pragma once

#include "frontend/CompileCache.h"
#include "frontend/CompilerFlags.h"
#include "support/Error.h"
#include "support/TemporaryFolder.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace heddle::frontend {

inline constexpr const char* compilerName = "clang++-19";

enum class Pass {
  Device,  ///< a .cu file to bitcode
  Host,    ///< a .cu file to an object that holds the device code
  PlainC,  ///< a C file to an object
  PlainCpp ///< a C++ file to an object
};

/// Whether a file is one of the headers that Heddle brings.
bool isOwnHeader(const std::filesystem::path& file);

class Toolchain {
public:
  /// Puts the headers where clang finds them: in the cache, or in a temporary folder where there is
  /// no cache, it cannot be written, or it is not wanted.
  static Expected<Toolchain> open(bool useCache);

  /// The command that compiles a source file; where the result goes is to be added.
  /// `prelude`: precompiled for the same pass and flags.
  std::vector<std::string> command(Pass pass, const CompilerFlags& flags, const std::string& source,
                                   const std::optional<std::filesystem::path>& prelude = {}) const;
  /// The command that precompiles the prelude of a CUDA pass.
  std::vector<std::string> preludeCommand(Pass pass, const CompilerFlags& flags) const;

  /// Names the result of a pass: the compiler, our headers, the flags, the folder, the source. The
  /// other files it includes are the cache's business. `embedded`: what it embeds.
  std::string key(Pass pass, const CompilerFlags& flags, const std::string& source,
                  std::string_view sourceText, std::string_view embedded) const;

  /// Of the headers that every CUDA source begins with.
  std::filesystem::path preludeFolder() const { return headers_ / "compat"; }

  /// What to put on the include path for `#include <heddle/...>`.
  const std::filesystem::path& libraryFolder() const { return headers_; }

  std::string preludeKey(Pass pass, const CompilerFlags& flags) const;

  const CompileCache* cache() const { return cache_ ? &*cache_ : nullptr; }

private:
  Toolchain() = default;

  std::filesystem::path headers_;
  std::optional<TemporaryFolder> ownHeaders_;
  std::optional<CompileCache> cache_;
  std::string identity_;
};

} // namespace heddle::frontend
