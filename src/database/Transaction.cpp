// SPDX-License-Identifier: Apache-2.0
#include "database/Transaction.h"

namespace heddle::database {

Expected<Transaction> Transaction::begin(const Database& database) {
  HEDDLE_CHECK(database.execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_ == nullptr)
    return;
  const auto undone = database_->execute("ROLLBACK");
  static_cast<void>(undone); // SQLite has done it by itself after some errors
}

Expected<void> Transaction::commit() {
  HEDDLE_CHECK(database_->execute("COMMIT"));
  database_ = nullptr;
  return {};
}

} // namespace heddle::database
