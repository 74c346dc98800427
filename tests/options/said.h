#pragma once

#include <array>
#include <filesystem>

namespace glassformer {

/// What the program says goes into a file while this lives.
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
