#include "core/text/precompiled_map.h"

#include <cstdint>
#include <cstring>
#include <optional>

#include "core/base/error.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

std::optional<std::string> from_base64(std::string_view text) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    while (text.ends_with('=')) text.remove_suffix(1);
    for (const char c : text) {
        const std::size_t value = letters.find(c);
        if (value == std::string_view::npos) return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        if ((count += 6) >= 8) bytes += static_cast<char>(bits >> (count -= 8) & 0xffu);
    }
    return bytes;
}

// One cell of the trie: a label, an offset to the children, and whether a value hangs below.
std::uint32_t label(std::uint32_t cell) { return cell & ((1u << 31) | 0xffu); }
std::uint32_t offset(std::uint32_t cell) { return (cell >> 10) << ((cell & (1u << 9)) >> 6); }
bool has_value(std::uint32_t cell) { return (cell >> 8 & 1u) == 1; }
std::uint32_t value(std::uint32_t cell) { return cell & ((1u << 31) - 1); }

constexpr std::size_t longest_grapheme = 6;  // bytes; longer ones are looked up character by character

}  // namespace

PrecompiledMap::PrecompiledMap(const std::string& base64, const std::string& where) {
    const std::optional<std::string> bytes = from_base64(base64);
    const auto fail = [&] { throw Error(where + " has a \"precompiled_charsmap\" that is broken"); };
    if (!bytes) fail();
    if (bytes->size() < 4) fail();
    std::uint32_t trie_bytes = 0;
    std::memcpy(&trie_bytes, bytes->data(), 4);
    if (trie_bytes % 4 != 0 || trie_bytes < 4 || trie_bytes > bytes->size() - 4) fail();
    trie_.resize(trie_bytes / 4);
    std::memcpy(trie_.data(), bytes->data() + 4, trie_bytes);
    replacements_ = bytes->substr(4 + trie_bytes);
    if (!is_valid_utf8(replacements_)) fail();
    replacements_ += '\0';
}

const char* PrecompiledMap::find(std::string_view text) const {
    std::size_t at = 0;
    std::uint32_t cell = trie_[0];
    at ^= offset(cell);
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte == 0) break;
        at ^= byte;
        if (at >= trie_.size()) break;
        cell = trie_[at];
        if (label(cell) != byte) break;
        at ^= offset(cell);
        if (!has_value(cell)) continue;
        if (at >= trie_.size()) break;
        // The first entry counts, as in the published implementation.
        if (const std::uint32_t place = value(trie_[at]); place < replacements_.size())
            return replacements_.c_str() + place;
        break;
    }
    return nullptr;
}

AlignedText PrecompiledMap::apply(const AlignedText& text) const {
    AlignedText out;
    const std::string& all = text.text();
    const auto take = [&](ByteRange range) {
        const char* replacement = find(std::string_view(all).substr(range.begin, range.end - range.begin));
        if (replacement) out.append(replacement, text.source(range));
        return replacement != nullptr;
    };
    for (const ByteRange grapheme : graphemes(all)) {
        if (grapheme.end - grapheme.begin < longest_grapheme && take(grapheme)) continue;
        for (std::size_t at = grapheme.begin; at < grapheme.end;) {
            const ByteRange one{at, at + character_length(all, at)};
            if (!take(one)) out.append(text, one);
            at = one.end;
        }
    }
    return out;
}

}  // namespace glassformer
