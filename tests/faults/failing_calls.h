#pragma once

#include <cstddef>

/// Makes system calls that work on files or start threads fail on request. failing_calls.cpp defines these calls
/// itself, so that they replace the C library's, also for the C++ library.
namespace glassformer {

/// While this lives, call number `which` (from 1) fails with `error`; all others go through.
class FailingCall {
public:
    FailingCall(int which, int error);
    ~FailingCall();
    FailingCall(const FailingCall&) = delete;
    FailingCall& operator=(const FailingCall&) = delete;

    /// True if there was a call of that number.
    bool happened() const;
};

/// While this lives, a call reads or writes at most `most` bytes, as the system may at any time.
class ShortCalls {
public:
    explicit ShortCalls(std::size_t most);
    ~ShortCalls();
    ShortCalls(const ShortCalls&) = delete;
    ShortCalls& operator=(const ShortCalls&) = delete;
};

/// The number of regular files that this process has open.
int open_files();

}  // namespace glassformer
