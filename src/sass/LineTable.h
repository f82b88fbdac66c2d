// SPDX-License-Identifier: Apache-2.0
//
// Which line of the PTX machine code comes from: DWARF's line program, of which ptxas writes one
// for each file in the section .nv_debug_line_sass.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string_view>

namespace heddle::sass {

/// An address in a section, which is known by its number.
struct Place {
  std::uint32_t section = 0;
  std::uint64_t address = 0;

  auto operator<=>(const Place&) const = default;
};

/// The line that begins at a place. `relocated` gives the place that is meant by an address of the
/// table at the given offset. What cannot be read is left out.
std::map<Place, std::uint32_t>
readLineTable(std::string_view section,
              const std::function<Place(std::uint64_t offset)>& relocated);

} // namespace heddle::sass
