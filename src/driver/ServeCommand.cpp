// SPDX-License-Identifier: Apache-2.0
#include "driver/ServeCommand.h"

#include "driver/ReportCommand.h"
#include "report/Json.h"
#include "serve/Gate.h"
#include "serve/HttpServer.h"

#include <cstdio>

namespace heddle::driver {
namespace {

using report::Json;
using serve::HttpRequest;
using serve::HttpResponse;

constexpr int portsTried = 20;

HttpResponse jsonResponse(const Json& json) {
  return {.body = json.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

HttpResponse problem(const Error& error) {
  HttpResponse response = jsonResponse({{"error", error.message}});
  response.status = error.kind == ErrorKind::NotFound ? 404 : 400;
  return response;
}

/// A text of the request's JSON; empty where there is none.
std::string textOf(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_string()
             ? json[key].get<std::string>()
             : "";
}

Json reportJson(const page::PageRun& run) {
  return Json::parse(page::pageData({run}, HEDDLE_VERSION));
}

/// The page may talk to us, which a report may not to anybody.
Expected<std::string> livePage() {
  HEDDLE_TRY(std::string html, page::pageAround(R"({"schema": "heddle.serve/1"})"));
  const std::string_view closed = "connect-src 'none'";
  const std::size_t place = html.find(closed);
  if (place == std::string::npos)
    return fail(ErrorKind::NotFound, "the page of this build has no policy to open");
  return html.replace(place, closed.size(), "connect-src 'self'");
}

/// The policy that stands in the page, for its header.
std::string policyOf(const std::string& html) {
  const std::string_view start = "Content-Security-Policy\" content=\"";
  const std::size_t first = html.find(start) + start.size();
  return html.substr(first, html.find('"', first) - first);
}

class Service {
public:
  Service(LiveRuns runs, serve::Gate gate, std::string page)
      : runs_(std::move(runs)), gate_(std::move(gate)), page_(std::move(page)),
        policy_(policyOf(page_)) {}

  HttpResponse answer(const HttpRequest& request) {
    const bool isPage = request.method == "GET" && request.path == "/";
    if (auto refused = gate_.refuse(request, !isPage))
      return *std::move(refused);
    if (isPage)
      return {.type = "text/html", .body = page_, .policy = policy_};
    const Json json = Json::parse(request.body, nullptr, false);
    if (request.path == "/api/files")
      return jsonResponse({{"files", runs_.files()}});
    if (request.path == "/api/open")
      return open(textOf(json, "file"));
    if (request.path == "/api/run")
      return run(textOf(json, "file"), textOf(json, "text"));
    if (request.path == "/api/advise")
      return advise(json);
    return problem({ErrorKind::NotFound, "there is nothing at " + request.path});
  }

private:
  HttpResponse open(const std::string& file) const {
    const auto text = runs_.read(file);
    return text ? jsonResponse({{"file", file}, {"text", *text}}) : problem(text.error());
  }

  HttpResponse run(const std::string& file, const std::string& text) {
    const auto outcome = runs_.run(file, text);
    if (!outcome)
      return problem(outcome.error());
    return jsonResponse({{"number", outcome->number},
                         {"overtaken", outcome->overtaken},
                         {"ranTooLong", outcome->ranTooLong},
                         {"status", outcome->status},
                         {"seconds", outcome->seconds},
                         {"printed", outcome->printed},
                         {"report", outcome->run ? reportJson(*outcome->run) : Json(nullptr)}});
  }

  HttpResponse advise(const Json& json) {
    const bool isNumber =
        json.is_object() && json.contains("number") && json["number"].is_number_unsigned();
    const auto run = runs_.advise(isNumber ? json["number"].get<std::uint64_t>() : 0);
    return run ? jsonResponse({{"report", reportJson(*run)}}) : problem(run.error());
  }

  LiveRuns runs_;
  serve::Gate gate_;
  std::string page_;
  std::string policy_;
};

/// The wanted port or one of the next, where others serve, too.
Expected<serve::HttpServer> listenNear(int port) {
  for (int next = port;; ++next) {
    auto server = serve::HttpServer::listen(next);
    if (server || port == 0 || next + 1 == port + portsTried)
      return server;
  }
}

} // namespace

Expected<Answer> runServe(const ServeOptions& options) {
  if (options.port < 0 || options.port > 65535 - portsTried)
    return fail(ErrorKind::BadInput, "--port {}: expected 0 to {}", options.port,
                65535 - portsTried);
  if (options.live.seconds < 1)
    return fail(ErrorKind::BadInput, "--limit {}: expected at least 1", options.live.seconds);
  HEDDLE_TRY(std::string page, livePage());
  HEDDLE_TRY(LiveRuns runs, LiveRuns::make(options.live));
  HEDDLE_TRY(const serve::HttpServer server, listenNear(options.port));
  const std::string token = serve::newToken();
  const std::string address = fmt::format("http://127.0.0.1:{}/#token={}", server.port(), token);
  Service service(std::move(runs), serve::Gate(server.port(), token), std::move(page));
  fmt::print("{}\nopen it in a browser; Ctrl-C ends it\n", address);
  std::fflush(stdout);
  if (options.open)
    HEDDLE_CHECK(openInBrowser(address));
  server.run([&service](const HttpRequest& request) { return service.answer(request); });
}

} // namespace heddle::driver
