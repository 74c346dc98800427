#include <algorithm>

#include "core/text/json_file.h"
#include "core/text/pipeline.h"
#include "core/text/unicode.h"

namespace glassformer {

namespace {

using nlohmann::json;

/// Trims offsets by the blanks at the ends of a token: blanks, or letters that stand for one.
PostProcessor trimmed(bool keeps_added_blank, const std::function<std::string(int)>& piece_of) {
    return [=](std::vector<TokenOfText> tokens) {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            std::vector<char32_t> letters;
            for_each_character(piece_of(tokens[i].id), [&](char32_t point, ByteRange) { letters.push_back(point); });
            const auto blank = [](char32_t c) { return c == U'Ġ' || is_white_space(c); };
            auto left = tokens[i].blanks_before +
                        static_cast<std::size_t>(std::ranges::find_if_not(letters, blank) - letters.begin());
            std::ranges::reverse(letters);
            const auto right = tokens[i].blanks_after +
                               static_cast<std::size_t>(std::ranges::find_if_not(letters, blank) - letters.begin());
            ByteRange& source = tokens[i].source;
            const bool first = i == 0 || source.begin == 0;
            if (first && keeps_added_blank && left == 1) left = 0;
            source.begin = std::min(source.begin + left, source.end);
            if (source.end >= right) source.end = std::max(source.end - right, source.begin);
        }
        return tokens;
    };
}

/// The token given as ["[SEP]", 102].
int named_token(const TokenizerSpec& spec, const char* name) {
    const json& pair = spec[name];
    const std::optional<int> id = pair.is_array() && pair.size() == 2 ? whole_number(pair[1]) : std::nullopt;
    if (!id) spec.fail("{1} has no \"{2}\" that is a token and its id", name);
    return *id;
}

PostProcessor between_pieces(std::vector<int> before, std::vector<int> after) {
    return [=](std::vector<TokenOfText> tokens) {
        std::vector<TokenOfText> out;
        for (const int id : before) out.push_back({id, {}, true});
        out.insert(out.end(), tokens.begin(), tokens.end());
        for (const int id : after) out.push_back({id, {}, true});
        return out;
    };
}

PostProcessor in_template(const TokenizerSpec& spec) {
    const json& single = spec["single"];
    if (!single.is_array()) spec.fail("{1} has no list \"{2}\"", "single");
    std::vector<int> before, after;
    bool seen = false;
    for (const json& part : single) {
        if (part.is_object() && part.contains("Sequence")) {
            if (seen) spec.fail("{1} has the text more than once in \"single\"");
            seen = true;
            continue;
        }
        const json& special = part.is_object() && part.contains("SpecialToken") ? part["SpecialToken"] : json();
        const TokenizerSpec token(special, spec.where() + ".single");
        const std::string name = token.text("id");
        const TokenizerSpec all = spec.inner("special_tokens");
        const json& ids = TokenizerSpec(all[name.c_str()], spec.where())["ids"];
        if (!ids.is_array()) spec.fail("{1} does not give the ids of \"{2}\"", name);
        for (const json& id : ids) {
            const std::optional<int> found = whole_number(id);
            if (!found) spec.fail("{1} gives \"{2}\" an id that no token has", name);
            (seen ? after : before).push_back(*found);
        }
    }
    if (!seen) spec.fail("{1} has no place for the text in \"single\"");
    return between_pieces(before, after);
}

}  // namespace

PostProcessor make_post_processor(const TokenizerSpec& spec, const std::function<std::string(int)>& piece_of) {
    const PostProcessor nothing = [](std::vector<TokenOfText> tokens) { return tokens; };
    if (spec.value().is_null()) return nothing;
    const std::string type = spec.type();
    if (type == "Sequence")
        return in_sequence<PostProcessor>(
            spec, "processors", [&](const TokenizerSpec& stage) { return make_post_processor(stage, piece_of); });
    if (type == "TemplateProcessing") return in_template(spec);
    if (type == "ByteLevel")
        return spec.flag("trim_offsets", true) ? trimmed(spec.flag("add_prefix_space", true), piece_of) : nothing;
    if (type == "BertProcessing") return between_pieces({named_token(spec, "cls")}, {named_token(spec, "sep")});
    if (type == "RobertaProcessing") {
        const PostProcessor ends = between_pieces({named_token(spec, "cls")}, {named_token(spec, "sep")});
        if (!spec.flag("trim_offsets", true)) return ends;
        return [ends, trim = trimmed(spec.flag("add_prefix_space", true), piece_of)](std::vector<TokenOfText> tokens) {
            return ends(trim(std::move(tokens)));
        };
    }
    spec.fail("{1} has the type \"{2}\", which is not supported", type);
}

}  // namespace glassformer
