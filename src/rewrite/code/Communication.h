// SPDX-License-Identifier: Apache-2.0
//
// Whether code talks to other threads. A rewrite that changes the order between threads, or which
// threads meet, may touch only code that does not. Functions that it calls are looked at too.
#pragma once

#include "rewrite/code/Refusal.h"
#include "rewrite/code/Source.h"

#include <clang/AST/Expr.h>

#include <vector>

namespace heddle::rewrite {

/// Refuses with: barrier-inside, sync-op-inside, fence-inside, shared-memory-inside,
/// atomic-result-used, volatile-inside, prints-inside, allocates-inside, clock-inside,
/// inline-assembly, goto-inside, unknown-call.
Legal<void> refuseCommunication(const Source& source, const clang::Stmt& code);

/// The same, but for atomics whose results may come in another order.
Legal<void> refuseCommunication(const Source& source, const clang::Stmt& code,
                                const std::vector<const clang::CallExpr*>& anyOrder);

/// The same for code whose threads may sit in other warps and lanes than before, but still meet at
/// the barriers of their block: those, fences and shared memory are no reason to refuse.
Legal<void> refuseWarpCommunication(const Source& source, const clang::Stmt& code);

/// The same for code whose lanes stay where they are and only take turns otherwise, or that writes
/// each place by one thread: to write shared memory is no reason to refuse.
Legal<void> refuseAllButShared(const Source& source, const clang::Stmt& code);

/// Whether code adds to floating-point numbers atomically: then their sums depend on an order that
/// a rewrite may change.
bool sumsFloatsAtomically(const Source& source, const clang::Stmt& code);

} // namespace heddle::rewrite
