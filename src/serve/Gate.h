// SPDX-License-Identifier: Apache-2.0
//
// Who may ask: a page that this server has sent, opened by who started it. Programs run here with
// the user's rights, so another web page in the same browser, or another user of the machine, must
// not be able to start one.
//
//   1. Host is 127.0.0.1 or localhost with our port: a foreign name that leads here (DNS
//      rebinding) is refused.
//   2. Origin, which a browser adds to what another page sends, is ours where there is one.
//   3. What does something is a POST with the token in a header of our own. The token stands in the
//      address that only the user has seen, behind #, and is never sent by a browser itself; and no
//      foreign page may set that header without asking us first, which we do not answer.
#pragma once

#include "serve/HttpServer.h"

#include <optional>
#include <string>

namespace heddle::serve {

class Gate {
public:
  Gate(int port, std::string token) : port_(port), token_(std::move(token)) {}

  /// Why the request is refused; nothing where it may pass. `acts`: it does more than send the
  /// page.
  std::optional<HttpResponse> refuse(const HttpRequest& request, bool acts) const;

private:
  int port_;
  std::string token_;
};

/// 128 bits of the kernel's randomness, as letters and digits.
std::string newToken();

} // namespace heddle::serve
