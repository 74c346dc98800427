#pragma once

#include <algorithm>

#include "tests/cli/program.h"

namespace glassformer {

/// Trains 40 steps and keeps the run.
inline std::filesystem::path kept_run(const TemporaryFolder& folder) {
    const Ran ran = run({"train", "--world", "copying", "--steps", "40", "--batch", "8", "--run",
                         (folder / "run").string(), "--save-every", "10"});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    return folder / "run";
}

inline std::vector<std::string> film(const std::filesystem::path& from, const std::filesystem::path& out,
                                     const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"film", from.string(), out.string(), "--size", "800x520"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

inline std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

inline void film_refused(const std::vector<std::string>& arguments, int code, const std::string& part,
                         const Start& start = {}) {
    const Ran ran = run(arguments, start);
    CAPTURE(ran.err);
    CHECK(ran.code == code);
    CHECK(ran.says(part));
}

}  // namespace glassformer
