#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.h"

namespace glassformer {

/// The system refused something. What it says is not about a file's content: the same call may succeed later.
class SystemError : public Error {
public:
    /// `pattern` and `places` as those of an Error.
    template <typename... Places>
    SystemError(int code, std::string_view pattern, const Places&... places) : Error(pattern, places...), code_(code) {}
    /// The system's number for it, as <cerrno> names them: ENOENT, EACCES, EIO …
    int code() const { return code_; }

private:
    int code_;
};

/// What a failure of std::filesystem means for the person: the path, the reason and what to do.
std::string describe(const std::filesystem::filesystem_error& error);

namespace platform {

/// Throws SystemError: `cannot <action> "<path>": <reason>; <what to do>`, for a number of <cerrno>. `named` is the
/// path that the person gave, not the temporary beside it.
[[noreturn]] void fail_to(std::string_view action, const std::filesystem::path& named, int error);

}  // namespace platform
}  // namespace glassformer
