// SPDX-License-Identifier: Apache-2.0
#include "rewrite/code/ThreadIndex.h"

#include "rewrite/code/TreeVisitor.h"

#include <clang/AST/Decl.h>
#include <llvm/ADT/STLExtras.h>

#include <initializer_list>
#include <map>

namespace heddle::rewrite {
namespace {

class IndexReaders final : public TreeVisitor {
public:
  explicit IndexReaders(std::initializer_list<llvm::StringRef> names) : names_(names) {}

  bool shouldVisitImplicitCode() const override { return true; }
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
    if (variable != nullptr && isIndex(*variable) &&
        (uses.names.empty() || uses.names.back() != name))
      uses.names.push_back(name);
    return true;
  }
  /// The built-in's own functions are not calls of the program.
  bool aroundStatement(clang::Stmt* statement, Walk inside) override {
    if (auto* built = llvm::dyn_cast<clang::PseudoObjectExpr>(statement))
      return TraverseStmt(built->getSyntacticForm());
    if (auto* opaque = llvm::dyn_cast<clang::OpaqueValueExpr>(statement))
      return TraverseStmt(opaque->getSourceExpr());
    return inside();
  }
  bool VisitCallExpr(clang::CallExpr* call) override {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee != nullptr && reads(*callee))
      uses.calls.push_back(call);
    return true;
  }

  ThreadIndexUses uses;

private:
  bool isIndex(const clang::VarDecl& variable) const {
    return llvm::is_contained(names_, variable.getName()) && !variable.hasLocalStorage();
  }

  bool reads(const clang::FunctionDecl& callee) {
    const clang::FunctionDecl* body = nullptr;
    if (!callee.hasBody(body))
      return false;
    const auto [known, isNew] = reads_.emplace(body, false);
    if (isNew) {
      ThreadIndexUses outer;
      std::swap(outer, uses);
      TraverseStmt(body->getBody());
      std::swap(outer, uses);
      reads_[body] = !outer.names.empty() || !outer.calls.empty();
    }
    return reads_[body];
  }

  std::vector<llvm::StringRef> names_;
  std::map<const clang::FunctionDecl*, bool> reads_;
};

ThreadIndexUses findIndex(const clang::Stmt& code, std::initializer_list<llvm::StringRef> names) {
  IndexReaders readers(names);
  readers.TraverseStmt(const_cast<clang::Stmt*>(&code));
  return std::move(readers.uses);
}

} // namespace

ThreadIndexUses findThreadIndex(const clang::Stmt& code) {
  return findIndex(code, {"threadIdx"});
}

ThreadIndexUses findItemIndex(const clang::Stmt& code) {
  return findIndex(code, {"threadIdx", "blockIdx"});
}

bool asksForGrid(const clang::Stmt& code) {
  const ThreadIndexUses uses = findIndex(code, {"gridDim"});
  return !uses.names.empty() || !uses.calls.empty();
}

} // namespace heddle::rewrite
