// SPDX-License-Identifier: Apache-2.0
#include "page/Page.h"

#include "page/EmbeddedPage.h"

namespace heddle::page {
namespace {

constexpr std::string_view placeholder = "@HEDDLE_DATA@";

/// Nothing in it can end the element that holds it: "<" stands in texts only, and has another
/// spelling there.
std::string insideScript(std::string_view json) {
  std::string text;
  text.reserve(json.size() + json.size() / 64);
  for (const char letter : json)
    if (letter == '<')
      text += "\\u003c";
    else
      text += letter;
  return text;
}

} // namespace

Expected<std::string> pageAround(std::string_view json) {
  const std::string_view page = embeddedPage().front().text;
  const std::size_t place = page.find(placeholder);
  if (place == std::string_view::npos)
    return fail(ErrorKind::NotFound,
                "this heddle was built without the page; install npm and build it again");
  std::string html(page.substr(0, place));
  html += insideScript(json);
  html += page.substr(place + placeholder.size());
  return html;
}

Expected<std::string> pageHtml(const std::vector<PageRun>& runs, std::string_view version) {
  return pageAround(pageData(runs, version));
}

} // namespace heddle::page
