#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// A stretch of bytes.
struct ByteRange {
    std::size_t begin = 0, end = 0;
    bool operator==(const ByteRange&) const = default;
};

/// Text that was changed on its way to a tokenizer, and for each of its bytes the stretch of the typed text that it
/// stands for. Always well-formed UTF-8.
class AlignedText {
public:
    AlignedText() = default;
    /// The typed text itself: each character stands for itself.
    explicit AlignedText(std::string_view typed);

    const std::string& text() const { return text_; }
    std::size_t size() const { return text_.size(); }
    bool empty() const { return text_.empty(); }
    /// What a stretch of it stands for.
    ByteRange source(ByteRange range) const;
    AlignedText cut(ByteRange range) const;

    /// Adds text that stands for the given stretch of the typed text. Throws Error when the whole grows beyond reason.
    void append(std::string_view text, ByteRange source);
    /// Adds a stretch of another text, with what it stands for.
    void append(const AlignedText& from, ByteRange range);

    /// `text` before the first character, standing for what that stands for.
    void prepend(std::string_view text);

private:
    std::string text_;
    std::vector<ByteRange> source_;
};

/// The length in bytes of the character that well-formed text has at a place.
std::size_t character_length(std::string_view text, std::size_t at);

/// Calls body(code point, its bytes) for each character.
void for_each_character(std::string_view text, const std::function<void(char32_t, ByteRange)>& body);

/// The code point at a place of well-formed text.
char32_t character_at(std::string_view text, std::size_t at);

}  // namespace glassformer
