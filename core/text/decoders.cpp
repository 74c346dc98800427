#include <charconv>

#include "core/text/pipeline.h"
#include "core/text/shown_bytes.h"
#include "core/text/utf8.h"

namespace glassformer {

namespace {

using Pieces = std::vector<std::string>;

std::string replaced(const std::string& text, const std::string& wanted, const std::string& with) {
    std::string out;
    std::size_t done = 0;
    for (std::size_t at = wanted.empty() ? std::string::npos : text.find(wanted); at != std::string::npos;
         at = text.find(wanted, done)) {
        out += text.substr(done, at - done) + with;
        done = at + wanted.size();
    }
    return out + text.substr(done);
}

Pieces joined_bytes(const Pieces& pieces) {
    std::string bytes;
    for (const std::string& piece : pieces) bytes += letter_bytes(piece).value_or(piece);
    return {as_utf8(bytes)};
}

/// Turns pieces like <0xE4><0xBD><0xA0> into the characters that their bytes form.
Pieces with_bytes(const Pieces& pieces) {
    Pieces out;
    std::string bytes;
    const auto flush = [&] {
        if (!bytes.empty()) out.push_back(as_utf8(bytes));
        bytes.clear();
    };
    for (const std::string& piece : pieces) {
        int byte = 0;
        const bool is_byte = piece.size() == 6 && piece.starts_with("<0x") && piece.ends_with(">") &&
                             std::from_chars(piece.data() + 3, piece.data() + 5, byte, 16).ptr == piece.data() + 5;
        if (is_byte) {
            bytes += static_cast<char>(byte);
            continue;
        }
        flush();
        out.push_back(piece);
    }
    flush();
    return out;
}

Decoder word_piece(const TokenizerSpec& spec) {
    const std::string prefix = spec.text_or("prefix", "##");
    const bool clean = spec.flag("cleanup", true);
    return [=](const Pieces& pieces) {
        std::string text;
        for (std::size_t i = 0; i < pieces.size(); ++i)
            text += i == 0                          ? pieces[i]
                    : pieces[i].starts_with(prefix) ? pieces[i].substr(prefix.size())
                                                    : " " + pieces[i];
        if (!clean) return Pieces{text};
        // Transformers cleans up the whole text in this way.
        for (const auto& [from, to] : {std::pair(" .", "."),
                                       {" ?", "?"},
                                       {" !", "!"},
                                       {" ,", ","},
                                       {" ' ", "'"},
                                       {" n't", "n't"},
                                       {" 'm", "'m"},
                                       {" 's", "'s"},
                                       {" 've", "'ve"},
                                       {" 're", "'re"}})
            text = replaced(text, from, to);
        return Pieces{text};
    };
}

Decoder metaspace_decoder(const TokenizerSpec& spec) {
    const std::string mark = spec.text_or("replacement", "▁");
    const bool begins =
        spec.text_or("prepend_scheme", spec.flag("add_prefix_space", true) ? "always" : "never") != "never";
    return [=](Pieces pieces) {
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            if (i == 0 && begins && pieces[i].starts_with(mark)) pieces[i] = pieces[i].substr(mark.size());
            pieces[i] = replaced(pieces[i], mark, " ");
        }
        return pieces;
    };
}

Decoder strip(const TokenizerSpec& spec) {
    const std::string content = spec.text("content");
    const int start = spec.number("start"), stop = spec.number("stop");
    return [=](Pieces pieces) {
        for (std::string& piece : pieces) {
            for (int i = 0; i < start && !content.empty() && piece.starts_with(content); ++i)
                piece = piece.substr(content.size());
            for (int i = 0; i < stop && !content.empty() && piece.ends_with(content); ++i)
                piece.resize(piece.size() - content.size());
        }
        return pieces;
    };
}

}  // namespace

Decoder make_decoder(const TokenizerSpec& spec) {
    if (spec.value().is_null())
        return [](Pieces pieces) {
            for (std::size_t i = 1; i < pieces.size(); ++i) pieces[i] = " " + pieces[i];
            return pieces;
        };
    const std::string type = spec.type();
    if (type == "ByteLevel") return joined_bytes;
    if (type == "ByteFallback") return with_bytes;
    if (type == "WordPiece") return word_piece(spec);
    if (type == "Metaspace") return metaspace_decoder(spec);
    if (type == "Strip") return strip(spec);
    if (type == "Sequence") return in_sequence<Decoder>(spec, "decoders", make_decoder);
    if (type == "Fuse")
        return [](const Pieces& pieces) {
            std::string all;
            for (const std::string& piece : pieces) all += piece;
            return Pieces{all};
        };
    if (type == "Replace")
        return [replacement = Replacement(spec), content = spec.text("content")](Pieces pieces) {
            for (std::string& piece : pieces) piece = replacement.replace(AlignedText(piece), content).text();
            return pieces;
        };
    if (type == "BPEDecoder")
        return [suffix = spec.text_or("suffix", "</w>")](Pieces pieces) {
            for (std::size_t i = 0; i < pieces.size(); ++i)
                pieces[i] = replaced(pieces[i], suffix, i + 1 < pieces.size() ? " " : "");
            return pieces;
        };
    spec.fail("{1} has the type \"{2}\", which is not supported", type);
}

}  // namespace glassformer
