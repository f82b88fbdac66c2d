// SPDX-License-Identifier: Apache-2.0
#include "rewrite/split_branch/WayGates.h"

#include "rewrite/split_branch/Refusals.h"

#include <clang/AST/StmtCXX.h>
#include <clang/Basic/SourceManager.h>

namespace heddle::rewrite::split_branch {
namespace {

using clang::Stmt;

class GateBuilder {
public:
  GateBuilder(const Source& source, const KernelBranch& kernel, const std::string& way,
              const GateValue& value)
      : source_(source), kernel_(kernel), way_(way), value_(value), unit_(source.indentUnit()) {}

  Legal<Edits> build();

private:
  std::string test(std::size_t arm) const { return fmt::format("if ({} != {})", way_, arm); }
  std::string leave(std::size_t arm) const {
    const std::string value = value_(arm);
    return value.empty() ? "return;" : "return " + value + ";";
  }
  /// The gate as lines, the first of which begins where it is put.
  std::string lines(std::size_t arm, const std::string& indent) const {
    return test(arm) + "\n" + indent + unit_ + leave(arm);
  }

  std::optional<std::size_t> offsetOf(clang::SourceLocation location) const {
    const auto range = source_.rangeOf(clang::SourceRange(location));
    return range ? std::optional(range->begin) : std::nullopt;
  }
  bool isBlank(Range range) const {
    return source_.text().find_first_not_of(" \t\r\n", range.begin) >= range.end;
  }
  bool breaksLine(Range range) const {
    return source_.text().substr(range.begin, range.end - range.begin).find('\n') !=
           std::string::npos;
  }
  std::size_t lineEnd(std::size_t offset) const {
    return std::min(source_.text().find('\n', offset), source_.text().size());
  }

  void gateBlock(Range block, std::size_t arm, const std::string& outer);
  void gateStatement(Range statement, std::size_t arm, std::size_t head, const std::string& outer);
  bool gateArm(const Stmt& arm, std::size_t number, clang::SourceLocation head,
               std::size_t headSize, const std::string& outer);
  bool gateChain(const clang::IfStmt& branch, std::size_t arm, const std::string& outer);
  bool gateCases(const clang::SwitchStmt& choice);
  bool gateCase(const clang::SwitchCase& label, std::size_t arm);

  const Source& source_;
  const KernelBranch& kernel_;
  const std::string& way_;
  const GateValue& value_;
  const std::string& unit_;
  Edits edits_;
};

/// `block` begins at a brace.
void GateBuilder::gateBlock(Range block, std::size_t arm, const std::string& outer) {
  const std::string& text = source_.text();
  const std::size_t end = lineEnd(block.begin);
  const std::size_t next = text.find_first_not_of(" \t", block.begin + 1);
  const bool opensLine = next >= end || text.compare(next, 2, "//") == 0;
  if (!opensLine || end >= block.end)
    return edits_.insert(block.begin + 1, " " + test(arm) + " " + leave(arm));
  const std::string indent = outer + unit_;
  edits_.insert(end, "\n" + indent + lines(arm, indent));
}

/// A statement without braces gets them. `head` is the end of what stands in front of it.
void GateBuilder::gateStatement(Range statement, std::size_t arm, std::size_t head,
                                const std::string& outer) {
  const Range gap{head, statement.begin};
  const std::string indent = breaksLine(gap) ? source_.indentAt(statement.begin) : outer + unit_;
  if (breaksLine(gap)) {
    edits_.insert(head, " {");
    edits_.insert(statement.begin, lines(arm, indent) + "\n" + indent);
  } else {
    edits_.replace(gap, " {\n" + indent + lines(arm, indent) + "\n" + indent);
  }
  const std::string& text = source_.text();
  const std::size_t rest = text.find_first_not_of(" \t", statement.end);
  const bool isComment = rest != std::string::npos && text.compare(rest, 2, "//") == 0;
  const std::size_t end = isComment ? lineEnd(rest) : statement.end;
  const std::size_t next = text.find_first_not_of(" \t\r\n", end);
  const bool isElse = next != std::string::npos && text.compare(next, 4, "else") == 0;
  edits_.replace({end, isElse ? next : end}, "\n" + outer + (isElse ? "} " : "}"));
}

bool GateBuilder::gateArm(const Stmt& arm, std::size_t number, clang::SourceLocation head,
                          std::size_t headSize, const std::string& outer) {
  const Stmt* inside = &arm;
  if (const auto* attributed = llvm::dyn_cast<clang::AttributedStmt>(inside))
    inside = attributed->getSubStmt();
  const auto range = source_.rangeOf(*inside);
  const auto before = offsetOf(head);
  if (!range || !before)
    return false;
  if (llvm::isa<clang::CompoundStmt>(inside))
    gateBlock(*range, number, outer);
  else
    gateStatement(*range, number, *before + headSize, outer);
  return true;
}

bool GateBuilder::gateChain(const clang::IfStmt& branch, std::size_t arm,
                            const std::string& outer) {
  if (!gateArm(*branch.getThen(), arm, branch.getRParenLoc(), 1, outer))
    return false;
  const Stmt* other = branch.getElse();
  if (const auto* next = llvm::dyn_cast_or_null<clang::IfStmt>(other))
    return gateChain(*next, arm + 1, outer);
  if (other != nullptr)
    return gateArm(*other, arm + 1, branch.getElseLoc(), 4, outer);
  if (kernel_.behind.empty())
    return true;
  const auto range = source_.rangeOf(*branch.getThen());
  const bool isBlock = llvm::isa<clang::CompoundStmt>(branch.getThen());
  edits_.insert(range->end, (isBlock ? " else " : "\n" + outer + "else ") + test(arm + 1) + "\n" +
                                outer + unit_ + leave(arm + 1));
  return true;
}

bool GateBuilder::gateCase(const clang::SwitchCase& label, std::size_t arm) {
  const auto range = source_.rangeOf(*label.getSubStmt());
  const auto colon = offsetOf(label.getColonLoc());
  if (!range || !colon)
    return false;
  const std::string outer = source_.indentAt(*colon);
  if (llvm::isa<clang::CompoundStmt>(label.getSubStmt())) {
    gateBlock(*range, arm, outer);
    return true;
  }
  const Range gap{*colon + 1, range->begin};
  const std::string indent = breaksLine(gap) ? source_.indentAt(range->begin) : outer + unit_;
  const std::string gate = "\n" + indent + lines(arm, indent);
  if (breaksLine(gap))
    edits_.insert(gap.begin, gate);
  else
    edits_.replace(gap, gate + "\n" + indent);
  return true;
}

bool GateBuilder::gateCases(const clang::SwitchStmt& choice) {
  for (std::size_t arm = 0; arm < kernel_.arms.size(); ++arm)
    if (kernel_.arms[arm] != nullptr &&
        !gateCase(*llvm::cast<clang::SwitchCase>(kernel_.arms[arm]), arm))
      return false;
  const auto body = source_.rangeOf(*choice.getBody());
  const auto first = offsetOf(kernel_.arms.front()->getBeginLoc());
  if (!body || !first)
    return false;
  if (kernel_.arms.back() != nullptr || kernel_.behind.empty())
    return true;
  const std::string outer = source_.indentAt(*first), indent = outer + unit_;
  const std::size_t line = source_.lineBegin(body->end - 1);
  const std::string gate =
      outer + "default:\n" + indent + lines(kernel_.arms.size() - 1, indent) + "\n";
  edits_.insert(isBlank({line, body->end - 1}) ? line : body->end - 1, gate);
  return true;
}

Legal<Edits> GateBuilder::build() {
  const auto begin = offsetOf(kernel_.choice->getBeginLoc());
  const auto* chain = llvm::dyn_cast<clang::IfStmt>(kernel_.choice);
  const bool done =
      begin && (chain != nullptr ? gateChain(*chain, 0, source_.indentAt(*begin))
                                 : gateCases(*llvm::cast<clang::SwitchStmt>(kernel_.choice)));
  if (!done)
    return refuse(refusals["macro-in-the-way"],
                  "the branch in line {}, or a path of it, comes from a macro",
                  source_.lineOf(kernel_.choice->getBeginLoc()));
  return std::move(edits_);
}

} // namespace

std::string wayName(const Source& source, const clang::FunctionDecl& kernel) {
  const std::string text = source.textOf(kernel.getSourceRange());
  std::string name = "Way";
  while (text.find(name) != std::string::npos)
    name += "_";
  return name;
}

Legal<Edits> gateWays(const Source& source, const KernelBranch& kernel, const std::string& way,
                      const GateValue& value) {
  return GateBuilder(source, kernel, way, value).build();
}

} // namespace heddle::rewrite::split_branch
