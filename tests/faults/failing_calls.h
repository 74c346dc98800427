#pragma once

/// The calls of the system that work on files fail when a test says so: this program puts its own before the C
/// library's (failing_calls.cpp), for the C++ library as well.
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

/// Files, not folders, that are open in this process.
int open_files();

}  // namespace glassformer
