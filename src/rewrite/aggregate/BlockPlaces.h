// SPDX-License-Identifier: Apache-2.0
//
// Places from counters, taken for a block at once. The kernel's body becomes a function that each
// thread calls twice: it leaves where it asks for a place, and comes again with one.
//
//   if (in[i] > 0) {                          heddle::block_places<1>(
//     const int at = atomicAdd(count, 1);         [&](auto& places) {
//     list[at] = in[i];               ==>           if (in[i] > 0) {
//   }                                                 if (places.asks(count, 0))
//                                                       return;
//                                                     const int at = places.next(count, 0);
//                                                     list[at] = in[i];
//                                                   }
//                                                 },
//                                                 count);
#pragma once

#include "rewrite/aggregate/TiledBody.h"

#include <optional>
#include <vector>

namespace heddle::rewrite::aggregate {

/// `places`: all counters of the kernel whose old value is a place. Nothing where a thread may have
/// changed memory before it asks, asks in a loop, or may come to another place the second time.
std::optional<Edits> takePlacesByBlock(const Source& source, const clang::FunctionDecl& kernel,
                                       const std::vector<const clang::CallExpr*>& places,
                                       int tiles);

} // namespace heddle::rewrite::aggregate
