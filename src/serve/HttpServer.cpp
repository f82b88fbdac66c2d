// SPDX-License-Identifier: Apache-2.0
#include "serve/HttpServer.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace heddle::serve {
namespace {

constexpr std::size_t mostHead = 16 << 10;
constexpr std::size_t mostBody = 1 << 20;
constexpr int mostConnections = 16;
constexpr int patience = 10; ///< seconds for a request to arrive

std::string lowered(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char letter) {
    return static_cast<char>(std::tolower(letter));
  });
  return result;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string_view takeLine(std::string_view& rest) {
  const std::size_t end = rest.find("\r\n");
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 2);
  return line;
}

Expected<std::size_t> lengthOf(const HttpRequest& request) {
  if (request.headers.contains("transfer-encoding"))
    return fail(ErrorKind::BadInput, "a body without a length");
  const std::string_view text = request.header("content-length");
  if (text.empty())
    return std::size_t{0};
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (error != std::errc() || end != text.data() + text.size() || length > mostBody)
    return fail(ErrorKind::BadInput, "a body of '{}' bytes", text.substr(0, 20));
  return length;
}

std::string_view statusText(int status) {
  switch (status) {
  case 200:
    return "OK";
  case 400:
    return "Bad Request";
  case 403:
    return "Forbidden";
  case 404:
    return "Not Found";
  case 503:
    return "Service Unavailable";
  default:
    return "Error";
  }
}

/// A connection that is closed when it is done.
class Connection {
public:
  explicit Connection(int socket) : socket_(socket) {
    const timeval wait{patience, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
  }
  Connection(const Connection&) = delete;
  ~Connection() { close(socket_); }

  Expected<HttpRequest> read() const {
    std::string text;
    std::size_t end = std::string::npos;
    while ((end = text.find("\r\n\r\n")) == std::string::npos) {
      if (text.size() > mostHead || !more(text))
        return fail(ErrorKind::BadInput, "no whole request");
    }
    HEDDLE_TRY(auto parsed, parseHead(std::string_view(text).substr(0, end + 2)));
    auto& [request, length] = parsed;
    request.body = text.substr(end + 4);
    while (request.body.size() < length)
      if (!more(request.body))
        return fail(ErrorKind::BadInput, "a body that is too short");
    request.body.resize(length);
    return std::move(request);
  }

  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0)
        return;
      text.remove_prefix(std::size_t(sent));
    }
  }

private:
  bool more(std::string& text) const {
    char part[4096];
    const ssize_t got = recv(socket_, part, sizeof part, 0);
    if (got > 0)
      text.append(part, std::size_t(got));
    return got > 0;
  }

  int socket_;
};

void answer(int socket, const HttpServer::Handler& handler) {
  const Connection connection(socket);
  const auto request = connection.read();
  if (!request)
    return connection.write(
        writeResponse({.status = 400, .type = "text/plain", .body = request.error().message}));
  connection.write(writeResponse(handler(*request)));
}

} // namespace

std::string_view HttpRequest::header(const std::string& name) const {
  const auto found = headers.find(name);
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

Expected<std::pair<HttpRequest, std::size_t>> parseHead(std::string_view head) {
  HttpRequest request;
  const std::string_view first = takeLine(head);
  const std::size_t method = first.find(' ');
  const std::size_t target = first.rfind(' ');
  if (method == std::string_view::npos || target == method ||
      !first.substr(target + 1).starts_with("HTTP/1."))
    return fail(ErrorKind::BadInput, "no HTTP");
  request.method = first.substr(0, method);
  const std::string_view path = first.substr(method + 1, target - method - 1);
  request.path = path.substr(0, path.find('?'));
  while (!head.empty()) {
    const std::string_view line = takeLine(head);
    const std::size_t colon = line.find(':');
    if (line.empty())
      continue;
    if (colon == std::string_view::npos || colon == 0)
      return fail(ErrorKind::BadInput, "a header without a name");
    const auto [place, isNew] =
        request.headers.emplace(lowered(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    if (!isNew)
      return fail(ErrorKind::BadInput, "header {} twice", place->first);
  }
  HEDDLE_TRY(const std::size_t length, lengthOf(request));
  return std::pair(std::move(request), length);
}

std::string writeResponse(const HttpResponse& response) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\n"
      "Content-Type: {}; charset=utf-8\r\n"
      "Content-Length: {}\r\n"
      "Content-Security-Policy: {}; frame-ancestors 'none'\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "X-Frame-Options: DENY\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "Cache-Control: no-store\r\n"
      "Connection: close\r\n\r\n{}",
      response.status, statusText(response.status), response.type, response.body.size(),
      response.policy.empty() ? "default-src 'none'" : response.policy, response.body);
}

Expected<HttpServer> HttpServer::listen(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  HttpServer server(socket, port);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  const int reuse = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
  if (socket < 0 || bind(socket, plain, size) != 0 || ::listen(socket, 16) != 0 ||
      getsockname(socket, plain, &size) != 0)
    return fail(ErrorKind::Io, "cannot listen on 127.0.0.1:{}: {}", port, std::strerror(errno));
  server.port_ = ntohs(address.sin_port);
  return server;
}

HttpServer::~HttpServer() {
  if (socket_ >= 0)
    close(socket_);
}

void HttpServer::run(const Handler& handler) const {
  static std::atomic<int> connections = 0;
  while (true) {
    const int socket = accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0)
      continue;
    if (connections >= mostConnections) {
      const Connection full(socket);
      full.write(writeResponse({.status = 503, .type = "text/plain", .body = "busy"}));
      continue;
    }
    ++connections;
    std::thread([socket, &handler] {
      answer(socket, handler);
      --connections;
    }).detach();
  }
}

} // namespace heddle::serve
