// SPDX-License-Identifier: Apache-2.0
//
// Whether what the items of a loop write to memory comes to the same in any order of the items:
//
//   out[k] = f(k);  out[first + 2 * k].x += 1;     each item has a place of its own
//   atomicAdd(&count[bin[k]], 1);                  any order gives the same
//   *changed = true;                               all write the same
#pragma once

#include "rewrite/rows/JoinedPlaces.h"

namespace heddle::rewrite {

/// Whether anything is written, but for the places that are joined into, which nothing else may
/// read or write. Refuses with: not-its-place, order-of-atomics.
Legal<bool> checkItemPlaces(const Source& source, const RowLoop& loop,
                            const std::vector<JoinedPlace>& joined);

} // namespace heddle::rewrite
