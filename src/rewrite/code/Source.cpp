// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/Source.h"

#include "frontend/Prelude.h"
#include "frontend/TextEdits.h"
#include "rewrite/code/TreeVisitor.h"
#include "support/TemporaryFolder.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticAST.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/ASTUnit.h>
#include <clang/Lex/Lexer.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/Program.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>

namespace heddle::rewrite {
namespace {

/// The difference that most lines have to the line before them, where they are indented further.
std::string findIndentUnit(const std::string& text) {
  std::map<std::string, int> counts;
  std::string last;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t first = std::min(text.find_first_not_of(" \t", at), end);
    const std::string indent = text.substr(at, first - at);
    if (first < end) {
      if (indent.size() > last.size() && indent.starts_with(last))
        ++counts[indent.substr(last.size())];
      last = indent;
    }
    at = end + 1;
  }
  std::string best = "  ";
  int most = 0;
  for (const auto& [unit, count] : counts)
    if (count > most && unit.size() <= 8) {
      best = unit;
      most = count;
    }
  return best;
}

/// The command of the device pass, without what only a compiler needs: its own name, the source.
std::vector<std::string> readingFlags(std::vector<std::string> command) {
  command.erase(command.begin());
  command.pop_back();
  command.emplace_back("-fsyntax-only");
  command.emplace_back("-w");
  return command;
}

/// Visitors pass over what the system and the prelude declare, which is nine tenths of the tree.
void leaveOutHeaders(clang::ASTContext& ast, const std::filesystem::path& prelude) {
  const clang::SourceManager& files = ast.getSourceManager();
  std::vector<clang::Decl*> rest;
  for (clang::Decl* each : ast.getTranslationUnitDecl()->noload_decls()) {
    const clang::SourceLocation begin = files.getExpansionLoc(each->getBeginLoc());
    if (begin.isValid() && !files.isInSystemHeader(begin) &&
        !files.getFilename(begin).starts_with(prelude.string()))
      rest.push_back(each);
  }
  ast.setTraversalScope(rest);
}

/// Those with a body, but for the system's.
class DeviceFunctions final : public TreeVisitor {
public:
  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (function->doesThisDeclarationHaveABody() &&
        (function->hasAttr<clang::CUDAGlobalAttr>() || function->hasAttr<clang::CUDADeviceAttr>()))
      found.push_back(function);
    return true;
  }
  std::vector<const clang::FunctionDecl*> found;
};

std::vector<const clang::FunctionDecl*> deviceFunctions(clang::ASTContext& ast) {
  DeviceFunctions functions;
  functions.TraverseDecl(ast.getTranslationUnitDecl());
  return std::move(functions.found);
}

/// Keeps quiet, and notes what nvcc reads and clang does not.
class NotReadByClang : public clang::DiagnosticConsumer {
public:
  void HandleDiagnostic(clang::DiagnosticsEngine::Level,
                        const clang::Diagnostic& diagnostic) override {
    const std::string what = whatIs(diagnostic);
    if (what_.empty() && !what.empty()) {
      line_ = diagnostic.getSourceManager().getExpansionLineNumber(diagnostic.getLocation());
      what_ = what;
    }
  }

  /// What the first of them is, after its line; empty for none.
  std::string first() const {
    return what_.empty() ? "" : fmt::format("{}: cannot be read for a rewrite: {}", line_, what_);
  }

private:
  static std::string whatIs(const clang::Diagnostic& diagnostic) {
    if (diagnostic.getID() == clang::diag::err_asm_invalid_escape)
      return "write special registers in inline PTX with two signs, as in %%laneid, which nvcc "
             "takes, too";
    return isLaunch(diagnostic) ? "kernels that launch kernels are run, but not rewritten" : "";
  }

  /// A kernel, or what a launch pushes its shape with, named in device code.
  static bool isLaunch(const clang::Diagnostic& diagnostic) {
    constexpr unsigned named = 2;
    if (diagnostic.getID() != clang::diag::err_ref_bad_target ||
        diagnostic.getArgKind(named) != clang::DiagnosticsEngine::ak_nameddecl)
      return false;
    const auto* declaration =
        reinterpret_cast<const clang::NamedDecl*>(diagnostic.getRawArg(named));
    return declaration->hasAttr<clang::CUDAGlobalAttr>() ||
           declaration->getNameAsString() == "__cudaPushCallConfiguration";
  }

  unsigned line_ = 0;
  std::string what_;
};

/// Where a file takes one more include: behind the last one in front of its functions that no
/// condition encloses but the guard of a header, else in front of the first code.
class IncludePlace {
public:
  explicit IncludePlace(std::size_t begin) : place_(begin) {}

  void take(const std::string& line, std::string_view behind, std::size_t end) {
    const bool isGuard = !found_ && depth_ == 0 && isGuardLine(line, behind);
    outer_ += isGuard ? 1 : 0;
    depth_ += line.starts_with("#if") ? 1 : line.starts_with("#endif") ? -1 : 0;
    if (isOuter() && line.starts_with("#include")) {
      place_ = end;
      found_ = true;
    } else if (!found_ && (isComment(line) || line.empty() || isGuard || line == guard_ ||
                           line.starts_with("#pragma once"))) {
      place_ = end;
    } else if (!found_ && !line.starts_with("#")) {
      final_ = true;
    }
  }

  bool isOuter() const { return depth_ == outer_; }
  bool isFinal() const { return final_; }
  bool foundInclude() const { return found_; }
  std::size_t place() const { return place_; }

private:
  /// `#ifndef NAME` in front of `#define NAME`.
  bool isGuardLine(const std::string& line, std::string_view behind) {
    constexpr std::string_view test = "#ifndef ";
    if (!line.starts_with(test))
      return false;
    guard_ = std::string(behind.substr(0, behind.find('\n')));
    return guard_.starts_with("#define " + line.substr(test.size()));
  }

  bool isComment(const std::string& line) {
    const bool begins = line.starts_with("/*");
    const bool inside = inComment_ || begins;
    inComment_ = inside && line.find("*/", begins ? 2 : 0) == std::string::npos;
    return inside || line.starts_with("//");
  }

  std::size_t place_;
  int depth_ = 0, outer_ = 0;
  bool found_ = false, final_ = false, inComment_ = false;
  std::string guard_; ///< the second line of the last one that was looked at
};

} // namespace

Source::Source(std::string file, std::string text)
    : file_(std::move(file)), text_(std::move(text)), indentUnit_(findIndentUnit(text_)) {}
Source::~Source() = default;

Expected<std::unique_ptr<Source>> Source::parse(const std::string& file, std::string text,
                                                const frontend::CompilerFlags& flags,
                                                bool useCache) {
  return read({file, std::move(text), flags, useCache}, "", "");
}

Expected<std::unique_ptr<Source>> Source::read(const Reading& reading, const std::string& header,
                                               const std::string& text) {
  const std::string& file = reading.file;
  HEDDLE_TRY(const frontend::Toolchain toolchain, frontend::Toolchain::open(reading.useCache));
  std::unique_ptr<Source> source(new Source(file, reading.text));
  const auto compiler = llvm::sys::findProgramByName(frontend::compilerName);
  std::error_code error; // clang looks for its own headers beside the program itself
  const std::string tool =
      compiler ? std::filesystem::canonical(*compiler, error).string() : frontend::compilerName;
  HEDDLE_TRY(const TemporaryFolder folder, TemporaryFolder::make());
  const std::vector<std::string> command =
      toolchain.command(frontend::Pass::Device, reading.flags, file,
                        frontend::precompiledPrelude(toolchain, frontend::Pass::Device,
                                                     reading.flags, folder.path()));
  NotReadByClang notRead;
  clang::tooling::FileContentMappings changed;
  if (!header.empty())
    changed.emplace_back(header, frontend::withJoinedLaunches(text));
  source->unit_ = clang::tooling::buildASTFromCodeWithArgs(
      frontend::withJoinedLaunches(source->text_), readingFlags(command), file, tool,
      std::make_shared<clang::PCHContainerOperations>(),
      clang::tooling::getClangStripDependencyFileAdjuster(), changed, &notRead);
  if (const std::string first = notRead.first(); !first.empty())
    return fail(ErrorKind::BadInput, "{}:{}", file, first);
  if (source->unit_ == nullptr || source->unit_->getDiagnostics().hasUncompilableErrorOccurred())
    return fail(ErrorKind::BadInput, "{} cannot be read for a rewrite; does it compile?", file);
  leaveOutHeaders(source->ast(), toolchain.preludeFolder());
  source->id_ = source->ast().getSourceManager().getMainFileID();
  source->reading_ = std::make_shared<const Reading>(reading);
  return source;
}

std::unique_ptr<Source> Source::withText(std::string text) const {
  if (id_ == ast().getSourceManager().getMainFileID()) {
    Reading reading = *reading_;
    reading.text = std::move(text);
    auto parsed = read(reading, "", "");
    return parsed ? *std::move(parsed) : nullptr;
  }
  const auto parsed = read(*reading_, file_, text);
  if (!parsed)
    return nullptr;
  for (std::unique_ptr<Source>& each : (*parsed)->included())
    if (each->file_ == file_)
      return std::move(each);
  return nullptr;
}

const Source* Source::withTextKept(const std::string& text) const {
  if (keptText_ != text) {
    kept_.reset(); // two trees at a time are enough
    kept_ = withText(text);
    keptText_ = text;
  }
  return kept_.get();
}

std::vector<std::unique_ptr<Source>> Source::included() const {
  const clang::SourceManager& files = ast().getSourceManager();
  std::vector<std::unique_ptr<Source>> found;
  std::set<clang::FileID> known = {files.getMainFileID()};
  for (const clang::FunctionDecl* function : deviceFunctions(ast())) {
    const clang::FileID id = files.getFileID(files.getExpansionLoc(function->getLocation()));
    const auto entry = files.getFileEntryRefForID(id);
    if (!entry || !known.insert(id).second)
      continue;
    std::unique_ptr<Source> file(
        new Source(std::filesystem::path(entry->getName().str()).lexically_normal().string(),
                   files.getBufferData(id).str()));
    file->unit_ = unit_;
    file->reading_ = reading_;
    file->id_ = id;
    found.push_back(std::move(file));
  }
  return found;
}

clang::ASTContext& Source::ast() const {
  return unit_->getASTContext();
}

std::vector<std::filesystem::path> Source::filesRead() const {
  const clang::SourceManager& files = ast().getSourceManager();
  std::vector<std::filesystem::path> paths;
  std::for_each(files.fileinfo_begin(), files.fileinfo_end(),
                [&](const auto& file) { paths.emplace_back(file.first.getName().str()); });
  return paths;
}

bool Source::isHere(clang::SourceLocation location) const {
  const clang::SourceManager& files = ast().getSourceManager();
  return location.isValid() && files.getFileID(files.getExpansionLoc(location)) == id_;
}

std::optional<Range> Source::rangeOf(clang::SourceRange range) const {
  const clang::SourceManager& files = ast().getSourceManager();
  const clang::CharSourceRange found = clang::Lexer::makeFileCharRange(
      clang::CharSourceRange::getTokenRange(range), files, ast().getLangOpts());
  if (found.isInvalid() || files.getFileID(found.getBegin()) != id_)
    return std::nullopt;
  return Range{files.getFileOffset(found.getBegin()), files.getFileOffset(found.getEnd())};
}

std::optional<Range> Source::rangeOf(const clang::Stmt& statement) const {
  auto range = rangeOf(statement.getSourceRange());
  if (!range)
    return range;
  const std::size_t next = text_.find_first_not_of(" \t\n", range->end);
  if (next != std::string::npos && text_[next] == ';' && text_[range->end - 1] != '}' &&
      text_[range->end - 1] != ';')
    range->end = next + 1;
  return range;
}

std::optional<Range> Source::insideOf(const clang::Stmt& statement) const {
  const auto range = rangeOf(statement);
  if (!range || !llvm::isa<clang::CompoundStmt>(statement))
    return range;
  return Range{range->begin + 1, range->end - 1};
}

std::string Source::textOf(clang::SourceRange range) const {
  const auto found = rangeOf(range);
  return found ? textOf(*found) : "";
}

int Source::lineOf(clang::SourceLocation location) const {
  return int(ast().getSourceManager().getExpansionLineNumber(location));
}

int Source::columnOf(clang::SourceLocation location) const {
  return int(ast().getSourceManager().getExpansionColumnNumber(location));
}

std::size_t Source::lineBegin(std::size_t offset) const {
  const std::size_t before = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
  return before == std::string::npos ? 0 : before + 1;
}

std::string Source::indentAt(std::size_t offset) const {
  const std::size_t begin = lineBegin(offset);
  return text_.substr(begin, std::min(text_.find_first_not_of(" \t", begin), text_.size()) - begin);
}

/// Where the first function, class or namespace of the file begins.
std::size_t Source::firstDefinition() const {
  std::size_t first = text_.size();
  for (const clang::Decl* each : ast().getTranslationUnitDecl()->decls()) {
    if (!llvm::isa<clang::FunctionDecl, clang::FunctionTemplateDecl, clang::NamespaceDecl,
                   clang::LinkageSpecDecl, clang::TagDecl, clang::ClassTemplateDecl>(each))
      continue;
    const auto [file, offset] =
        ast().getSourceManager().getDecomposedExpansionLoc(each->getBeginLoc());
    if (file == id_)
      first = std::min<std::size_t>(first, offset);
  }
  return first;
}

Edits Source::include(const std::string& header) const {
  const std::size_t begin = frontend::sizeOfByteOrderMark(text_);
  IncludePlace place(begin);
  const std::size_t last = firstDefinition();
  for (std::size_t at = begin; at < last && !place.isFinal();) {
    const std::size_t end = std::min(text_.find('\n', at), text_.size());
    const std::string line = text_.substr(at, end - at);
    if (place.isOuter() && line.starts_with("#include <" + header + ">"))
      return {};
    place.take(line, std::string_view(text_).substr(std::min(end + 1, text_.size())), end + 1);
    at = end + 1;
  }
  Edits edits;
  edits.insert(std::min(place.place(), text_.size()),
               "#include <" + header + ">\n" + (place.foundInclude() ? "" : "\n"));
  return edits;
}

} // namespace heddle::rewrite
