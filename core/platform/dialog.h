#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace glassformer::platform {

/// The desktop's own dialog for choosing a folder or a file. It runs in another program (zenity or kdialog) or on a
/// thread, so that the window keeps running. The destructor closes it.
class FileDialog {
public:
    enum class For { folder, file, saving };

    /// True if this desktop has such a dialog.
    static bool there();
    /// Null if it could not be started.
    static std::unique_ptr<FileDialog> open(For what, const std::string& title, const std::filesystem::path& start);
    ~FileDialog();
    FileDialog(const FileDialog&) = delete;
    FileDialog& operator=(const FileDialog&) = delete;

    /// Never blocks. Empty while the dialog is open; then the path chosen, or "" if none was.
    std::optional<std::string> poll();

private:
    struct Open;
    explicit FileDialog(std::unique_ptr<Open> open);

    std::unique_ptr<Open> open_;
};

}  // namespace glassformer::platform
