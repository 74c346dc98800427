#include "core/platform/atomic_file.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <ostream>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

/// The message of the Error that an action throws; empty when it throws none.
template <class Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::set<std::string> names_in(const fs::path& folder) {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
    return names;
}

/// While it lives, the system refuses to let a file grow beyond `bytes`: a full disk for any user, root included.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &old_);
        rlimit limit = old_;
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, old_handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    rlimit old_{};
    void (*old_handler_)(int);
};

const std::string large(1 << 20, 'x');

/// The folders of these tests.
const FolderKind kind{"a checkpoint",
                      {"config.json", "model.safetensors", "leftover", "deeper/file"},
                      [](const fs::path& folder) { return fs::exists(folder / "config.json"); }};

std::string content(const fs::path& path) { return read_file(path, 1 << 24); }

void fill_checkpoint(const fs::path& folder, const std::string& config) {
    write_file_atomically(folder / "config.json", config);
    write_file_atomically(folder / "model.safetensors", "cells of " + config);
}

}  // namespace

TEST_CASE("a file is created and replaced, and nothing else is left in its folder") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "a.csv", "one");
    CHECK(content(folder / "a.csv") == "one");
    write_file_atomically(folder / "a.csv", large);
    CHECK(content(folder / "a.csv") == large);
    write_file_atomically(folder / "a.csv", "");
    CHECK(content(folder / "a.csv").empty());
    CHECK(names_in(folder.path()) == std::set<std::string>{"a.csv"});
}

TEST_CASE("a streamed file keeps every byte, in small and large pieces") {
    const TemporaryFolder folder;
    std::string expected;
    write_file_atomically(folder / "a", [&](std::ostream& stream) {
        for (int i = 0; i < 20000; ++i) {
            const std::string piece = i % 5000 == 0 ? large : std::to_string(i);
            stream << piece << '\n';
            expected += piece + '\n';
        }
    });
    CHECK(content(folder / "a") == expected);
}

TEST_CASE("a bare name of a folder is written in the working folder") {
    const TemporaryFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    const auto write = [](const fs::path& name) {
        return error_of([&] {
            write_folder_atomically(name, kind, [](const fs::path& staging) { fill_checkpoint(staging, "here"); });
        });
    };
    for (const char* name : {"bare", "./dot", "slash/", "bare"}) CHECK(write(name) == "");
    fs::current_path(before);
    for (const char* name : {"bare", "dot", "slash"}) CHECK(content(folder / name / "config.json") == "here");
    CHECK(names_in(folder.path()) == std::set<std::string>{"bare", "dot", "slash"});
}

TEST_CASE("a bare name is written in the working folder") {
    const TemporaryFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    write_file_atomically("bare.txt", "here");
    fs::current_path(before);
    CHECK(content(folder / "bare.txt") == "here");
}

TEST_CASE("permissions are kept and a symbolic link is followed") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "real", "old");
    fs::permissions(folder / "real", fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink("real", folder / "link");
    write_file_atomically(folder / "link", "new");
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(content(folder / "real") == "new");
    CHECK(fs::status(folder / "real").permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}

TEST_CASE("a full disk leaves the old file, removes the temporary and gives the reason") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "model", "old");
    std::string message;
    SUBCASE("at a large write") {
        const FileSizeLimit limit(4096);
        message = error_of([&] { write_file_atomically(folder / "model", large); });
    }
    SUBCASE("at the last flush of a small one") {
        const FileSizeLimit limit(2);
        message = error_of([&] { write_file_atomically(folder / "model", "newer"); });
    }
    SUBCASE("when the writer throws because of it") {
        const FileSizeLimit limit(4096);
        message = error_of([&] {
            write_file_atomically(folder / "model", [](std::ostream& stream) {
                if (!(stream << large)) throw std::runtime_error("stream went bad");
            });
        });
    }
    CHECK(contains(message, "cannot write"));
    CHECK(contains(message, (folder / "model").string()));
    CHECK(contains(message, "File too large"));
    CHECK(contains(message, "choose another folder"));
    CHECK(content(folder / "model") == "old");
    CHECK(names_in(folder.path()) == std::set<std::string>{"model"});
}

TEST_CASE("a device is written in place, and its full disk is reported") {
    if (!fs::is_character_file("/dev/full") || ::access("/dev/full", W_OK) != 0) return;
    const std::string message = error_of([] { write_file_atomically("/dev/full", "x"); });
    CHECK(message ==
          "cannot write \"/dev/full\": No space left on device; free some space on that disk or choose another folder");
    write_file_atomically("/dev/null", "x");
    CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a writer that throws leaves the old file, and its exception comes through") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "a", "old");
    const auto write_half = [](std::ostream& stream) {
        stream << large;
        throw std::out_of_range("half-way");
    };
    CHECK_THROWS_AS(write_file_atomically(folder / "a", write_half), std::out_of_range);
    const auto spoil = [](std::ostream& stream) { stream.setstate(std::ios::failbit); };
    CHECK(contains(error_of([&] { write_file_atomically(folder / "a", spoil); }), "could not be formatted"));
    CHECK(content(folder / "a") == "old");
    CHECK(names_in(folder.path()) == std::set<std::string>{"a"});
}

TEST_CASE("a file that cannot be created says why") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "file", "x");
    const auto message = [&](const std::string& name) {
        return error_of([&] { write_file_atomically(folder / name, "y"); });
    };
    CHECK(contains(message("file/below"), "Not a directory; a part of the path before the last is a file"));
    CHECK(contains(message("missing/below"), "No such file or directory; check the spelling"));
    CHECK(contains(message(std::string(300, 'n')), "File name too long; choose a shorter name"));
    CHECK(contains(error_of([&] { write_file_atomically(folder.path(), "y"); }),
                   "Is a directory; give the path of a file"));
    if (::geteuid() != 0) {
        fs::permissions(folder / "file", fs::perms::owner_read);
        CHECK(contains(message("file"), "Permission denied; check its permissions"));
    }
    CHECK(names_in(folder.path()) == std::set<std::string>{"file"});
    fs::create_symlink("loop", folder / "loop");
    CHECK(contains(message("loop"), "Too many levels of symbolic links; a symbolic link in the path leads back"));
    CHECK(fs::is_symlink(folder / "loop"));
}

TEST_CASE("read_file refuses what is not a readable file of the expected size") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "five", "12345");
    CHECK(read_file(folder / "five", 5) == "12345");
    CHECK(contains(error_of([&] { read_file(folder / "five", 4); }), "it has 5 bytes; at most 4 are read"));
    CHECK(contains(error_of([&] { read_file(folder / "none", 4); }), "none\": No such file or directory"));
    CHECK(contains(error_of([&] { read_file(folder.path(), 4); }), "Is a directory"));
    CHECK(contains(error_of([&] { read_file("/dev/zero", 4); }), "not a regular file"));
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    CHECK(contains(error_of([&] { read_file(folder / "pipe", 4); }), "not a regular file"));
}

TEST_CASE("a checkpoint folder is created and replaced whole") {
    const TemporaryFolder folder;
    const fs::path target = folder / "run";
    for (const FolderSwap swap : {FolderSwap::exchange, FolderSwap::renames}) {
        write_folder_atomically(
            target, kind, [](const fs::path& staging) { fill_checkpoint(staging, "first"); }, swap);
        CHECK(content(target / "config.json") == "first");
        write_file_atomically(target / "leftover", "");
        const fs::path with_slash = target / "";
        write_folder_atomically(
            with_slash, kind,
            [](const fs::path& staging) {
                fill_checkpoint(staging, "second");
                fs::create_directory(staging / "deeper");
                write_file_atomically(staging / "deeper" / "file", "x");
            },
            swap);
        CHECK(content(target / "config.json") == "second");
        CHECK(names_in(target) == std::set<std::string>{"config.json", "model.safetensors", "deeper"});
        CHECK(names_in(folder.path()) == std::set<std::string>{"run"});
    }
}

TEST_CASE("an empty folder and a linked folder are filled") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "run");
    fs::create_directory_symlink("run", folder / "link");
    for (const std::string config : {"first", "second"})
        write_folder_atomically(folder / "link", kind,
                                [&](const fs::path& staging) { fill_checkpoint(staging, config); });
    CHECK(fs::is_symlink(folder / "link"));
    CHECK(content(folder / "run" / "config.json") == "second");
    CHECK(names_in(folder.path()) == std::set<std::string>{"link", "run"});
}

TEST_CASE("a checkpoint that fails half-way leaves the old one") {
    const TemporaryFolder folder;
    const fs::path target = folder / "run";
    write_folder_atomically(target, kind, [](const fs::path& staging) { fill_checkpoint(staging, "old"); });
    std::string message;
    SUBCASE("disk full in its second file") {
        const FileSizeLimit limit(4096);
        message = error_of([&] {
            write_folder_atomically(target, kind, [](const fs::path& staging) {
                write_file_atomically(staging / "config.json", "new");
                write_file_atomically(staging / "model.safetensors", large);
            });
        });
        CHECK(contains(message, "File too large"));
    }
    SUBCASE("the filler throws") {
        message = error_of([&] {
            write_folder_atomically(target, kind, [](const fs::path& staging) {
                fill_checkpoint(staging, "new");
                throw Error("half-way");
            });
        });
        CHECK(message == "half-way");
    }
    SUBCASE("the staging folder vanishes") {
        message = error_of(
            [&] { write_folder_atomically(target, kind, [](const fs::path& staging) { fs::remove_all(staging); }); });
        CHECK(contains(message, "No such file or directory"));
    }
    CHECK(content(target / "config.json") == "old");
    CHECK(content(target / "model.safetensors") == "cells of old");
    CHECK(names_in(folder.path()) == std::set<std::string>{"run"});
}

TEST_CASE("a folder that is not a checkpoint is not replaced, and nothing is computed for it") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "photos");
    write_file_atomically(folder / "photos/cat.png", "meow");
    const auto message = [](const fs::path& path) {
        return error_of([&] { write_folder_atomically(path, kind, [](const fs::path&) { FAIL("filled"); }); });
    };
    CHECK(contains(message(folder / "photos"), "it holds \"cat.png\", which is no file of a checkpoint"));
    CHECK(contains(message(folder / "photos/cat.png"), "it is a file, not a folder"));
    CHECK(contains(message(""), "no name"));
    CHECK(contains(message(folder / "missing/run"), "No such file or directory"));
    CHECK(contains(message(folder / "photos/cat.png/run"), "Not a directory"));
    CHECK(content(folder / "photos/cat.png") == "meow");

    const fs::path before = fs::current_path();
    fs::create_directory(folder / "here");
    fs::current_path(folder / "here");
    const std::string working = message(".");
    fs::current_path(before);
    CHECK(contains(working, "working folder"));
}

TEST_CASE("a folder with config.json and what others made beside it is refused by the name of that entry") {
    const TemporaryFolder folder;
    const fs::path target = folder / "project";
    fs::create_directory(target);
    write_file_atomically(target / "config.json", "{}");
    std::string foreign;
    SUBCASE("a file") { write_file_atomically(target / (foreign = "main.c"), "int main;"); }
    SUBCASE("a folder of ours with a file of theirs") {
        fs::create_directory(target / "deeper");
        write_file_atomically(target / (foreign = "deeper/notes.txt"), "mine");
    }
    SUBCASE("a folder") { fs::create_directory(target / (foreign = ".git")); }
    SUBCASE("a folder called as a file of ours") { fs::create_directory(target / (foreign = "model.safetensors")); }
    SUBCASE("a link called as a file of ours") {
        fs::create_symlink("../elsewhere", target / (foreign = "model.safetensors"));
    }
    for (const FolderSwap swap : {FolderSwap::exchange, FolderSwap::renames}) {
        const std::string message = error_of([&] {
            write_folder_atomically(
                target, kind, [](const fs::path&) { FAIL("filled"); }, swap);
        });
        CHECK(contains(message, "it holds \"" + foreign + "\""));
        CHECK(contains(message, target.string()));
        CHECK(message == error_of([&] { require_replaceable(target, kind); }));
    }
    CHECK(fs::exists(fs::symlink_status(target / foreign)));
    CHECK(content(target / "config.json") == "{}");
    CHECK(names_in(folder.path()) == std::set<std::string>{"project"});
}

TEST_CASE("a folder of the right names that is not recognized is refused") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "other");
    write_file_atomically(folder / "other/model.safetensors", "cells");
    CHECK(contains(error_of([&] { require_replaceable(folder / "other", kind); }), "not a checkpoint of this program"));
    CHECK(error_of([&] { require_replaceable(folder / "new", kind); }).empty());
}

TEST_CASE("what someone puts into the folder while it is being replaced is not lost") {
    const TemporaryFolder folder;
    const fs::path target = folder / "run";
    write_folder_atomically(target, kind, [](const fs::path& staging) { fill_checkpoint(staging, "old"); });
    const std::string message = error_of([&] {
        write_folder_atomically(target, kind, [&](const fs::path& staging) {
            fill_checkpoint(staging, "new");
            write_file_atomically(target / "notes.txt", "mine");
        });
    });
    CHECK(contains(message, "it holds \"notes.txt\""));
    CHECK(content(target / "notes.txt") == "mine");
    CHECK(content(target / "config.json") == "old");
    CHECK(names_in(folder.path()) == std::set<std::string>{"run"});
}

TEST_CASE("when descriptors run out while a folder is filled, its staging folder goes all the same") {
    const TemporaryFolder folder;
    rlimit old{};
    getrlimit(RLIMIT_NOFILE, &old);
    std::vector<std::ifstream> open;  // still open when the staging folder is removed
    const std::string message = error_of([&] {
        write_folder_atomically(folder / "run", kind, [&](const fs::path& staging) {
            write_file_atomically(staging / "config.json", "new");
            const rlimit few{64, old.rlim_max};
            setrlimit(RLIMIT_NOFILE, &few);
            while (open.empty() || open.back().is_open()) open.emplace_back("/dev/null");
            write_file_atomically(staging / "model.safetensors", "cells");
        });
    });
    open.clear();
    setrlimit(RLIMIT_NOFILE, &old);
    CHECK(contains(message, "Too many open files"));
    CHECK(names_in(folder.path()).empty());
}
