// SPDX-License-Identifier: Apache-2.0
//
// A table that a library gives to a program and of which we hold only the first entries. What
// follows them is mapped but closed, so that a program which reads on is stopped with a message
// that names the table, where it would else find other numbers than the library's.
#pragma once

#include <cstddef>
#include <string>

namespace heddle::cudart {

/// Memory for `known` bytes, which are followed by `closed` ones that cannot be read; it is never
/// freed. Nothing where there is no memory. `message` says what lies there and that it is not
/// supported.
void* makeClosedTable(std::size_t known, std::size_t closed, std::string message);

/// In a signal handler: the message of the table whose closed part holds the address, or nothing.
const char* closedTableAt(const void* address);

} // namespace heddle::cudart
