#include "app/common/long_sentence.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "app/ui/glyphs/text_direction.h"
#include "app/ui/memo.h"

namespace glassformer::app {

namespace {

float found_widest(const Frame& frame, int slot, bool source, FontRole font) {
    const WatchedSentence& sentence = frame.sentence(slot);
    const int count = static_cast<int>(source ? sentence.source.size() : sentence.tokens.size());
    float widest = 0;
    for (int i = 0; i < count; ++i) {
        const std::string word = source ? frame.source_word(slot, i) : frame.word(slot, i);
        widest = std::max(widest, draw::text_size(frame.ui, word, font).x);
    }
    return widest;
}

}  // namespace

float widest_word(const Frame& frame, int slot, bool source, FontRole font) {
    static thread_local Memo<std::tuple<SharedKey<Trace>, bool, const ImFont*, float>, float, 16> known;
    const std::shared_ptr<const Trace>& trace = frame.sentence(slot).trace;
    const auto find = [&] { return found_widest(frame, slot, source, font); };
    return trace ? known({trace, source, (*frame.ui.fonts)[font], frame.ui.line(font)}, find) : find();
}

SeenRows seen_rows(const Ui& ui, float top, float row, int count) {
    if (ui.every_row || !is_long(count)) return {0, count};
    const Box seen = clip_box(*ImGui::GetWindowDrawList());
    const auto at = [&](float y) { return static_cast<int>(std::floor((y - top) / row)); };
    const int begin = std::clamp(at(seen.min.y), 0, count);
    return {begin, std::clamp(at(seen.max.y) + 1, begin, count)};
}

void keep_in_sight(const char* id, int choice, float top, float bottom, bool at_first) {
    // Stores choice + 1: ImGui returns 0 for an unknown ID.
    int* kept = ImGui::GetStateStorage()->GetIntRef(ImGui::GetID(id), 0);
    const int before = std::exchange(*kept, choice + 1);
    if (before == choice + 1 || (before == 0 && !at_first)) return;
    const float from = ImGui::GetWindowPos().y, height = ImGui::GetWindowHeight();
    if (before != 0 && top >= from && bottom <= from + height) return;
    ImGui::SetScrollFromPosY((top + bottom) / 2 - from, 0.5f);
}

bool reads_from_right(const Frame& frame, int slot, bool source) {
    const WatchedSentence& sentence = frame.sentence(slot);
    const int count = static_cast<int>(source ? sentence.source.size() : sentence.tokens.size());
    std::string words;
    for (int i = 0; i < count; ++i) words += source ? frame.source_word(slot, i) : frame.word(slot, i);
    return runs_right_to_left(words);
}

}  // namespace glassformer::app
