#include "core/text/character_tokenizer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/error.h"
#include "core/text/json_file.h"
#include "core/text/shown_bytes.h"
#include "core/text/text_file.h"
#include "core/text/unicode.h"
#include "core/text/utf8.h"

namespace glassformer {
namespace {

constexpr std::array<const char*, 2> special_characters = {"<pad>", "<unk>"};
constexpr std::size_t max_characters_bytes = 16u << 20;

std::string utf8_of(char32_t point) { return to_utf8(std::u32string_view(&point, 1)); }

}  // namespace

CharacterTokenizer::CharacterTokenizer(std::u32string characters) : characters_(std::move(characters)) {
    for (const char32_t point : characters_) {
        if (point > 0x10FFFF || (point >= 0xD800 && point < 0xE000))
            throw Error("characters: {1} is the code point of no character", static_cast<std::uint32_t>(point));
        if (!ids_.emplace(point, first_character + static_cast<int>(ids_.size())).second)
            throw Error("characters: {1} appears twice", in_quotes(utf8_of(point)));
    }
}

CharacterTokenizer CharacterTokenizer::from_text(std::string_view utf8) {
    std::u32string characters = code_points(utf8);
    if (characters.empty()) throw Error("the text has no character");
    std::ranges::sort(characters);
    const auto repeated = std::ranges::unique(characters);
    characters.erase(repeated.begin(), repeated.end());
    return CharacterTokenizer(std::move(characters));
}

CharacterTokenizer CharacterTokenizer::load(const std::filesystem::path& path) {
    const nlohmann::json root = read_json_file(path, max_characters_bytes);
    const nlohmann::json& list = field_of(root, "characters", path);
    if (!list.is_array()) throw Error("{1}: \"characters\" is not a list", path);
    std::u32string characters;
    for (const nlohmann::json& entry : list) {
        const std::u32string points = entry.is_string() ? code_points(entry.get_ref<const std::string&>()) : U"";
        if (points.size() != 1)
            throw Error("{1}: entry {2} of \"characters\" is not text of one character: {3}", path, characters.size(),
                        in_quotes(entry.dump()));
        characters += points;
    }
    try {
        return CharacterTokenizer(std::move(characters));
    } catch (const Error& error) {
        throw Error("{1}: {2}", path, error.what());
    }
}

void CharacterTokenizer::save(const std::filesystem::path& path) const {
    nlohmann::json list = nlohmann::json::array();
    for (const char32_t point : characters_) list.push_back(utf8_of(point));
    write_text_file(path, nlohmann::json{{"characters", list}}.dump() + "\n");
}

std::string CharacterTokenizer::text_of(int id) const {
    if (id < 0 || id >= size()) throw Error("there is no character with id {1}; the vocabulary has {2}", id, size());
    const std::size_t index = id;
    return index < special_characters.size() ? special_characters[index]
                                             : utf8_of(characters_[index - special_characters.size()]);
}

std::string CharacterTokenizer::token_text(int id) const { return shown_bytes(text_of(id)); }

std::vector<CharacterTokenizer::Character> CharacterTokenizer::read(std::string_view utf8) const {
    const auto looked_up = [&](std::string_view text) {
        std::vector<Character> found;
        for (const char32_t point : code_points(text)) {
            const auto known = ids_.find(point);
            found.push_back({known == ids_.end() ? unknown : known->second, point});
        }
        return found;
    };
    std::vector<Character> found = looked_up(utf8);
    if (found.empty()) throw Error("the text has no character");
    // A letter and its accent may be typed as one character or two, whichever form the training text has.
    for (const NormalForm form : {NormalForm::nfc, NormalForm::nfd}) {
        const std::ptrdiff_t strange = std::ranges::count(found, unknown, &Character::id);
        if (strange == 0) break;
        std::vector<Character> otherwise = looked_up(in_normal_form(AlignedText(utf8), form).text());
        if (std::ranges::count(otherwise, unknown, &Character::id) < strange) found = std::move(otherwise);
    }
    return found;
}

std::vector<int> CharacterTokenizer::ids(std::string_view utf8) const {
    std::vector<int> found;
    for (const Character& character : read(utf8)) found.push_back(character.id);
    return found;
}

std::string CharacterTokenizer::decode(std::span<const int> ids) const {
    std::string text;
    for (const int id : ids) {
        if (id != pad) text += text_of(id);
    }
    return text;
}

}  // namespace glassformer
