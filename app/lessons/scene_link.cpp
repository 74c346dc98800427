#include <cstdint>

#include "app/common/links.h"
#include "app/lessons/scene_format.h"
#include "core/base/error.h"
#include "core/io/json_fields.h"

namespace glassformer::app {

namespace {

constexpr std::string_view version = "1.";
constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";  // RFC 4648 §5

std::string encoded(std::string_view bytes) {
    std::string text;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char byte : bytes) {
        bits = bits << 8 | static_cast<unsigned char>(byte);
        for (count += 8; count >= 6; count -= 6) text += digits[bits >> (count - 6) & 63];
    }
    if (count > 0) text += digits[bits << (6 - count) & 63];
    return text;
}

/// Decodes up to the first character that is not base64, since text may follow a link.
std::string decoded(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char letter : text) {
        const std::size_t digit = digits.find(letter);
        if (digit == std::string_view::npos) break;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        if ((count += 6) < 8) continue;
        count -= 8;
        bytes += static_cast<char>(bits >> count & 255);
    }
    return bytes;
}

}  // namespace

std::string link_with(std::string_view address, const nlohmann::json& scene) {
    std::string link(address.substr(0, address.find('#')));
    link += link_begins;
    link += version;
    link += encoded(scene.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    if (link.size() > most_link_bytes)
        throw Error(
            "A link would be too long for this screen: {1} characters, and at most {2} arrive everywhere. Use \"Save "
            "for students…\" instead.",
            link.size(), most_link_bytes);
    return link;
}

nlohmann::json scene_of_link(std::string_view text) {
    const std::size_t at = text.find(link_begins);
    if (at == std::string_view::npos) throw Error("This is no link of Glassformer.");
    text.remove_prefix(at + link_begins.size());
    if (!text.starts_with(version)) throw Error("This link is of another version of Glassformer.");
    text.remove_prefix(version.size());
    if (text.size() > most_link_bytes) throw Error("This link is too long to be one of Glassformer's.");
    try {
        return parse_object(decoded(text), "link");
    } catch (const std::exception&) {
        throw Error("This link is damaged, perhaps cut off. Copy all of it.");
    }
}

}  // namespace glassformer::app
