// SPDX-License-Identifier: Apache-2.0
//
// Names of kernels and files, and lines of source, as text of another format: whatever stands in
// them, they stay text. What is no UTF-8 or moves a cursor is spelled out first
// (support/Printable.h), but for JSON, which has its own way.
#pragma once

#include <string>
#include <string_view>

namespace heddle::exporting {

/// In a Markdown table: "a|b" -> "a\|b", "<b>" -> "&lt;b&gt;".
std::string markdownText(std::string_view text);
/// The same in a fixed-width font: no link, no mention, no emphasis.
std::string markdownCode(std::string_view text);

/// A field of RFC 4180. A text that a spreadsheet would take for a formula gets a ' in front.
std::string csvField(std::string_view text);

/// A path as a reference to a file: "a b%0a.cu" -> "a%20b%250a.cu", "/x" -> "file:///x".
std::string fileUri(std::string_view path);

/// A message of SARIF, in which brackets make links and braces hold arguments.
std::string sarifText(std::string_view text);

} // namespace heddle::exporting
