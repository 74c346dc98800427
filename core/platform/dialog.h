#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace glassformer::platform {

/// The desktop's own dialog for choosing a folder or a file, in a program of its own (zenity or kdialog) or on a
/// thread, so that the window goes on meanwhile. Ended with this object.
class FileDialog {
public:
    enum class For { folder, file, saving };

    /// Whether this desktop has such a dialog.
    static bool there();
    /// Null where it could not be started.
    static std::unique_ptr<FileDialog> open(For what, const std::string& title, const std::filesystem::path& start);
    ~FileDialog();
    FileDialog(const FileDialog&) = delete;
    FileDialog& operator=(const FileDialog&) = delete;

    /// Never waits. Empty while it is open; then what was chosen, "" where nothing was.
    std::optional<std::string> poll();

private:
    struct Open;
    explicit FileDialog(std::unique_ptr<Open> open);

    std::unique_ptr<Open> open_;
};

}  // namespace glassformer::platform
