#include "core/platform/atomic_file.h"

#include <doctest/doctest.h>

#include <ostream>
#include <stdexcept>

#include "core/base/error.h"
#include "tests/core/atomic_files.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;
namespace fs = std::filesystem;

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

TEST_CASE("a folder given by its name alone is written in the working folder") {
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

TEST_CASE("a file given by its name alone is written in the working folder") {
    const TemporaryFolder folder;
    const fs::path before = fs::current_path();
    fs::current_path(folder.path());
    write_file_atomically("bare.txt", "here");
    fs::current_path(before);
    CHECK(content(folder / "bare.txt") == "here");
}

TEST_CASE("if the writer throws, the old file stays and the exception reaches the caller") {
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

TEST_CASE("read_file refuses folders, missing files and files over the size limit") {
    const TemporaryFolder folder;
    write_file_atomically(folder / "five", "12345");
    CHECK(read_file(folder / "five", 5) == "12345");
    CHECK(contains(error_of([&] { read_file(folder / "five", 4); }), "it has 5 bytes; at most 4 are read"));
    CHECK(contains(error_of([&] { read_file(folder / "none", 4); }), "none\": No such file or directory"));
    CHECK(contains(error_of([&] { read_file(folder.path(), 4); }), "Is a directory"));
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

TEST_CASE("if writing a checkpoint fails halfway, the old one stays") {
    const TemporaryFolder folder;
    const fs::path target = folder / "run";
    write_folder_atomically(target, kind, [](const fs::path& staging) { fill_checkpoint(staging, "old"); });
    std::string message;
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

TEST_CASE("a folder that is not a checkpoint is refused before anything is written") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "photos");
    write_file_atomically(folder / "photos/cat.png", "meow");
    const auto message = [](const fs::path& path) {
        return error_of([&] { write_folder_atomically(path, kind, [](const fs::path&) { FAIL("filled"); }); });
    };
    CHECK(contains(message(folder / "photos"), "it contains \"cat.png\", which does not belong to a checkpoint"));
    CHECK(contains(message(folder / "photos/cat.png"), "it is a file, not a folder"));
    CHECK(contains(message(""), "no name"));
    CHECK(contains(message(folder / "missing/run"), "No such file or directory"));
    CHECK(contains(message(folder / "photos/cat.png/run"), on_windows ? "No such file" : "Not a directory"));
    CHECK(content(folder / "photos/cat.png") == "meow");

    const fs::path before = fs::current_path();
    fs::create_directory(folder / "here");
    fs::current_path(folder / "here");
    const std::string working = message(".");
    fs::current_path(before);
    CHECK(contains(working, "working folder"));
}

TEST_CASE("a folder with config.json and something foreign is refused, and the error names the foreign entry") {
    const TemporaryFolder folder;
    const fs::path target = folder / "project";
    fs::create_directory(target);
    write_file_atomically(target / "config.json", "{}");
    std::string foreign;
    SUBCASE("a file") { write_file_atomically(target / (foreign = "main.c"), "int main;"); }
    SUBCASE("a foreign file in one of our folders") {
        fs::create_directory(target / "deeper");
        write_file_atomically(target / (foreign = "deeper/notes.txt"), "mine");
    }
    SUBCASE("a folder") { fs::create_directory(target / (foreign = ".git")); }
    SUBCASE("a folder named like one of our files") { fs::create_directory(target / (foreign = "model.safetensors")); }
    for (const FolderSwap swap : {FolderSwap::exchange, FolderSwap::renames}) {
        const std::string message = error_of([&] {
            write_folder_atomically(
                target, kind, [](const fs::path&) { FAIL("filled"); }, swap);
        });
        CHECK(contains(message, "it contains \"" + foreign + "\""));
        CHECK(contains(message, target.string()));
        CHECK(message == error_of([&] { require_replaceable(target, kind); }));
    }
    CHECK(fs::exists(fs::symlink_status(target / foreign)));
    CHECK(content(target / "config.json") == "{}");
    CHECK(names_in(folder.path()) == std::set<std::string>{"project"});
}

TEST_CASE("a folder with the right file names that is not a checkpoint is refused") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "other");
    write_file_atomically(folder / "other/model.safetensors", "cells");
    CHECK(contains(error_of([&] { require_replaceable(folder / "other", kind); }), "not a checkpoint of this program"));
    CHECK(error_of([&] { require_replaceable(folder / "new", kind); }).empty());
}

TEST_CASE("a file added to the folder while it is being replaced is not lost") {
    const TemporaryFolder folder;
    const fs::path target = folder / "run";
    write_folder_atomically(target, kind, [](const fs::path& staging) { fill_checkpoint(staging, "old"); });
    const std::string message = error_of([&] {
        write_folder_atomically(target, kind, [&](const fs::path& staging) {
            fill_checkpoint(staging, "new");
            write_file_atomically(target / "notes.txt", "mine");
        });
    });
    CHECK(contains(message, "it contains \"notes.txt\""));
    CHECK(content(target / "notes.txt") == "mine");
    CHECK(content(target / "config.json") == "old");
    CHECK(names_in(folder.path()) == std::set<std::string>{"run"});
}
