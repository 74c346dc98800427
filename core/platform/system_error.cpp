#include "core/platform/system_error.h"

#include <cerrno>
#include <system_error>

namespace glassformer {

namespace {

const char* advice(int error) {
    switch (error) {
        case ENOSPC:
#ifdef EDQUOT  // Windows has none
        case EDQUOT:
#endif
            return "free some space on that disk or choose another folder";
        case EFBIG:
            return "the file is larger than this disk or account allows; choose another folder";
        case EACCES:
        case EPERM:
            return "check its permissions or choose another place";
        case EROFS:
            return "that disk is read-only; choose another folder";
        case ENOENT:
            return "check the spelling, and that the folder exists";
        case ENOTDIR:
            return "a part of the path before the last is a file, not a folder";
        case EISDIR:
            return "give the path of a file, not of a folder";
        case ENAMETOOLONG:
            return "choose a shorter name";
        case EMFILE:
        case ENFILE:
            return "too many files are open; close some programs";
        case ENOMEM:
            return "there is not enough memory for it; close other programs";
        case ELOOP:
            return "a symbolic link in the path leads back to itself";
        case EIO:
            return "the disk may be failing";
        default:
            return "try another place";
    }
}

std::string reason(int error) { return std::generic_category().message(error) + "; " + advice(error); }

}  // namespace

std::string describe(const std::filesystem::filesystem_error& error) {
    const int number =
        error.code().default_error_condition().value();  // of <cerrno>, also where the system has its own
    return "cannot use \"" + error.path1().string() + "\": " + reason(number);
}

void platform::fail(std::string_view action, const std::filesystem::path& named, int error) {
    throw SystemError(error, "cannot {1} \"{2}\": {3}; {4}", action, named, std::generic_category().message(error),
                      advice(error));
}

}  // namespace glassformer
