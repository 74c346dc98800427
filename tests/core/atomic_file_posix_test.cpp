// Replacing files and folders where there are links, devices, pipes and resource limits.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <ostream>
#include <stdexcept>
#include <vector>

#include "core/platform/atomic_file.h"
#include "tests/core/atomic_files.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

namespace {

/// While alive, keeps any file from growing beyond `bytes`: a full disk for every user, root included.
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

}  // namespace

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

TEST_CASE("on a full disk the old file stays, the temporary file is removed and the error gives the reason") {
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

TEST_CASE("a device is written in place, and a full one is reported") {
    if (!fs::is_character_file("/dev/full") || ::access("/dev/full", W_OK) != 0) return;
    const std::string message = error_of([] { write_file_atomically("/dev/full", "x"); });
    CHECK(message ==
          "cannot write \"/dev/full\": No space left on device; free some space on that disk or choose another folder");
    write_file_atomically("/dev/null", "x");
    CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("the error for a file that cannot be created says why") {
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

TEST_CASE("an empty folder is filled, and a linked one is replaced through its link") {
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

TEST_CASE("if file descriptors run out while a folder is written, its staging folder is still removed") {
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
TEST_CASE("read_file refuses a device and a pipe") {
    const TemporaryFolder folder;
    CHECK(contains(error_of([&] { read_file("/dev/zero", 4); }), "not a regular file"));
    REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
    CHECK(contains(error_of([&] { read_file(folder / "pipe", 4); }), "not a regular file"));
}

TEST_CASE("if the disk is full at a checkpoint's second file, the old checkpoint stays") {
    const TemporaryFolder folder;
    const fs::path target = folder / "run";
    write_folder_atomically(target, kind, [](const fs::path& staging) { fill_checkpoint(staging, "old"); });
    {
        const FileSizeLimit limit(4096);
        const std::string message = error_of([&] {
            write_folder_atomically(target, kind, [](const fs::path& staging) {
                write_file_atomically(staging / "config.json", "new");
                write_file_atomically(staging / "model.safetensors", large);
            });
        });
        CHECK(contains(message, "File too large"));
    }
    CHECK(content(target / "config.json") == "old");
    CHECK(content(target / "model.safetensors") == "cells of old");
    CHECK(names_in(folder.path()) == std::set<std::string>{"run"});
}

TEST_CASE("a symbolic link named like a checkpoint's file is refused, and the error names it") {
    const TemporaryFolder folder;
    const fs::path target = folder / "project";
    fs::create_directory(target);
    write_file_atomically(target / "config.json", "{}");
    fs::create_symlink("../elsewhere", target / "model.safetensors");
    CHECK(contains(error_of([&] { require_replaceable(target, kind); }), "it contains \"model.safetensors\""));
    CHECK(fs::is_symlink(target / "model.safetensors"));
}
