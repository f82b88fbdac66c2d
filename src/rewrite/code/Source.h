// SPDX-License-Identifier: Apache-2.0
//
// A CUDA file as clang reads it in the device pass, and its text; or a file that it includes, with
// the same tree. Rewrites look at the tree and edit the text, so that what they do not touch stays
// as it was written.
#pragma once

#include "frontend/CompilerFlags.h"
#include "rewrite/code/Edits.h"
#include "support/Error.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceLocation.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTUnit;
}

namespace heddle::rewrite {

class Source {
public:
  /// Needs a file that compiles.
  static Expected<std::unique_ptr<Source>> parse(const std::string& file, std::string text,
                                                 const frontend::CompilerFlags& flags,
                                                 bool useCache);
  /// The same file with another text; nothing where that does not compile.
  std::unique_ptr<Source> withText(std::string text) const;
  /// The same, read once for all who ask for this text one after another. It lives until another
  /// text is asked for. Not for several threads at once.
  const Source* withTextKept(const std::string& text) const;
  /// The files that it includes, directly or not, and that are written for a compiler of CUDA: a
  /// function of the device is defined there. Not those of the system.
  std::vector<std::unique_ptr<Source>> included() const;
  ~Source();
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }
  clang::FileID id() const { return id_; }
  /// This file and those it includes, but for what is precompiled.
  std::vector<std::filesystem::path> filesRead() const;
  clang::ASTContext& ast() const;

  /// Where the characters of a tree are. Nothing where they come from a macro or another file.
  std::optional<Range> rangeOf(clang::SourceRange range) const;
  /// A statement with its semicolon.
  std::optional<Range> rangeOf(const clang::Stmt& statement) const;
  /// The inside of a statement's braces, or the statement itself where it has none.
  std::optional<Range> insideOf(const clang::Stmt& statement) const;

  std::string textOf(Range range) const {
    return text_.substr(range.begin, range.end - range.begin);
  }
  std::string textOf(clang::SourceRange range) const;
  int lineOf(clang::SourceLocation location) const;
  int columnOf(clang::SourceLocation location) const;
  bool isHere(clang::SourceLocation location) const; ///< in this file, not in one it includes

  /// The blanks that its line begins with.
  std::string indentAt(std::size_t offset) const;
  std::size_t lineBegin(std::size_t offset) const;
  /// One level of indentation as this file has it.
  const std::string& indentUnit() const { return indentUnit_; }

  /// Edits that make an include known, if it is not: behind the last one in front of the functions.
  Edits include(const std::string& header) const;

private:
  Source(std::string file, std::string text);

  /// What the compiler was started with.
  struct Reading {
    std::string file, text; ///< the one that includes all others
    frontend::CompilerFlags flags;
    bool useCache = false;
  };
  /// With another text in the place of a file that it includes.
  static Expected<std::unique_ptr<Source>> read(const Reading& reading, const std::string& header,
                                                const std::string& text);
  std::size_t firstDefinition() const;

  std::string file_;
  std::string text_;
  std::shared_ptr<const Reading> reading_;
  std::string indentUnit_;
  std::shared_ptr<clang::ASTUnit> unit_;
  clang::FileID id_;
  mutable std::optional<std::string> keptText_;
  mutable std::unique_ptr<Source> kept_; ///< with that text; nothing where it does not compile
};

} // namespace heddle::rewrite
