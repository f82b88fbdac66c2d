// SPDX-License-Identifier: Apache-2.0
//
// The line table of a file of ptxas, with its relocations.
#pragma once

#include "sass/LineTable.h"

#include <llvm/Object/ELF.h>

#include <cstdint>
#include <map>

namespace heddle::sass {

using CubinFile = llvm::object::ELFFile<llvm::object::ELF64LE>;

/// The lines of the PTX that begin at places of the file's sections; none where it has no table.
llvm::Expected<std::map<Place, std::uint32_t>> readCubinLines(const CubinFile& file);

} // namespace heddle::sass
