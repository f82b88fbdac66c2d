// SPDX-License-Identifier: Apache-2.0
#include "serve/Gate.h"

#include <fmt/format.h>

#include <random>

namespace heddle::serve {
namespace {

HttpResponse forbidden(std::string why) {
  return {.status = 403, .type = "text/plain", .body = std::move(why)};
}

/// In a time that does not tell how much of it is right.
bool isSame(std::string_view a, std::string_view b) {
  unsigned char differs = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    differs = static_cast<unsigned char>(differs | (a[i] ^ b[i]));
  return differs == 0;
}

} // namespace

std::optional<HttpResponse> Gate::refuse(const HttpRequest& request, bool acts) const {
  const std::string names[] = {fmt::format("127.0.0.1:{}", port_),
                               fmt::format("localhost:{}", port_)};
  const std::string_view host = request.header("host");
  if (host != names[0] && host != names[1])
    return forbidden("this server answers to 127.0.0.1 only");
  if (request.headers.contains("origin") &&
      request.header("origin") != fmt::format("http://{}", host))
    return forbidden("another page may not ask");
  if (!acts)
    return std::nullopt;
  if (request.method != "POST")
    return forbidden("expected POST");
  if (!isSame(request.header("x-heddle-token"), token_))
    return forbidden("the token is missing or wrong; open the address that 'heddle serve' printed");
  return std::nullopt;
}

std::string newToken() {
  std::random_device random; // the kernel's
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", random(), random(), random(), random());
}

} // namespace heddle::serve
