#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_text.h"
#include "app/ui/controls.h"
#include "app/ui/modal_card.h"
#include "app/ui/picture_texture.h"

namespace glassformer::app {

namespace {

constexpr float most_of_window = 0.2f;  // of its height: text around the picture stays visible
constexpr float most_enlarged = 3, picture_pad = 8;
constexpr ImU32 paper = IM_COL32_WHITE;  // pictures are drawn for white paper, even in the dark theme

using Shown = std::shared_ptr<const LessonPicture>;

/// The pictures on the GPU, and the enlarged one.
struct PicturesOnScreen {
    std::map<Shown, std::shared_ptr<PictureTexture>> textures;
    Shown large;
    std::string shows;
    bool in_text = false;  // the enlarged picture, in this frame
};

void draw_picture(const Frame& frame, const Box& box, const Shown& picture) {
    const Ui& ui = frame.ui;
    auto& textures = frame.own<PicturesOnScreen>().textures;
    std::shared_ptr<PictureTexture>& texture = textures[picture];
    if (!texture) {
        // Free the pictures of texts that are gone.
        std::erase_if(textures, [&](const auto& kept) { return kept.second && kept.first.use_count() == 1; });
        texture = std::make_shared<PictureTexture>(read_png(picture->png));
    }
    ui.list()->AddRectFilled(box.min, box.max, paper);
    ui.list()->AddImage(texture->id(), box.min, box.max);
    ui.list()->AddRect(box.min, box.max, ui.theme->card_border);
}

std::string what_is_wrong(const LessonPicture& picture) { return picture.file + ": " + tr_sentence(picture.problem); }

}  // namespace

ImVec2 lesson_picture_size(const Ui& ui, float width, const LessonPicture& picture) {
    if (!picture.problem.empty())
        return {width, draw::wrapped_height(ui, width - 2 * ui.px(picture_pad), what_is_wrong(picture)) +
                           2 * ui.px(picture_pad)};
    const float wide = static_cast<float>(picture.width), high = static_cast<float>(picture.height);
    const float scale = std::min({ui.scale, width / wide, most_of_window * ImGui::GetIO().DisplaySize.y / high});
    return {std::max(1.0f, std::floor(wide * scale)), std::max(1.0f, std::floor(high * scale))};
}

void draw_lesson_picture(const Frame& frame, const Box& box, const LiveText::Piece& piece) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const LessonPicture& picture = *piece.picture;
    const std::string_view label = ui.items->format("lesson/picture %s", picture.file.c_str());
    if (!picture.problem.empty()) {
        const std::string wrong = what_is_wrong(picture);
        draw::rounded_box(ui, box, t.danger_tint, t.danger);
        draw::text_wrapped(ui, {box.min.x + ui.px(picture_pad), box.min.y + ui.px(picture_pad)},
                           box.width() - 2 * ui.px(picture_pad), wrong, {FontRole::body, t.danger_text});
        ui.items->add(label, box, item_state(0), wrong);
        return;
    }
    PicturesOnScreen& shown = frame.own<PicturesOnScreen>();
    draw_picture(frame, box, piece.picture);
    const Response r = click_area(ui, label, box, item_state(1), piece.text);
    if (r.hovered) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        draw::tooltip(ui, ui.items->format(tr("%s\nClick to enlarge."), piece.text.c_str()));
    }
    if (r.clicked) shown.large = piece.picture, shown.shows = piece.text;
    shown.in_text = shown.in_text || shown.large == piece.picture;
}

void draw_large_picture(const Frame& frame, const Box& window) {
    PicturesOnScreen& shown = frame.own<PicturesOnScreen>();
    if (!std::exchange(shown.in_text, false)) shown.large.reset();
    if (!shown.large) return;
    const Ui& ui = frame.ui;
    const float side = ui.px(16), around = ui.px(picture_pad);
    const float wide = static_cast<float>(shown.large->width), high = static_cast<float>(shown.large->height);
    const float most_wide = window.width() - 2 * (side + around);
    const float words = draw::wrapped_height(ui, most_wide, shown.shows) + around;
    const float scale =
        std::min({most_enlarged * ui.scale, most_wide / wide, (window.height() - 2 * (side + around) - words) / high});
    const ImVec2 size{std::floor(wide * scale), std::floor(high * scale)};
    const float text = std::min(most_wide, std::max(size.x, draw::text_size(ui, shown.shows).x));
    const ImVec2 half{(std::max(size.x, text) + 2 * around) / 2,
                      (size.y + around + draw::wrapped_height(ui, text, shown.shows) + 2 * around) / 2};
    const ImVec2 centre{std::floor(window.middle_x()), std::floor(window.middle_y())};
    const Box card{{std::floor(centre.x - half.x), std::floor(centre.y - half.y)},
                   {std::ceil(centre.x + half.x), std::ceil(centre.y + half.y)}};
    const ModalCard over(ui, "lesson picture", window, card);
    draw::card(ui, card);
    const ImVec2 at{std::floor(centre.x - size.x / 2), card.min.y + around};
    draw_picture(frame, {at, {at.x + size.x, at.y + size.y}}, shown.large);
    draw::text_wrapped(ui, {std::floor(centre.x - text / 2), at.y + size.y + around}, text, shown.shows);
    const bool clicked = click_area(ui, "lesson/large picture", card, {}, shown.shows).clicked;
    if (clicked || over.clicked_beside()) shown.large.reset();
}

bool close_large_picture(ViewState& state) { return std::exchange(state.own<PicturesOnScreen>().large, {}) != nullptr; }

}  // namespace glassformer::app
