// SPDX-License-Identifier: Apache-2.0
//
// What a command found, as the fields of one row. Its JSON document is flattened:
//
//   {"efficiency": {"mean": 0.7}, "kernels": [{"name": "f", "launches": 1, "lost": [...]}]}
//     ->  efficiency.mean 0.7    kernels.f.launches 1
//
// Objects of a list are told apart by their "name", "id" or "device"; those of lists without such
// a key, and lists of more than eight values, are left out, as are nulls.
#pragma once

#include "sweep/SpecFile.h"

#include <string>
#include <string_view>
#include <vector>

namespace heddle::sweep {

/// Of a document's text; empty where it is no JSON object. `wanted`: only these fields, and those
/// below them; empty: all.
Row outputsOf(std::string_view document, const std::vector<std::string>& wanted);

} // namespace heddle::sweep
