#pragma once

#include <array>
#include <filesystem>

namespace glassformer {

/// While this lives, stdout and stderr go to a file.
class Said {
public:
    explicit Said(const std::filesystem::path& file);
    ~Said();
    Said(const Said&) = delete;
    Said& operator=(const Said&) = delete;

private:
    std::array<int, 2> kept_{};
};

}  // namespace glassformer
