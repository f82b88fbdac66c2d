// SPDX-License-Identifier: Apache-2.0
//
// Declarations of __shared__ variables that nvcc takes and clang does not, as edits of a source
// (TextEdits.h). nvcc runs neither constructor nor destructor of an object in shared memory; clang
// refuses one whose constructor or destructor does anything.
#pragma once

#include "frontend/TextEdits.h"

namespace heddle::frontend {

/// `__shared__ T x[2], y;` with one of the names at the place becomes
///
///   typedef T __heddle_t_x[2], __heddle_t_y;
///   __shared__ __heddle_shared<__heddle_t_x, alignof(__heddle_t_x)> __heddle_x;
///   static auto& x = __heddle_x.object; // a constant, and no lambda captures it
///
/// and the same for y, on one line (heddle_shared.h). No edits where it has an initial value, which
/// nvcc does not take either, nor outside of functions, where device code cannot see such a name.
std::vector<TextEdit> sharedObjectEdits(const std::string& text, std::size_t offset);

/// `__shared__ alignas(16) T x;` with alignas at the place: clang wants it first.
std::vector<TextEdit> sharedAlignmentEdits(const std::string& text, std::size_t offset);

} // namespace heddle::frontend
