#include "core/text/aligned_text.h"

#include <algorithm>

#include "core/base/error.h"

namespace glassformer {

namespace {

/// Normalizers of published tokenizers lengthen text at most a few times; one without a limit would use up all memory.
/// `bytes` is the size that `typed` bytes have grown to.
void require_not_grown(std::size_t bytes, std::size_t typed) {
    constexpr std::size_t most_times = 64, always = std::size_t{64} << 10, most = std::size_t{64} << 20;
    if (bytes > std::min(always + most_times * typed, most))
        throw Error("the tokenizer's normalizer makes this text more than {1} times as long, or more than {2} MiB",
                    most_times, most >> 20);
}

}  // namespace

std::size_t character_length(std::string_view text, std::size_t at) {
    const auto first = static_cast<unsigned char>(text[at]);
    return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

char32_t character_at(std::string_view text, std::size_t at) {
    const std::size_t length = character_length(text, at);
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
    if (length == 1) return byte(0);
    char32_t point = byte(0) & (0xffu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) point = point << 6 | (byte(i) & 0x3fu);
    return point;
}

void for_each_character(std::string_view text, const std::function<void(char32_t, ByteRange)>& body) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character_length(text, i);
        body(character_at(text, i), {i, i + length});
        i += length;
    }
}

AlignedText::AlignedText(std::string_view typed) : text_(typed) {
    source_.reserve(typed.size());
    for_each_character(
        typed, [&](char32_t, ByteRange range) { source_.insert(source_.end(), range.end - range.begin, range); });
}

ByteRange AlignedText::source(ByteRange range) const {
    if (range.begin >= range.end) {
        const std::size_t at = source_.empty()                ? 0
                               : range.begin < source_.size() ? source_[range.begin].begin
                                                              : source_.back().end;
        return {at, at};
    }
    ByteRange whole = source_[range.begin];
    for (std::size_t i = range.begin; i < range.end; ++i) {
        whole.begin = std::min(whole.begin, source_[i].begin);
        whole.end = std::max(whole.end, source_[i].end);
    }
    return whole;
}

AlignedText AlignedText::cut(ByteRange range) const {
    AlignedText part;
    part.append(*this, range);
    return part;
}

void AlignedText::append(std::string_view text, ByteRange source) {
    require_not_grown(text_.size() + text.size(), source.end);
    text_ += text;
    source_.insert(source_.end(), text.size(), source);
}

void AlignedText::append(const AlignedText& from, ByteRange range) {
    if (range.begin >= range.end) return;
    require_not_grown(text_.size() + range.end - range.begin, from.source_[range.end - 1].end);
    text_.append(from.text_, range.begin, range.end - range.begin);
    const auto first = from.source_.begin();
    source_.insert(source_.end(), first + static_cast<std::ptrdiff_t>(range.begin),
                   first + static_cast<std::ptrdiff_t>(range.end));
}

void AlignedText::prepend(std::string_view text) {
    if (empty()) return;
    AlignedText longer;
    longer.append(text, source_.front());
    longer.append(*this, {0, size()});
    *this = std::move(longer);
}

}  // namespace glassformer
