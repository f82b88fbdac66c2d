// SPDX-License-Identifier: Apache-2.0
#include "database/Database.h"
#include "database/Fault.h"
#include "database/Transaction.h"
#include "support/Files.h"

#include <gtest/gtest.h>

#include <csignal>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::database {
namespace {

namespace fs = std::filesystem;

constexpr Schema things{"things", 0x54686e67, 1,
                        "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, size REAL)"};
constexpr const char* toSecond[] = {"ALTER TABLE things ADD COLUMN color TEXT DEFAULT 'red'"};
constexpr Schema thingsOfTwo{
    "things", 0x54686e67, 2,
    "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT, size REAL, color TEXT)", toSecond};
constexpr OpenOptions hasty{.patience = std::chrono::milliseconds(20)};

class DatabaseTest : public ::testing::Test {
protected:
  DatabaseTest() : folder_(fs::temp_directory_path() / fmt::format("heddle-db-{}", getpid())) {
    fs::create_directories(folder_);
  }
  ~DatabaseTest() override { fs::remove_all(folder_); }

  std::string name() const { return file_.string(); }

  /// Rows of the table; -1 where it cannot be read.
  std::int64_t rows() const {
    const auto database = Database::openToRead(file_, things);
    if (!database)
      return -1;
    auto count = database->prepare("SELECT count(*) FROM things");
    return count && count->next().value_or(false) ? count->integer(0) : -1;
  }

  void add(const Database& database, std::int64_t id) const {
    auto insert = database.prepare("INSERT INTO things VALUES (?, 'x', 1)");
    ASSERT_TRUE(insert);
    ASSERT_TRUE(insert->run(id));
  }

  void makeWithRow() const {
    const auto database = Database::open(file_, things);
    ASSERT_TRUE(database) << database.error().message;
    add(*database, 1);
  }

  fs::path folder_;
  fs::path file_ = folder_ / "a b?#%.db"; // what an address of a file would spell otherwise
};

TEST_F(DatabaseTest, KeepsValuesOfEachKind) {
  const auto database = Database::open(file_, things);
  ASSERT_TRUE(database) << database.error().message;
  auto insert = database->prepare("INSERT INTO things VALUES (?, ?, ?)");
  ASSERT_TRUE(insert) << insert.error().message;
  ASSERT_TRUE(insert->run(7, "it's", 0.1));
  ASSERT_TRUE(insert->run(std::int64_t{1} << 40, std::string("a\0b", 3), nullptr));
  ASSERT_TRUE(insert->run(9, std::optional<std::string>(), std::optional<double>(2.5)));
  EXPECT_EQ(database->lastRow(), 9);
  auto select = database->prepare("SELECT id, name, size FROM things ORDER BY id DESC");
  ASSERT_TRUE(select);
  ASSERT_TRUE(select->next().value());
  EXPECT_EQ(select->integer(0), std::int64_t{1} << 40);
  EXPECT_EQ(select->text(1), std::string("a\0b", 3));
  EXPECT_TRUE(select->isNull(2));
  ASSERT_TRUE(select->next().value());
  EXPECT_TRUE(select->isNull(1));
  EXPECT_EQ(select->number(2), 2.5);
  ASSERT_TRUE(select->next().value());
  EXPECT_EQ(select->text(1), "it's");
  EXPECT_EQ(select->number(2), 0.1);
  EXPECT_EQ(select->columns(), 3);
  EXPECT_EQ(select->columnName(2), "size");
  EXPECT_FALSE(select->next().value());
}

TEST_F(DatabaseTest, UndoesWhatWasNotCommitted) {
  const auto database = Database::open(file_, things);
  ASSERT_TRUE(database);
  {
    const auto transaction = Transaction::begin(*database);
    ASSERT_TRUE(transaction);
    add(*database, 1);
  }
  EXPECT_EQ(rows(), 0);
  auto transaction = Transaction::begin(*database);
  ASSERT_TRUE(transaction);
  add(*database, 1);
  EXPECT_EQ(rows(), 0); // for others
  ASSERT_TRUE(transaction->commit());
  EXPECT_EQ(rows(), 1);
}

TEST_F(DatabaseTest, KeepsWhatAKilledProcessHadCommitted) {
  makeWithRow();
  const pid_t child = fork();
  if (child == 0) {
    const auto database = Database::open(file_, things);
    add(*database, 2);
    const auto transaction = Transaction::begin(*database);
    add(*database, 3);
    raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(rows(), 2);
}

TEST_F(DatabaseTest, SaysThatAnotherHoldsTheFile) {
  const auto first = Database::open(file_, things);
  const auto second = Database::open(file_, things, hasty);
  ASSERT_TRUE(first && second);
  const auto transaction = Transaction::begin(*first);
  ASSERT_TRUE(transaction);
  const auto refused = Transaction::begin(*second);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            name() + " is locked by another process; try again when that one is done");
  EXPECT_TRUE(isLocked(refused.error()));
}

/// The superuser may write everything: here the test is somebody else for a moment.
TEST_F(DatabaseTest, ReadsAndDoesNotWriteWhatIsReadOnly) {
  makeWithRow();
  fs::permissions(file_, fs::perms(0444));
  fs::permissions(folder_, fs::perms(0555));
  const uid_t before = geteuid();
  ASSERT_EQ(seteuid(before == 0 ? 65534 : before), 0);
  const auto database = Database::open(file_, things, hasty);
  const std::int64_t found = rows();
  ASSERT_EQ(seteuid(before), 0);
  fs::permissions(folder_, fs::perms(0755));
  ASSERT_FALSE(database);
  EXPECT_EQ(database.error().message,
            "cannot write " + name() + ": it, or its folder, is read-only");
  EXPECT_EQ(found, 1);
}

TEST_F(DatabaseTest, SaysThatThereIsNoRoomAndKeepsWhatWasThere) {
  const auto database = Database::open(file_, things);
  ASSERT_TRUE(database);
  add(*database, 1);
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto action = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {.rlim_cur = 65536, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  auto insert = database->prepare("INSERT INTO things VALUES (2, ?, 1)");
  const auto refused = insert->run(std::string(200'000, 'x'));
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, action);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "no room left to write " + name() + "; what was written before is kept");
  EXPECT_EQ(rows(), 1);
  add(*database, 2);
  EXPECT_EQ(rows(), 2);
}

TEST_F(DatabaseTest, RefusesWhatIsDamagedOrNoDatabase) {
  const std::string text = "is damaged or no database; move it away, or save what is left with: "
                           "sqlite3 FILE .recover";
  ASSERT_TRUE(writeFile(file_, std::string(5000, 'x')));
  EXPECT_EQ(Database::open(file_, things).error().message, name() + " " + text);
  EXPECT_EQ(Database::openToRead(file_, things).error().message, name() + " " + text);
  EXPECT_EQ(*readFile(file_), std::string(5000, 'x'));
  fs::remove(file_);
  makeWithRow();
  std::string bytes = *readFile(file_);
  bytes.replace(100, bytes.size() - 100, std::string(bytes.size() - 100, '\x7f'));
  ASSERT_TRUE(writeFile(file_, bytes));
  EXPECT_EQ(Database::open(file_, things).error().message, name() + " " + text);
}

TEST_F(DatabaseTest, RefusesAnotherKindAndALaterVersion) {
  makeWithRow();
  constexpr Schema others{"others", 0x4f746872, 1, "CREATE TABLE others (id INTEGER)"};
  EXPECT_EQ(Database::open(file_, others).error().message,
            name() + " is no others database of heddle; name another file");
  EXPECT_EQ(rows(), 1);
  fs::remove(file_);
  ASSERT_TRUE(Database::open(file_, thingsOfTwo));
  EXPECT_EQ(Database::open(file_, things).error().message,
            name() + " has version 2 of the things database, and this heddle knows version 1; use "
                     "a newer heddle or another file");
}

TEST_F(DatabaseTest, BringsAnEarlierVersionUpToDate) {
  makeWithRow();
  EXPECT_EQ(Database::openToRead(file_, thingsOfTwo).error().message,
            name() + " has version 1 of the things database, and this heddle reads version 2; "
                     "open it once for writing");
  const auto database = Database::open(file_, thingsOfTwo);
  ASSERT_TRUE(database) << database.error().message;
  auto select = database->prepare("SELECT color FROM things");
  ASSERT_TRUE(select && select->next().value());
  EXPECT_EQ(select->text(0), "red");
  EXPECT_TRUE(Database::openToRead(file_, thingsOfTwo));
}

TEST_F(DatabaseTest, AReaderLeavesNothingBesideTheFile) {
  makeWithRow();
  {
    const auto reader = Database::openToRead(file_, things);
    ASSERT_TRUE(reader);
    EXPECT_EQ(reader->execute("DELETE FROM things").error().message,
              "cannot write " + name() + ": it, or its folder, is read-only");
  }
  EXPECT_EQ(rows(), 1);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(DatabaseTest, NamesAFileThatIsMissing) {
  EXPECT_EQ(Database::openToRead(file_, things).error().message,
            "cannot open " + name() + ": No such file or directory");
  const fs::path nowhere = folder_ / "none" / "a.db";
  EXPECT_EQ(Database::open(nowhere, things).error().message,
            "cannot open " + nowhere.string() + ": No such file or directory");
  EXPECT_EQ(Database::open(folder_, things).error().message,
            "cannot open " + folder_.string() + ": it is a folder");
  EXPECT_FALSE(fs::exists(file_));
}

} // namespace
} // namespace heddle::database
