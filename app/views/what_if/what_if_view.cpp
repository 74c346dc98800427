#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/common/hidden_by_quiz.h"
#include "app/common/word_alignment.h"
#include "app/language/tr.h"
#include "app/ui/scroll_page.h"
#include "app/views/view.h"
#include "app/views/what_if/what_if_pages.h"

namespace glassformer::app::views::what_if {

namespace {

using Words = std::span<const std::string>;

std::vector<std::string> words_of(const WatchedSentence& sentence) {
    std::vector<std::string> words;
    for (const WordTokenizer::Token& token : sentence.tokens) words.push_back(token.text);
    return words;
}

void align_part(Words a, Words b, AlignedWord first, const AlignedWord& anchor, PatchPartners& partners) {
    const auto inside = [](int at, int begin, std::size_t size) {
        return at >= begin && at < begin + static_cast<int>(size);
    };
    AlignedWord own;
    if (inside(anchor.a, first.a, a.size()) && inside(anchor.b, first.b, b.size()))
        own = {anchor.a - first.a, anchor.b - first.b};
    for (const AlignedWord& word : align_words(a, b, own))
        if (word.both()) partners[first.a + word.a] = first.b + word.b;
}

// Pixels at 100 %.
constexpr float widest_list = 520, section_gap = 14, least_beside = 760;

void draw_view(const Frame& frame, const Box& box, int slot) {
    const Ui& ui = frame.ui;
    ScrollPage page(ui, slot == 0 ? "##what if A" : "##what if B", box);
    Box inside = page.inside();
    if (switches_in_page(frame)) inside.min.y = draw_switches(frame, inside) + ui.px(section_gap);
    if (waits_for_guess(frame.state, slot))
        return page.reaches(
            draw_hidden_by_quiz(frame, slot, inside, ui.items->of_card(slot, "what if/hidden by quiz")));
    const bool beside = can_patch(frame) && inside.width() >= ui.px(least_beside);
    const float half = beside ? inside.min.x + (inside.width() - ui.px(2 * section_gap)) / 2 : inside.max.x;
    const float right = std::min(half, inside.min.x + ui.px(widest_list));
    float bottom = draw_what_if_effects(frame, inside.left_of(right), slot);
    if (can_patch(frame)) {
        const ImVec2 at = beside ? ImVec2{half + ui.px(2 * section_gap), inside.min.y}
                                 : ImVec2{inside.min.x, bottom + ui.px(section_gap)};
        bottom = std::max(bottom, draw_what_if_patches(frame, {at, inside.max}, slot));
    }
    page.reaches(bottom);
}

}  // namespace

PatchPartners patch_partners(const Frame& frame, int slot) {
    const std::vector<std::string> a = words_of(frame.sentence(slot)), b = words_of(frame.sentence(1 - slot));
    if (a.size() == b.size()) return {};
    AlignedWord homonym = same_homonym(frame);
    if (slot == 1) std::swap(homonym.a, homonym.b);
    PatchPartners partners(a.size(), -1);
    const int chosen = frame.state.token[slot], other = frame.state.token[1 - slot];
    if (chosen < 0 || other < 0 || chosen >= int_size(a) || other >= int_size(b)) {
        align_part(a, b, {0, 0}, homonym, partners);
        return partners;
    }
    const auto at_a = static_cast<std::size_t>(chosen), at_b = static_cast<std::size_t>(other);
    align_part(Words(a).first(at_a), Words(b).first(at_b), {0, 0}, homonym, partners);
    partners[at_a] = other;
    align_part(Words(a).subspan(at_a + 1), Words(b).subspan(at_b + 1), {chosen + 1, other + 1}, homonym, partners);
    return partners;
}

extern constinit const View view{
    .name = N_("What if"),
    .meaning = N_("Switch parts of the model off and see what it predicts then."),
    .also = "ablate knock out switch off remove activation patching patch swap intervene",
    .draw = draw_view,
    .header = draw_what_if_switches,
    .caption_suffix = patches_of,
};

}  // namespace glassformer::app::views::what_if
