#include "core/platform/file.h"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "core/platform/system_error.h"
#include "core/platform/windows/system.h"

namespace glassformer::platform {

namespace {

struct Opening {
    DWORD access, how, attributes;
    int flags;  // for the C library's descriptor
};

Opening opening_of(OpenFor what) {
    constexpr DWORD both = GENERIC_READ | GENERIC_WRITE;
    switch (what) {
        case OpenFor::reading:
            return {GENERIC_READ, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, _O_RDONLY};
        case OpenFor::writing:
            return {GENERIC_WRITE, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, _O_WRONLY};
        case OpenFor::changing:
            return {both, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, _O_RDWR};
        case OpenFor::appending:
            return {both, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, _O_RDWR | _O_APPEND};
        case OpenFor::creating:
            return {GENERIC_WRITE, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, _O_WRONLY};
        case OpenFor::keeping:
            return {GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, _O_RDONLY};
    }
    return {};
}

/// Other programs may read, replace and delete files that this program has open, as on other systems.
constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

HANDLE handle_of(int fd) { return reinterpret_cast<HANDLE>(::_get_osfhandle(fd)); }

bool is_folder(const std::wstring& path) {
    const DWORD attributes = ::GetFileAttributesW(path.c_str());
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY);
}

bool is_file(const std::wstring& path) {
    const DWORD attributes = ::GetFileAttributesW(path.c_str());
    return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

OVERLAPPED at_offset(std::uint64_t offset) {
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(offset);
    place.OffsetHigh = static_cast<DWORD>(offset >> 32);
    return place;
}

/// Renames an open file or folder, replacing a file that others may have open.
bool rename_open(HANDLE file, const std::wstring& to) {
    constexpr DWORD replace_posix = 0x1 | 0x2;  // FILE_RENAME_FLAG_REPLACE_IF_EXISTS, …_POSIX_SEMANTICS
    constexpr auto rename_ex = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);  // FileRenameInfoEx
    struct Info {
        DWORD flags;
        HANDLE root;
        DWORD length;
        wchar_t name[1];
    };
    const std::size_t bytes = to.size() * sizeof(wchar_t);
    std::string memory(sizeof(Info) + bytes, '\0');
    auto* const info = reinterpret_cast<Info*>(memory.data());
    info->flags = replace_posix;
    info->length = static_cast<DWORD>(bytes);
    std::copy(to.begin(), to.end(), info->name);
    return ::SetFileInformationByHandle(file, rename_ex, info, static_cast<DWORD>(memory.size()));
}

/// Moves an open file aside under another name, and back if the new file cannot take its place.
bool rename_after_stepping_aside(const std::wstring& from, const std::wstring& to) {
    const std::wstring aside = temporary_beside(to).native();
    if (!::MoveFileExW(to.c_str(), aside.c_str(), 0)) return false;
    if (::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_WRITE_THROUGH)) {
        ::DeleteFileW(aside.c_str());  // it disappears when it is closed
        return true;
    }
    const DWORD error = ::GetLastError();
    ::MoveFileExW(aside.c_str(), to.c_str(), 0);
    ::SetLastError(error);
    return false;
}

bool rename_once(const std::wstring& from, const std::wstring& to) {
    Handle file(::CreateFileW(from.c_str(), DELETE | SYNCHRONIZE, shared, nullptr, OPEN_EXISTING,
                              FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
    if (!file) return false;
    if (rename_open(file.get(), to)) return true;
    file.close();
    // Disks without NTFS, and Windows before 1709, support only these.
    if (::MoveFileExW(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) return true;
    const DWORD error = ::GetLastError();
    if (error == ERROR_ACCESS_DENIED && is_file(to)) return rename_after_stepping_aside(from, to);
    ::SetLastError(error);  // is_file() may have set another one
    return false;
}

}  // namespace

File::File(const std::filesystem::path& path, OpenFor what, std::string_view action,
           const std::filesystem::path& named) {
    const Opening opening = opening_of(what);
    const std::wstring name = system_path(path);
    const HANDLE handle =
        ::CreateFileW(name.c_str(), opening.access, shared, nullptr, opening.how, opening.attributes, nullptr);
    if (handle == INVALID_HANDLE_VALUE) {
        const int error = errno_of();
        fail_to(action, named, what != OpenFor::keeping && is_folder(name) ? EISDIR : error);
    }
    fd_ = ::_open_osfhandle(reinterpret_cast<std::intptr_t>(handle), opening.flags | _O_BINARY | _O_NOINHERIT);
    if (fd_ >= 0) return;
    const int error = errno;
    ::CloseHandle(handle);
    fail_to(action, named, error);
}

File::~File() { close(); }

int File::write(std::string_view bytes) const {
    constexpr std::size_t most = 1 << 30;  // the C library counts in 32 bits
    while (!bytes.empty()) {
        const int written = ::_write(fd_, bytes.data(), static_cast<unsigned>(std::min(bytes.size(), most)));
        if (written < 0) return errno;
        if (written == 0) return ENOSPC;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

std::int64_t File::seek(std::int64_t offset, std::ios::seekdir from) const {
    const int whence = from == std::ios::beg ? SEEK_SET : from == std::ios::cur ? SEEK_CUR : SEEK_END;
    return ::GetFileType(handle_of(fd_)) == FILE_TYPE_DISK ? ::_lseeki64(fd_, offset, whence) : -1;
}

int File::sync() const {
    if (::FlushFileBuffers(handle_of(fd_))) return 0;
    const DWORD error = ::GetLastError();
    return error == ERROR_INVALID_FUNCTION || error == ERROR_INVALID_HANDLE ? 0 : errno_of(error);
}

int File::resize(std::uint64_t bytes) const {
    FILE_END_OF_FILE_INFO end{};
    end.EndOfFile.QuadPart = static_cast<LONGLONG>(bytes);
    return ::SetFileInformationByHandle(handle_of(fd_), FileEndOfFileInfo, &end, sizeof end) ? 0 : errno_of();
}

int File::read(std::uint64_t offset, std::span<char> bytes, std::size_t& count) const {
    constexpr std::size_t most = 1 << 30;
    for (count = 0; count < bytes.size();) {
        OVERLAPPED place = at_offset(offset + count);
        DWORD got = 0;
        const auto wanted = static_cast<DWORD>(std::min(bytes.size() - count, most));
        if (!::ReadFile(handle_of(fd_), bytes.data() + count, wanted, &got, &place)) {
            const DWORD error = ::GetLastError();
            if (error == ERROR_HANDLE_EOF) break;
            return errno_of(error);
        }
        if (got == 0) break;
        count += got;
    }
    return 0;
}

// On Windows a lock keeps others from reading the locked bytes, so lock a byte that no file has.
bool File::try_lock(bool& taken) const {
    OVERLAPPED place = at_offset(std::uint64_t{1} << 62);
    taken = ::LockFileEx(handle_of(fd_), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place);
    const DWORD error = taken ? ERROR_SUCCESS : ::GetLastError();
    errno = errno_of(error);
    return taken || error == ERROR_LOCK_VIOLATION || error == ERROR_IO_PENDING;
}

// On Windows a new file gets its folder's permissions, and a read-only file is never replaced.
int File::keep_permissions_of(const std::filesystem::path&) const { return 0; }

bool File::is_at(const std::filesystem::path& path) const {
    const Handle named(::CreateFileW(system_path(path).c_str(), FILE_READ_ATTRIBUTES, shared, nullptr, OPEN_EXISTING,
                                     FILE_FLAG_BACKUP_SEMANTICS, nullptr));
    BY_HANDLE_FILE_INFORMATION open{}, there{};
    return named && ::GetFileInformationByHandle(handle_of(fd_), &open) &&
           ::GetFileInformationByHandle(named.get(), &there) && open.nNumberOfLinks > 0 &&
           open.dwVolumeSerialNumber == there.dwVolumeSerialNumber && open.nFileIndexHigh == there.nFileIndexHigh &&
           open.nFileIndexLow == there.nFileIndexLow;
}

int File::regular_size(std::uint64_t& bytes) const {
    if (::GetFileType(handle_of(fd_)) != FILE_TYPE_DISK) return EINVAL;
    LARGE_INTEGER size{};
    if (!::GetFileSizeEx(handle_of(fd_), &size)) return errno_of();
    bytes = static_cast<std::uint64_t>(size.QuadPart);
    return 0;
}

FileStamp File::stamp() const {
    BY_HANDLE_FILE_INFORMATION status{};
    if (!::GetFileInformationByHandle(handle_of(fd_), &status)) return {};
    const std::int64_t ticks =
        static_cast<std::int64_t>(status.ftLastWriteTime.dwHighDateTime) << 32 | status.ftLastWriteTime.dwLowDateTime;
    constexpr std::int64_t second = 10'000'000;
    return {static_cast<std::uint64_t>(status.nFileSizeHigh) << 32 | status.nFileSizeLow, ticks / second,
            ticks % second * 100};
}

int File::close() {
    if (fd_ < 0) return 0;
    return ::_close(std::exchange(fd_, -1)) == 0 ? 0 : errno;
}

/// Windows cannot flush folders.
void sync_folder(const std::filesystem::path&, const std::filesystem::path&) {}

int rename_over(const std::filesystem::path& from, const std::filesystem::path& to) {
    constexpr int tries = 20;
    constexpr DWORD pause = 25;  // milliseconds
    const std::wstring old_name = system_path(from), name = system_path(to);
    if (is_folder(name) && is_folder(old_name)) ::RemoveDirectoryW(name.c_str());  // fails unless it is empty
    for (int attempt = 1;; ++attempt) {
        if (rename_once(old_name, name)) return 0;
        const DWORD error = ::GetLastError();
        // A virus scanner or an indexer opens every new file for a moment.
        if (attempt == tries || (error != ERROR_SHARING_VIOLATION && error != ERROR_ACCESS_DENIED))
            return errno_of(error);
        ::Sleep(pause);
    }
}

int swap_names(const std::filesystem::path&, const std::filesystem::path&) { return ENOTSUP; }

bool may_write(const std::filesystem::path& path) {
    const std::wstring name = system_path(path);
    const DWORD access = is_folder(name) ? FILE_ADD_FILE : FILE_WRITE_DATA;
    const Handle file(
        ::CreateFileW(name.c_str(), access, shared, nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
    if (!file) errno = errno_of();
    return static_cast<bool>(file);
}

/// Only an attempt shows whether a name is valid: that depends on the disk.
int creation_error(const std::filesystem::path& path) {
    constexpr std::size_t longest = 255;  // of a name on NTFS and FAT, in UTF-16 units
    const Handle file(::CreateFileW(system_path(path).c_str(), GENERIC_WRITE | DELETE, shared, nullptr, CREATE_NEW,
                                    FILE_FLAG_DELETE_ON_CLOSE, nullptr));
    if (file) return 0;
    const int error = errno_of();
    if (may_write(path)) return 0;  // a device, such as NUL
    return error == ENOENT && path.filename().native().size() > longest ? ENAMETOOLONG : error;
}

}  // namespace glassformer::platform
