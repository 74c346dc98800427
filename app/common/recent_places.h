#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace glassformer::app {

/// The folders of models and runs that were opened, the newest first; kept in the settings.
struct RecentPlaces {
    static constexpr std::size_t most = 10;
    std::vector<std::string> folders;

    void add(const std::string& folder) {
        std::erase(folders, folder);
        folders.insert(folders.begin(), folder);
        if (folders.size() > most) folders.resize(most);
    }
};

/// The desktop's own dialog for a folder, asked for by the palette; App opens it and what it chooses.
struct FolderDialog {
    bool there = false;  // this desktop has one
    bool asked = false;
};

}  // namespace glassformer::app
