// SPDX-License-Identifier: Apache-2.0
#include "profile/ProfileJson.h"

#include "profile/ProfileReader.h"
#include "profile/ProfileWriter.h"

namespace heddle::profile {
namespace {

constexpr const char* schemaName = "heddle.profile/1";
constexpr const char* howToWrite = "'heddle run app.cu --profile FILE' writes one";

} // namespace

std::string writeProfile(const ProgramProfile& profile) {
  ProfileWriter::Json json{{"schema", schemaName}};
  json.update(ProfileWriter::object(profile));
  // A path that is no UTF-8 must not cost the profile.
  return json.dump(2, ' ', false, ProfileWriter::Json::error_handler_t::replace) + "\n";
}

Expected<ProgramProfile> readProfile(std::string_view text, std::string_view origin) {
  const auto json = ProfileReader::Json::parse(text, nullptr, false);
  if (!json.is_object())
    return fail(ErrorKind::BadInput, "{} is no profile: no JSON object; {}", origin, howToWrite);
  const auto schema = json.find("schema");
  if (schema == json.end() || !schema->is_string() ||
      !schema->get<std::string>().starts_with("heddle.profile/"))
    return fail(ErrorKind::BadInput, "{} is no profile: its \"schema\" is not {}; {}", origin,
                schemaName, howToWrite);
  if (*schema != schemaName)
    return fail(ErrorKind::Unsupported, "{} is a profile of schema {}; this heddle reads {}",
                origin, schema->get<std::string>(), schemaName);
  std::optional<Error> error;
  ProgramProfile profile;
  ProfileReader fields(json, "", error);
  describe(fields, profile);
  if (error)
    return tl::unexpected(within(origin, *error));
  return profile;
}

} // namespace heddle::profile
