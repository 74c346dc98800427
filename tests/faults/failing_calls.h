#pragma once

#include <cstddef>

/// The calls of the system that work on files or start threads fail when a test says so: this program puts its own
/// before the C library's (failing_calls.cpp), for the C++ library as well.
namespace glassformer {

/// In its lifetime call number `which` (from 1) fails with that error; all others go through.
class FailingCall {
public:
    FailingCall(int which, int error);
    ~FailingCall();
    FailingCall(const FailingCall&) = delete;
    FailingCall& operator=(const FailingCall&) = delete;

    /// Whether there was a call of that number.
    bool happened() const;
};

/// In its lifetime a call reads or writes at most so many bytes, as the system may at any time.
class ShortCalls {
public:
    explicit ShortCalls(std::size_t most);
    ~ShortCalls();
    ShortCalls(const ShortCalls&) = delete;
    ShortCalls& operator=(const ShortCalls&) = delete;
};

/// Files, not folders, that are open in this process.
int open_files();

}  // namespace glassformer
