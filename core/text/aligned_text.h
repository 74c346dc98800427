#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace glassformer {

/// A range of bytes.
struct ByteRange {
    std::size_t begin = 0, end = 0;
    bool operator==(const ByteRange&) const = default;
};

/// Text that was transformed on its way to a tokenizer, with the range of the typed text that each of its bytes stands
/// for. Always well-formed UTF-8.
class AlignedText {
public:
    AlignedText() = default;
    /// The typed text itself: each character stands for itself.
    explicit AlignedText(std::string_view typed);

    const std::string& text() const { return text_; }
    std::size_t size() const { return text_.size(); }
    bool empty() const { return text_.empty(); }
    /// The range of the typed text that a range of this text stands for.
    ByteRange source(ByteRange range) const;
    AlignedText cut(ByteRange range) const;

    /// Appends text that stands for the given range of the typed text. Throws Error if the result grows beyond reason.
    void append(std::string_view text, ByteRange source);
    /// Appends a range of another text, with its sources.
    void append(const AlignedText& from, ByteRange range);

    /// Inserts `text` before the first character, with the source of that character.
    void prepend(std::string_view text);

private:
    std::string text_;
    std::vector<ByteRange> source_;
};

/// The length in bytes of the character at an offset of well-formed text.
std::size_t character_length(std::string_view text, std::size_t at);

/// Calls body(code point, its byte range) for each character.
void for_each_character(std::string_view text, const std::function<void(char32_t, ByteRange)>& body);

/// The code point at an offset of well-formed text.
char32_t character_at(std::string_view text, std::size_t at);

}  // namespace glassformer
