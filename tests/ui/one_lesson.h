#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/core/temporary_folder.h"

namespace glassformer::app {

/// A folder with one lesson, "try", deleted after the test. A test gives what its file holds below the title.
struct OneLesson {
    TemporaryFolder place;
    std::filesystem::path folder = place.path();

    explicit OneLesson(const std::string& steps) { write(steps); }

    /// Replaces the lesson; each time, its file is an hour younger.
    void write(const std::string& steps) {
        const std::filesystem::path file = folder / "try.lesson";
        std::ofstream(file) << "lesson: Try\n" << steps;
        std::filesystem::last_write_time(
            file, std::filesystem::file_time_type::clock::now() + std::chrono::hours(written_++));
    }

private:
    int written_ = 0;
};

}  // namespace glassformer::app
