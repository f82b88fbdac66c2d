// SPDX-License-Identifier: Apache-2.0
//
// What memory code reads and writes beyond its own variables, by the pointer that leads there: a
// parameter of the kernel, a member of one, or a global variable. Different pointers count as
// different memory; functions that the code calls are looked at too.
//
//   float* row = image + y * width;
//   row[x] += scale[x];                 reads image and scale, writes image
#pragma once

#include "rewrite/code/Source.h"

#include <clang/AST/Decl.h>

#include <compare>
#include <map>
#include <memory>
#include <string>

namespace heddle::rewrite {

/// Neither: memory that some pointer leads to which was loaded or computed.
struct Memory {
  const clang::VarDecl* variable = nullptr;
  const clang::FieldDecl* member = nullptr; ///< of a variable that is a record

  std::string name() const;
  auto operator<=>(const Memory&) const = default;
};

struct MemoryUse {
  std::map<Memory, clang::SourceLocation> read, written; ///< and where first
};

class PointerSources;

class MemoryUses {
public:
  /// `body` is all that the pointers of the code to be asked about may come from.
  explicit MemoryUses(const clang::Stmt& body);
  ~MemoryUses();
  MemoryUses(const MemoryUses&) = delete;
  MemoryUses& operator=(const MemoryUses&) = delete;

  MemoryUse of(const clang::Stmt& code) const;

private:
  std::unique_ptr<PointerSources> sources_;
};

/// A memory that one reads and the other writes, or nullptr.
const Memory* findConflict(const MemoryUse& reader, const MemoryUse& writer);

} // namespace heddle::rewrite
