#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"

namespace glassformer::testing {

/// A copy of the program's shaders, to be changed; the program uses it while this object lives.
class ChangedShaders {
public:
    ChangedShaders() {
        std::filesystem::copy(
            std::string(GLASSFORMER_SOURCE_DIR) + "/shaders", folder_.path(),
            std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
    }
    /// Also replaces one text in one of them.
    ChangedShaders(const std::string& shader, const std::string& text, const std::string& replacement)
        : ChangedShaders() {
        change(shader, text, replacement);
    }
    /// Replaces the text's first occurrence in the original shader and stores the result in the copy.
    void change(const std::string& shader, const std::string& text, const std::string& replacement) const {
        const std::ifstream original(std::string(GLASSFORMER_SOURCE_DIR) + "/shaders/" + shader);
        std::string source = (std::ostringstream() << original.rdbuf()).str();
        const std::size_t at = source.find(text);
        REQUIRE(at != std::string::npos);
        const std::filesystem::path file = folder_.path() / shader;
        std::ofstream(file) << source.replace(at, text.size(), replacement);
        // Two changes may fall within one tick of the file system's clock.
        std::filesystem::last_write_time(
            file, std::filesystem::file_time_type::clock::now() + std::chrono::seconds(++changes_));
    }

private:
    TemporaryFolder folder_;
    SetVariable used_{"GLASSFORMER_SHADERS", folder_.path().string()};
    mutable int changes_ = 0;
};

}  // namespace glassformer::testing
