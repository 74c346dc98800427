#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "app/common/explanation.h"
#include "app/language/tr.h"
#include "app/ui/rotation.h"
#include "app/views/embedding/embedding_view.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::embedding {

namespace {

// Pixels at 100 %.
constexpr float dot_radius = 2.6f, strong_radius = 4.2f, margin = 14, reach = 9, label_gap = 3, label_room = 4,
                drag_slack = 4;
constexpr float point_size = 1.5f, point_strength = 0.35f, few_points = 4000;  // of words without a name
constexpr float label_area = 2600;  // of the picture per name of a word that does not matter here: keeps dots visible

/// How much a word matters here: its name takes precedence over those of words that matter less.
enum class Standing { other, near, sentence, focus };

struct WordDot {
    int word;
    Standing standing;
    float x, y, z;
};

Standing standing_of(const EmbeddingFrame& e, int word) {
    if (word == e.focus) return Standing::focus;
    const std::vector<int>& tokens = e.frame.trace(e.slot)->tokens();
    if (std::ranges::find(tokens, word) != tokens.end()) return Standing::sentence;
    return std::ranges::find(e.near(), word, &Neighbor::id) != e.near().end() ? Standing::near : Standing::other;
}

/// The positions of the words in a box.
class WordPlaces {
public:
    WordPlaces(const EmbeddingFrame& e, const EmbeddingLook& look, const Box& box)
        : points_(e.words.map->points), solid_(look.solid), view_(solid_ ? look.yaw : 0, solid_ ? look.pitch : 0) {
        for (const std::array<float, 3>& point : points_) view_.include(point);
        view_.fit(box, e.ui().px(margin));
    }

    CloudView::Place operator()(std::size_t word) const {
        CloudView::Place place = view_(points_[word]);
        if (!solid_) place.z = 0;
        return place;
    }
    std::size_t count() const { return points_.size(); }

private:
    std::span<const std::array<float, 3>> points_;
    bool solid_;
    CloudView view_;
};

/// The words with names, farthest first.
std::vector<WordDot> dots_of(const EmbeddingFrame& e, const WordPlaces& places) {
    std::vector<WordDot> dots;
    for (const int word : words_named(e)) {
        const CloudView::Place p = places(static_cast<std::size_t>(word));
        dots.push_back({word, standing_of(e, word), p.x, p.y, p.z});
    }
    std::ranges::stable_sort(dots, {}, &WordDot::z);
    return dots;
}

/// The word nearest to the mouse, with or without a name.
std::optional<int> word_at(const EmbeddingFrame& e, const std::vector<WordDot>& dots, const WordPlaces& places,
                           ImVec2 mouse) {
    std::optional<int> found;
    float nearest = e.ui().px(reach);
    const auto consider = [&](int word, float x, float y) {
        const float away = std::hypot(mouse.x - x, mouse.y - y);
        if (away > nearest) return;
        nearest = away;
        found = word;
    };
    for (const WordDot& d : dots) consider(d.word, d.x, d.y);
    if (found || dots.size() == places.count()) return found;
    for (std::size_t word = 0; word < places.count(); ++word) {
        const CloudView::Place p = places(word);
        consider(static_cast<int>(word), p.x, p.y);
    }
    return found;
}

/// Draws every word of a large vocabulary: so many that only their density is visible.
void draw_points(const EmbeddingFrame& e, const WordPlaces& places, const Box& box) {
    const Ui& ui = e.ui();
    constexpr std::size_t at_once = 8192;  // indices of 16 bits
    // The more there are, the fainter each is, so that words with names stay visible among them.
    const float strength = point_strength * std::min(1.0f, std::sqrt(few_points / to_float(places.count())));
    const ImU32 colour = with_alpha(ui.theme->text_faint, strength);
    const float half = std::max(0.5f, ui.px(point_size) / 2);
    for (std::size_t first = 0; first < places.count(); first += at_once) {
        const std::size_t end = std::min(places.count(), first + at_once);
        const int some = static_cast<int>(end - first);
        ui.list()->PrimReserve(6 * some, 4 * some);
        for (std::size_t word = first; word < end; ++word) {
            const CloudView::Place p = places(word);
            ui.list()->PrimRect({p.x - half, p.y - half}, {p.x + half, p.y + half}, colour);
        }
    }
    ui.items->addf(box, item_state(places.count()), "%s/embed points", Frame::letter(e.slot));
}

ImU32 dot_colour(const Theme& t, Standing standing) {
    switch (standing) {
        case Standing::focus:
            return t.selection;
        case Standing::sentence:
            return t.text;
        case Standing::near:
            return t.residual;
        default:
            return with_alpha(t.text_faint, 0.6f);
    }
}

void draw_dots(const EmbeddingFrame& e, const std::vector<WordDot>& dots) {
    const Ui& ui = e.ui();
    const auto focus = std::ranges::find(dots, e.focus, &WordDot::word);
    for (const WordDot& d : dots)
        if (d.standing == Standing::near && focus != dots.end())
            ui.list()->AddLine({focus->x, focus->y}, {d.x, d.y}, with_alpha(ui.theme->residual, 0.4f),
                               std::max(1.0f, ui.px(1)));
    const float far = dots.front().z, depth = std::max(dots.back().z - far, 1e-6f);
    for (const WordDot& d : dots) {
        const float size = e.frame.state.own<EmbeddingLook>().solid ? 0.8f + 0.4f * (d.z - far) / depth : 1.0f;
        const float radius = ui.scale * size * (d.standing == Standing::other ? dot_radius : strong_radius);
        ui.list()->AddCircleFilled({d.x, d.y}, radius, dot_colour(*ui.theme, d.standing));
        ui.items->addf(Box::around({d.x, d.y}, radius), e.words.map->points[d.word][0], "%s/embed %d",
                       Frame::letter(e.slot), d.word);
    }
}

void ring(const EmbeddingFrame& e, const WordPlaces& places, int word) {
    if (word < 0 || static_cast<std::size_t>(word) >= places.count()) return;
    const CloudView::Place at = places(static_cast<std::size_t>(word));
    e.ui().list()->AddCircle({at.x, at.y}, e.ui().px(7), e.ui().theme->selection, 0, std::max(1.0f, e.ui().px(2)));
}

/// A free place for a name: beside the dot; for a word that matters also above or below it. None if all are taken.
std::optional<ImVec2> free_place(const WordDot& d, ImVec2 size, float gap, const Box& box,
                                 const std::vector<Box>& taken) {
    const std::array<ImVec2, 4> places = {{{d.x + gap, d.y - size.y / 2},
                                           {d.x - gap - size.x, d.y - size.y / 2},
                                           {d.x - size.x / 2, d.y - gap - size.y},
                                           {d.x - size.x / 2, d.y + gap}}};
    const std::size_t tried = d.standing == Standing::other ? 2 : places.size();
    for (const ImVec2 min : std::span(places).first(tried)) {
        const Box label = Box::sized(min, size.x, size.y);
        const bool inside = label.min.x >= box.min.x && label.max.x <= box.max.x && label.min.y >= box.min.y &&
                            label.max.y <= box.max.y;
        if (inside && std::ranges::none_of(taken, [&](const Box& other) { return label.meets(other); })) return min;
    }
    return std::nullopt;
}

/// Draws names that do not overlap: the most important words first; of equals, the nearest to the viewer.
void draw_names(const EmbeddingFrame& e, std::vector<WordDot>& dots, const Box& box) {
    const Ui& ui = e.ui();
    const Theme& t = *ui.theme;
    std::ranges::stable_sort(dots, [](const WordDot& a, const WordDot& b) {
        return a.standing != b.standing ? a.standing > b.standing : a.z > b.z;
    });
    // No name covers a dot that matters.
    std::vector<Box> taken;
    const float dot = ui.px(strong_radius);
    for (const WordDot& d : dots)
        if (d.standing != Standing::other) taken.push_back(Box::around({d.x, d.y}, dot));
    const float area = box.width() * box.height() / (ui.px(1) * ui.px(1));
    const std::size_t most = 2 * taken.size() + static_cast<std::size_t>(area / label_area);
    const float line = ui.line(FontRole::small), gap = ui.px(label_gap + strong_radius), room = ui.px(label_room);
    for (const WordDot& d : dots) {
        if (taken.size() >= most) break;
        const bool strong = d.standing >= Standing::sentence;
        const FontRole font = strong ? FontRole::small_bold : FontRole::small;
        const std::string name = e.name(d.word);
        const float width = draw::text_size(ui, name, font).x;
        std::optional<ImVec2> place = free_place(d, {width, line}, gap, box, taken);
        if (!place && d.standing == Standing::focus)  // rather cover a dot than leave the chosen word without a name
            place = ImVec2{std::min(d.x + gap, box.max.x - width), d.y - line / 2};
        if (!place) continue;
        taken.push_back({{place->x - room, place->y}, {place->x + width + room, place->y + line}});
        draw::rounded_box(ui, {*place, {place->x + width, place->y + line}}, with_alpha(t.card, 0.7f), 0, 3);
        const ImU32 colour = d.standing == Standing::focus  ? t.selection_text
                             : d.standing == Standing::near ? t.residual_text
                             : strong                       ? t.text
                                                            : t.text_muted;
        draw::text(ui, *place, name, {font, colour});
    }
}

void read_mouse(const EmbeddingFrame& e, const std::vector<WordDot>& dots, const WordPlaces& places,
                const Response& mouse) {
    EmbeddingLook& look = e.frame.state.own<EmbeddingLook>();
    const float moved = e.ui().px(drag_slack);
    const bool dragged = ImGui::GetIO().MouseDragMaxDistanceSqr[0] > moved * moved;
    if (look.solid && dragged && (mouse.held || mouse.clicked)) return;  // the cloud was rotated
    if (!mouse.hovered && !mouse.clicked) return;
    const std::optional<int> found = word_at(e, dots, places, ImGui::GetIO().MousePos);
    if (!found) return;
    const int under = *found;
    look.pointing[e.slot] = under;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const std::string name = e.name(under), focus = e.name(e.focus);
    const auto& p = e.words.map->points[under];
    const std::string_view cosine =
        under == e.focus ? std::string_view(tr("its nearest words are listed"))
                         : e.ui().items->format(tr("cosine with “%s” %.2f"), focus.c_str(), e.cosine(under));
    const std::string numbers(e.ui().items->format(tr("%s · PC1 %s, PC2 %s, PC3 %s"), cosine.data(),
                                                   with_decimals(p[0]).c_str(), with_decimals(p[1]).c_str(),
                                                   with_decimals(p[2]).c_str()));
    draw::tooltip(e.ui(), filled(tr("{1}\n{2}\nClick for its nearest words"), {name, typographic(numbers)}));
    if (mouse.clicked) focus_word(e, under);
}

}  // namespace

std::vector<int> words_named(const EmbeddingFrame& e) {
    std::vector<int> words = e.frame.trace(e.slot)->tokens();
    words.push_back(e.focus);
    for (const Neighbor& near : e.near()) words.push_back(near.id);
    for (int id = 0; id < std::min(e.vocabulary(), most_words_named); ++id) words.push_back(id);
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    std::erase_if(words, [&](int word) { return word < 0 || word >= e.vocabulary(); });
    return words;
}

void draw_embedding_cloud(const EmbeddingFrame& e, const Box& box) {
    const Ui& ui = e.ui();
    EmbeddingLook& look = e.frame.state.own<EmbeddingLook>();
    const std::string_view label = ui.items->of_card(e.slot, "embedding");
    const Response mouse = drag_area(ui, label, box, item_state(e.vocabulary()));
    if (look.solid) turn_by_mouse(look.yaw, look.pitch, mouse);
    if (ui.focus->offer(label)) {
        draw::rounded_box(ui, box, 0, ui.theme->focus, 6, 2);
        if (look.solid) turn_by_keys(look.yaw, look.pitch);
    }
    const WordPlaces places(e, look, box);
    std::vector<WordDot> dots = dots_of(e, places);
    if (dots.empty()) return;
    const int lit = look.pointed[1 - e.slot];  // in the other card
    read_mouse(e, dots, places, mouse);
    ui.list()->PushClipRect(box.min, box.max, true);
    if (dots.size() < places.count()) draw_points(e, places, box);
    draw_dots(e, dots);
    ring(e, places, e.focus);
    if (lit >= 0 && e.frame.same_model()) ring(e, places, lit);
    if (const int here = look.pointed[e.slot]; here >= 0) ring(e, places, here);
    draw_names(e, dots, box);
    ui.list()->PopClipRect();
}

}  // namespace glassformer::app::views::embedding
