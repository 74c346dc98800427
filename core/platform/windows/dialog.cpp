#include "core/platform/dialog.h"

#include <atomic>
#include <thread>
#include <utility>

#include "core/platform/windows/system.h"
// Must come after windows.h.
#include <shlobj.h>
#include <shobjidl.h>

namespace glassformer::platform {

namespace fs = std::filesystem;

namespace {

/// A COM object (RAII).
template <class T>
struct Com {
    ~Com() {
        if (object) object->Release();
    }
    Com() = default;
    Com(const Com&) = delete;
    Com& operator=(const Com&) = delete;

    void** address() { return reinterpret_cast<void**>(&object); }
    T* object = nullptr;
};

/// The user's choice; "" if none. Call this on a thread of its own, which then belongs to the dialog.
std::string ask(FileDialog::For what, const std::wstring& title, const fs::path& start) {
    const bool saves = what == FileDialog::For::saving;
    Com<IFileDialog> dialog;
    if (FAILED(::CoCreateInstance(saves ? CLSID_FileSaveDialog : CLSID_FileOpenDialog, nullptr, CLSCTX_INPROC_SERVER,
                                  IID_IFileDialog, dialog.address())))
        return {};
    DWORD options = 0;
    dialog.object->GetOptions(&options);
    options |= FOS_FORCEFILESYSTEM;
    if (what == FileDialog::For::folder) options |= FOS_PICKFOLDERS;
    dialog.object->SetOptions(options);
    dialog.object->SetTitle(title.c_str());
    Com<IShellItem> folder, chosen;
    const fs::path above = saves ? start.parent_path() : start;
    if (SUCCEEDED(::SHCreateItemFromParsingName(above.c_str(), nullptr, IID_IShellItem, folder.address())))
        dialog.object->SetFolder(folder.object);
    if (saves) dialog.object->SetFileName(start.filename().c_str());
    if (FAILED(dialog.object->Show(nullptr)) || FAILED(dialog.object->GetResult(&chosen.object))) return {};
    wchar_t* name = nullptr;
    if (FAILED(chosen.object->GetDisplayName(SIGDN_FILESYSPATH, &name))) return {};
    std::string text = utf8(name);
    ::CoTaskMemFree(name);
    return text;
}

BOOL CALLBACK close_window(HWND window, LPARAM) {
    ::PostMessageW(window, WM_CLOSE, 0, 0);
    return TRUE;
}

}  // namespace

struct FileDialog::Open {
    Open(For what, const std::string& named, const fs::path& from)
        : thread([this, what, title = utf16(named), start = from.lexically_normal()] {
              number = ::GetCurrentThreadId();
              const bool ready = SUCCEEDED(::CoInitializeEx(nullptr, COINIT_APARTMENTTHREADED));
              if (ready) answer = ask(what, title, start);
              if (ready) ::CoUninitialize();
              ended = true;
          }) {}
    ~Open() {
        while (!ended) {
            ::EnumThreadWindows(number, close_window, 0);
            ::Sleep(10);
        }
        thread.join();
    }
    Open(const Open&) = delete;
    Open& operator=(const Open&) = delete;

    std::string answer;
    std::atomic<DWORD> number{0};
    std::atomic<bool> ended{false};
    std::thread thread;
};

bool FileDialog::there() { return true; }

std::unique_ptr<FileDialog> FileDialog::open(For what, const std::string& title, const fs::path& start) {
    return std::unique_ptr<FileDialog>(new FileDialog(std::make_unique<Open>(what, title, start)));
}

FileDialog::FileDialog(std::unique_ptr<Open> open) : open_(std::move(open)) {}

FileDialog::~FileDialog() = default;

std::optional<std::string> FileDialog::poll() {
    if (!open_->ended) return std::nullopt;
    return open_->answer;
}

}  // namespace glassformer::platform
