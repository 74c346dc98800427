#include "core/platform/system_error.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <system_error>

#include "core/base/filled.h"
#include "core/base/mark_text.h"
#include "core/platform/network.h"

namespace glassformer {

namespace {

const char* advice(int error) {
    switch (error) {
        case ENOSPC:
#ifdef EDQUOT  // missing on Windows
        case EDQUOT:
#endif
            return N_("free some space on that disk or choose another folder");
        case EFBIG:
            return N_("the file is larger than this disk or account allows; choose another folder");
        case EACCES:
        case EPERM:
            return N_("check its permissions or choose another place");
        case EROFS:
            return N_("that disk is read-only; choose another folder");
        case ENOENT:
            return N_("check the spelling, and that the folder exists");
        case ENOTDIR:
            return N_("a part of the path before the last is a file, not a folder");
        case EISDIR:
            return N_("give the path of a file, not of a folder");
        case ENAMETOOLONG:
            return N_("choose a shorter name");
        case EMFILE:
        case ENFILE:
            return N_("too many files are open; close some programs");
        case ENOMEM:
            return N_("there is not enough memory for it; close other programs");
        case ELOOP:
            return N_("a symbolic link in the path leads back to itself");
        case EIO:
            return N_("the disk may be failing");
        case EBUSY:
            return N_("close it there and try again");
        case ENETUNREACH:
            return N_("check the connection and try again");
        default:
            return N_("try another place");
    }
}

/// The system's texts for common errors, for translation: std::generic_category() has them only in English.
[[maybe_unused]] constexpr const char* reasons[] = {N_("No such file or directory"),
                                                    N_("Permission denied"),
                                                    N_("Operation not permitted"),
                                                    N_("No space left on device"),
                                                    N_("Disk quota exceeded"),
                                                    N_("File exists"),
                                                    N_("Directory not empty"),
                                                    N_("Is a directory"),
                                                    N_("Not a directory"),
                                                    N_("File too large"),
                                                    N_("Read-only file system"),
                                                    N_("Too many open files"),
                                                    N_("Too many open files in system"),
                                                    N_("Too many levels of symbolic links"),
                                                    N_("File name too long"),
                                                    N_("Input/output error"),
                                                    N_("Cannot allocate memory")};

/// The system's text is in English, where there is one: for a file that another program has open, Windows says
/// "Resource device".
std::string reason_of(int error) {
    switch (error) {
        case EBUSY:
            return N_("another program is using it");
        case ENETUNREACH:
            return N_("it is on a network or cloud drive that cannot be reached");
        default:
            return std::generic_category().message(error);
    }
}

/// Whole sentences for translation; other actions use the generic one in fail_to().
struct Sentence {
    std::string_view action;
    const char* pattern;
};
constexpr Sentence sentences[] = {
    {"read", N_("cannot read \"{1}\": {2}; {3}")},
    {"write", N_("cannot write \"{1}\": {2}; {3}")},
    {"write or mend", N_("cannot write or mend \"{1}\": {2}; {3}")},
    {"replace", N_("cannot replace \"{1}\": {2}; {3}")},
    {"rename", N_("cannot rename \"{1}\": {2}; {3}")},
    {"lock", N_("cannot lock \"{1}\": {2}; {3}")},
    {"find", N_("cannot find \"{1}\": {2}; {3}")},
    {"flush to disk", N_("cannot flush to disk \"{1}\": {2}; {3}")},
    {"make a temporary folder in", N_("cannot make a temporary folder in \"{1}\": {2}; {3}")}};

}  // namespace

std::string describe(const std::filesystem::filesystem_error& error) {
    const int number =
        error.code().default_error_condition().value();  // from <cerrno>, even if the system has its own numbers
    return filled_with(N_("cannot use \"{1}\": {2}; {3}"), error.path1(), reason_of(number), advice(number));
}

void platform::fail_to(std::string_view action, const std::filesystem::path& named, int error) {
    const std::string reason = reason_of(error);
    const auto* const known = std::ranges::find(sentences, action, &Sentence::action);
    if (known != std::end(sentences)) throw SystemError(error, known->pattern, named, reason, advice(error));
    throw SystemError(error, "cannot {1} \"{2}\": {3}; {4}", action, named, reason, advice(error));
}

void platform::fail_to_listen(const std::string& address, int port, int error) {
    switch (error) {
        case EADDRINUSE:
            throw SystemError(error,
                              "Port {2} of {1} is already in use by another program, or by another window of this one.",
                              address, std::to_string(port));
        case EACCES:
        case EPERM:
            throw SystemError(error,
                              "This computer does not let the program serve a page on port {2} of {1}. Use another "
                              "port, or allow it in the settings of the firewall or the virus scanner.",
                              address, std::to_string(port));
        case EADDRNOTAVAIL:
        case ENETDOWN:
        case ENETUNREACH:
            throw SystemError(error,
                              "This computer cannot be reached at {1}: its network has changed or is switched off. "
                              "Join the phones' network and try again.",
                              address);
        default:
            throw SystemError(error, "Cannot serve a page at {1}: {2}. Close other programs and try again.", address,
                              std::generic_category().message(error));
    }
}

}  // namespace glassformer
