// SPDX-License-Identifier: Apache-2.0
#include "export/Escape.h"

#include "support/Printable.h"

#include <fmt/format.h>

namespace heddle::exporting {
namespace {

/// As HTML entities, which Markdown takes too.
std::string entities(std::string_view text, std::string_view special) {
  std::string result;
  for (const char letter : text)
    if (letter == '&')
      result += "&amp;";
    else if (letter == '<')
      result += "&lt;";
    else if (letter == '>')
      result += "&gt;";
    else if (special.find(letter) != std::string_view::npos)
      result += fmt::format("&#{};", int(letter));
    else
      result += letter;
  return result;
}

bool isUnreserved(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') ||
         std::string_view("-._~/").find(letter) != std::string_view::npos;
}

} // namespace

std::string markdownText(std::string_view text) {
  return entities(printableLine(text), "|`*_[]~#\\@!");
}

std::string markdownCode(std::string_view text) {
  return "<code>" + markdownText(text) + "</code>";
}

std::string csvField(std::string_view text) {
  std::string field = printableLine(text);
  if (!field.empty() && std::string_view("=+-@\t").find(field.front()) != std::string_view::npos)
    field.insert(field.begin(), '\'');
  if (field.find_first_of(",\"\t ") == std::string::npos)
    return field;
  std::string quoted = "\"";
  for (const char letter : field)
    quoted += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return quoted + "\"";
}

std::string fileUri(std::string_view path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char letter : path)
    uri += isUnreserved(letter)
               ? std::string(1, letter)
               : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(letter)));
  return uri;
}

std::string sarifText(std::string_view text) {
  std::string result;
  for (const char letter : text)
    if (letter == '[' || letter == ']')
      result += {'\\', letter};
    else if (letter == '{' || letter == '}')
      result += {letter, letter};
    else
      result += letter;
  return result;
}

} // namespace heddle::exporting
