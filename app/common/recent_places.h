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

/// The desktop's own dialog for a folder or a file, asked for by the palette; App opens it, and does with what was
/// chosen what it was asked for.
struct FolderDialog {
    enum class Ask { nothing, open, open_file, hand_on, export_file };
    bool there = false;  // this desktop has one
    Ask asked = Ask::nothing;
    std::string file = {};  // that it proposes, where something is to be saved
};

}  // namespace glassformer::app
