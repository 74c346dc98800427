#include "tests/faults/failing_calls.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <filesystem>

namespace glassformer {

namespace {

std::atomic<int> calls{0}, failing{0}, reason{0};
std::atomic<std::size_t> most_bytes{0};  // per call; 0: no limit

std::size_t at_most(std::size_t count) { return most_bytes == 0 ? count : std::min(count, most_bytes.load()); }

/// Counts a call. Returns true, with errno set, if it is the one that shall fail.
bool fails() {
    if (failing == 0 || ++calls != failing) return false;
    errno = reason;
    return true;
}

}  // namespace

FailingCall::FailingCall(int which, int error) {
    calls = 0;
    reason = error;
    failing = which;
}

FailingCall::~FailingCall() { failing = 0; }

bool FailingCall::happened() const { return calls >= failing; }

ShortCalls::ShortCalls(std::size_t most) { most_bytes = most; }

ShortCalls::~ShortCalls() { most_bytes = 0; }

int open_files() {
    int count = 0;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored))
        count += std::filesystem::is_regular_file(entry.path(), ignored) ? 1 : 0;
    return count;
}

}  // namespace glassformer

using glassformer::at_most;
using glassformer::fails;

namespace {

int open_at(int folder, const char* path, int flags, unsigned mode) {
    return fails() ? -1 : static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}

unsigned mode_of(int flags, va_list rest) { return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, unsigned) : 0; }

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = mode_of(flags, rest);
    va_end(rest);
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = mode_of(flags, rest);
    va_end(rest);
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = mode_of(flags, rest);
    va_end(rest);
    return open_at(folder, path, flags, mode);
}

ssize_t write(int file, const void* bytes, size_t count) {
    return fails() ? -1 : ::syscall(SYS_write, file, bytes, at_most(count));
}

ssize_t writev(int file, const iovec* parts, int count) {
    return fails() ? -1 : ::syscall(SYS_writev, file, parts, count);
}

ssize_t read(int file, void* bytes, size_t count) {
    return fails() ? -1 : ::syscall(SYS_read, file, bytes, at_most(count));
}

ssize_t pread(int file, void* bytes, size_t count, off_t at) {
    return fails() ? -1 : ::syscall(SYS_pread64, file, bytes, at_most(count), at);
}

ssize_t pread64(int file, void* bytes, size_t count, off64_t at) {
    return fails() ? -1 : ::syscall(SYS_pread64, file, bytes, at_most(count), at);
}

int fsync(int file) { return fails() ? -1 : static_cast<int>(::syscall(SYS_fsync, file)); }

int ftruncate(int file, off_t bytes) noexcept {
    return fails() ? -1 : static_cast<int>(::syscall(SYS_ftruncate, file, bytes));
}

int rename(const char* from, const char* to) noexcept {
    return fails() ? -1 : static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int mkdir(const char* path, mode_t mode) noexcept {
    return fails() ? -1 : static_cast<int>(::syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) noexcept {
    using Call = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto real = reinterpret_cast<Call>(::dlsym(RTLD_NEXT, "pthread_create"));
    return fails() ? errno : real(thread, attributes, run, argument);
}
}
