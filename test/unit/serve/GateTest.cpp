// SPDX-License-Identifier: Apache-2.0
#include "serve/Gate.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::serve {
namespace {

HttpRequest request(std::map<std::string, std::string> headers, std::string method = "POST") {
  return {
      .method = std::move(method), .path = "/api/run", .headers = std::move(headers), .body = ""};
}

TEST(Gate, LetsItsOwnPageIn) {
  const Gate gate(80, "secret");
  EXPECT_FALSE(
      gate.refuse(request({{"host", "127.0.0.1:80"}, {"x-heddle-token", "secret"}}), true));
  EXPECT_FALSE(gate.refuse(request({{"host", "localhost:80"},
                                    {"origin", "http://localhost:80"},
                                    {"x-heddle-token", "secret"}}),
                           true));
  EXPECT_FALSE(gate.refuse(request({{"host", "127.0.0.1:80"}}, "GET"), false));
}

TEST(Gate, RefusesEverybodyElse) {
  const Gate gate(80, "secret");
  const std::string here = "127.0.0.1:80";
  for (const auto& headers : std::vector<std::map<std::string, std::string>>{
           {},
           {{"host", here}},
           {{"host", here}, {"x-heddle-token", ""}},
           {{"host", here}, {"x-heddle-token", "secre"}},
           {{"host", here}, {"x-heddle-token", "secret1"}},
           {{"host", "127.0.0.1:81"}, {"x-heddle-token", "secret"}},
           {{"host", "evil.example:80"}, {"x-heddle-token", "secret"}},
           {{"host", here}, {"origin", "null"}, {"x-heddle-token", "secret"}},
           {{"host", here}, {"origin", "http://localhost:80"}, {"x-heddle-token", "secret"}},
           {{"host", here}, {"origin", "https://127.0.0.1:80"}, {"x-heddle-token", "secret"}}}) {
    const auto refused = gate.refuse(request(headers), true);
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->status, 403);
  }
  EXPECT_TRUE(gate.refuse(request({{"host", here}, {"x-heddle-token", "secret"}}, "GET"), true));
}

TEST(Gate, TokensDiffer) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i)
    tokens.insert(newToken());
  EXPECT_EQ(tokens.size(), 100U);
  EXPECT_EQ(tokens.begin()->size(), 32U);
}

TEST(HttpHead, IsRead) {
  const auto parsed = parseHead(
      "POST /api/run?x=1 HTTP/1.1\r\nHost: a:1\r\nX-Heddle-Token:  t \r\nContent-Length: 12\r\n");
  ASSERT_TRUE(parsed);
  const auto& [request, length] = *parsed;
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, "/api/run");
  EXPECT_EQ(request.header("host"), "a:1");
  EXPECT_EQ(request.header("x-heddle-token"), "t");
  EXPECT_EQ(request.header("origin"), "");
  EXPECT_EQ(length, 12U);
}

TEST(HttpHead, IsRefusedWhereItIsAmbiguous) {
  for (const char* head :
       {"", "GET\r\n", "GET /\r\n", "GET / SPDY/3\r\n", "GET / HTTP/1.1\r\nno colon\r\n",
        "GET / HTTP/1.1\r\n: x\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n",
        "POST / HTTP/1.1\r\nContent-Length: -1\r\n", "POST / HTTP/1.1\r\nContent-Length: 1x\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 99999999\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n"})
    EXPECT_FALSE(parseHead(head)) << head;
}

TEST(HttpResponse, ForbidsWhatNobodyNeeds) {
  const std::string text = writeResponse({.status = 404, .type = "text/plain", .body = "no"});
  EXPECT_TRUE(text.starts_with("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_TRUE(text.ends_with("\r\n\r\nno"));
  for (const char* header :
       {"Content-Length: 2\r\n", "X-Frame-Options: DENY\r\n",
        "default-src 'none'; frame-ancestors 'none'\r\n", "X-Content-Type-Options: nosniff\r\n",
        "Cross-Origin-Resource-Policy: same-origin\r\n"})
    EXPECT_NE(text.find(header), std::string::npos) << header;
}

} // namespace
} // namespace heddle::serve
