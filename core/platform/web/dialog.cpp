#include "core/platform/dialog.h"

namespace glassformer::platform {

struct FileDialog::Open {};

bool FileDialog::there() { return false; }
std::unique_ptr<FileDialog> FileDialog::open(For, const std::string&, const std::filesystem::path&) { return nullptr; }
FileDialog::FileDialog(std::unique_ptr<Open> open) : open_(std::move(open)) {}
FileDialog::~FileDialog() = default;
std::optional<std::string> FileDialog::poll() { return ""; }

}  // namespace glassformer::platform
