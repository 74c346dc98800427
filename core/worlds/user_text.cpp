#include "core/worlds/user_text.h"

#include "core/base/error.h"
#include "core/text/text_file.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

/// Where the held-out part begins.
std::size_t cut(const std::string& text) {
    const std::size_t tenth = text.size() - text.size() / 10;
    const std::size_t blank = text.find_last_of(" \t\r\n", tenth - 1);
    if (blank != std::string::npos && blank >= text.size() - text.size() / 4) return blank + 1;
    return character_start(text, tenth);
}

}  // namespace

UserText UserText::load(const std::filesystem::path& path) {
    return parse(read_text_file(path, max_bytes), path.string());
}

UserText UserText::parse(std::string text, const std::string& file_name) {
    check_utf8(text, file_name);
    if (text.size() < min_bytes)
        throw Error("{1}: has {2} bytes of text; at least {3} are needed to train on and to test with", file_name,
                    text.size(), min_bytes);
    const std::size_t begin = cut(text);
    return {text.substr(0, begin), text.substr(begin)};
}

}  // namespace glassformer
