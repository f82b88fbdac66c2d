// SPDX-License-Identifier: Apache-2.0
#include "page/Page.h"

#include "support/Files.h"
#include "support/TemporaryFolder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace heddle::page {
namespace {

profile::ProgramProfile profileOf(const std::string& file) {
  profile::ProgramProfile profile;
  profile.device = "H200 SXM";
  profile.reconvergence = "volta";
  profile::KernelProfile kernel;
  kernel.id = kernel.kernel = "</script><script>";
  kernel.warpInstructions = 10;
  kernel.threadInstructions = 160;
  profile::BranchProfile branch;
  branch.site.where = {file, 3, 1};
  branch.lostSlots = 160;
  kernel.branches.push_back(branch);
  profile.add(0, kernel);
  return profile;
}

TEST(Page, HoldsItsDataAsText) {
  const PageRun run{.name = "a", .profile = profileOf("a.cu"), .sources = {}};
  const auto html = pageHtml({run}, "1.2.3");
  ASSERT_TRUE(html) << html.error().message;
  EXPECT_EQ(html->find("</script><script>"), std::string::npos);
  const std::string start = "id=\"data\">";
  const std::size_t first = html->find(start) + start.size();
  const auto json =
      nlohmann::json::parse(html->substr(first, html->find("</script>", first) - first));
  EXPECT_EQ(json["runs"][0]["profile"]["kernels"][0]["name"], "</script><script>");
  EXPECT_EQ(json["runs"][0]["kernels"][0]["worst"][0]["slots"], 160);
}

TEST(Page, HasTheLinesThatPredicatesSwitchOff) {
  PageRun run{.name = "a", .profile = profileOf("a.cu"), .sources = {}};
  const auto facts = [&] {
    return nlohmann::json::parse(pageData({run}, "1.2.3"))["runs"][0]["kernels"][0];
  };
  EXPECT_FALSE(facts().contains("switchedOff"));
  profile::KernelProfile& kernel = run.profile.kernels[0];
  kernel.switchedOff = 40;
  kernel.lines.resize(2);
  kernel.lines[0] = {{5, 80, 0}, {{"a.cu", 2, 0}, "k", {}}};
  kernel.lines[1] = {{5, 80, 40}, {{"b.cuh", 7, 0}, "k", {}}};
  const nlohmann::json rows = facts()["switchedOff"];
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["line"], 7);
  EXPECT_EQ(rows[0]["slots"], 40);
  EXPECT_EQ(rows[0]["share"], 0.25);
  EXPECT_EQ(rows[0]["what"], "50.0 % of its lanes");
  EXPECT_EQ(sourcesOf(run.profile, {}).size(), 2U); // b.cuh has no branch
}

TEST(Page, IsSmall) {
  const auto html = pageAround("{}");
  ASSERT_TRUE(html);
  EXPECT_LT(html->size(), 1536U * 1024U);
}

TEST(PageSources, TakesWhatLooksLikeSource) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  const auto text = [&](const std::string& name, const std::string& content) {
    const std::string path = folder->path() / name;
    EXPECT_TRUE(writeFile(path, content));
    const auto sources = sourcesOf(profileOf(path), {});
    EXPECT_EQ(sources.size(), 1U);
    return sources.front();
  };
  EXPECT_EQ(text("a.cu", "x").text, "x");
  EXPECT_EQ(text("a.cuh", "x").missing, "");
  EXPECT_EQ(text("id_rsa", "x").text, "");
  EXPECT_NE(text("a.pem", "x").missing, "");
  EXPECT_NE(text("long.cu", std::string(5 << 20, 'x')).missing, "");
  EXPECT_NE(sourcesOf(profileOf("/nowhere/a.cu"), {}).front().missing, "");
  EXPECT_TRUE(sourcesOf(profileOf(""), {}).empty());
}

TEST(PageSources, AreFoundBesideTheProfile) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  ASSERT_TRUE(writeFile(folder->path() / "only-here.cu", "x"));
  ASSERT_TRUE(writeFile(folder->path() / "profile.json", "{}"));
  EXPECT_EQ(sourcesOf(profileOf("only-here.cu"), folder->path() / "profile.json").front().text,
            "x");
}

} // namespace
} // namespace heddle::page
