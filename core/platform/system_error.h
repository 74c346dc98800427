#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace glassformer {

/// The system refused an operation. This says nothing about a file's content: the same call may succeed later.
class SystemError : public Error {
public:
    /// `pattern` and `places` are as in Error.
    template <typename... Places>
    SystemError(int code, std::string_view pattern, const Places&... places) : Error(pattern, places...), code_(code) {}
    /// The system's error number, as in <cerrno>: ENOENT, EACCES, EIO …
    int code() const { return code_; }

private:
    int code_;
};

/// A message for the user about a std::filesystem failure: the path, the reason and what to do.
std::string describe(const std::filesystem::filesystem_error& error);

namespace platform {

/// Throws SystemError `cannot <action> "<path>": <reason>; <what to do>` for an error number of <cerrno>. `named` is
/// the path that the user gave, not the temporary file beside it.
[[noreturn]] void fail_to(std::string_view action, const std::filesystem::path& named, int error);

}  // namespace platform
}  // namespace glassformer
