// SPDX-License-Identifier: Apache-2.0
#include "sweep/WorkerMessages.h"

namespace heddle::sweep {
namespace {

Value jsonOf(const Task& task) {
  Value json = {{"id", task.id}, {"command", task.command}};
  if (task.limit)
    json["limit"] = *task.limit;
  return json;
}

Task taskOf(const Value& json) {
  Task task{.id = json.at("id"), .command = json.at("command"), .limit = std::nullopt};
  if (json.contains("limit"))
    task.limit = json.at("limit").get<double>();
  return task;
}

Value jsonOf(const PointResult& result) {
  return {{"id", result.id},           {"done", result.done},       {"message", result.message},
          {"log", result.log},         {"outputs", result.outputs}, {"seconds", result.seconds},
          {"started", result.started}, {"version", result.version}, {"host", result.host}};
}

PointResult resultOf(const Value& json) {
  return {.id = json.at("id"),
          .done = json.at("done"),
          .message = json.at("message"),
          .log = json.at("log"),
          .outputs = json.at("outputs"),
          .seconds = json.at("seconds"),
          .started = json.at("started"),
          .version = json.at("version"),
          .host = json.at("host")};
}

WorkerMessage messageOf(const Value& json) {
  WorkerMessage message{.kind = json.at("kind")};
  if (message.kind == "hello") {
    message.version = json.at("version");
    message.host = json.at("host");
    message.slots = json.at("slots");
  } else if (message.kind == "welcome")
    message.outputs = json.at("outputs").get<std::vector<std::string>>();
  else if (message.kind == "task")
    message.task = taskOf(json.at("task"));
  else if (message.kind == "result")
    message.result = resultOf(json.at("result"));
  else if (message.kind == "leave")
    message.complete = json.at("complete");
  return message;
}

} // namespace

std::string encode(const WorkerMessage& message) {
  Value json = {{"kind", message.kind}};
  if (message.kind == "hello") {
    json["version"] = message.version;
    json["host"] = message.host;
    json["slots"] = message.slots;
  } else if (message.kind == "welcome")
    json["outputs"] = message.outputs;
  else if (message.kind == "task")
    json["task"] = jsonOf(message.task);
  else if (message.kind == "result")
    json["result"] = jsonOf(message.result);
  else if (message.kind == "leave")
    json["complete"] = message.complete;
  return json.dump(-1, ' ', false, Value::error_handler_t::replace);
}

std::optional<WorkerMessage> decode(const std::string& text) {
  try {
    return messageOf(Value::parse(text));
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

} // namespace heddle::sweep
