// SPDX-License-Identifier: Apache-2.0
//
// As much of HTTP/1.1 as a page on the same machine needs: one request for each connection, bodies
// with a length, nothing beyond 127.0.0.1.
#pragma once

#include "support/Error.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::serve {

struct HttpRequest {
  std::string method;
  std::string path;                           ///< without a query
  std::map<std::string, std::string> headers; ///< names in small letters
  std::string body;

  std::string_view header(const std::string& name) const;
};

struct HttpResponse {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::string policy{}; ///< Content-Security-Policy; empty: nothing may be loaded
};

/// A request from the text in front of its body, and the length of that body. Refuses what is no
/// HTTP, what has no length it could trust, and bodies of more than a mebibyte.
Expected<std::pair<HttpRequest, std::size_t>> parseHead(std::string_view head);

/// With headers that keep other pages from framing, reading or sniffing it.
std::string writeResponse(const HttpResponse& response);

class HttpServer {
public:
  using Handler = std::function<HttpResponse(const HttpRequest&)>;

  /// Listens on 127.0.0.1. Port 0 is any that is free.
  static Expected<HttpServer> listen(int port);

  HttpServer(HttpServer&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)), port_(other.port_) {}
  HttpServer& operator=(HttpServer&&) = delete;
  ~HttpServer();

  int port() const { return port_; }

  /// Answers, each request in a thread of its own, until the process ends.
  [[noreturn]] void run(const Handler& handler) const;

private:
  HttpServer(int socket, int port) : socket_(socket), port_(port) {}

  int socket_;
  int port_;
};

} // namespace heddle::serve
