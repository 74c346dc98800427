#include <array>
#include <cfloat>
#include <cmath>

#include "app/lessons/lesson_view.h"

namespace glassformer::app {

namespace {

constexpr float pad = 14, button_height = 32, gap = 6;  // pixels at 100 %

struct Button {
    const char* label;
    std::string_view text;
    Tone tone;
};
constexpr std::array buttons{Button{"lesson/never", "Don't ask again", Tone::bare},
                             Button{"lesson/later", "Not now", Tone::plain},
                             Button{"lesson/start", "Start", Tone::primary}};

float buttons_width(const Ui& ui) {
    float width = 0;
    for (const Button& b : buttons) width += chip_width(ui, b.text) + ui.px(gap);
    return width;
}

std::string_view invitation(const Ui& ui, const LessonRunner& lessons) {
    const Lesson& lesson = *lessons.folder().lessons().front();
    return ui.items->format("%s %d short steps on the model that is on screen; leave and come back at any time.",
                            lesson.about.c_str(), static_cast<int>(lesson.steps.size()));
}

float wrapped_height(const Ui& ui, float width, std::string_view text) {
    const ImFont* font = (*ui.fonts)[FontRole::body];
    const float lines = font->CalcTextSizeA(font->FontSize, FLT_MAX, width, text.data(), text.data() + text.size()).y;
    return std::round(lines / font->FontSize) * std::round(font->FontSize * 1.22f);  // as draw::text_wrapped
}

bool beside(const Ui& ui, float width) { return width >= ui.px(900); }

}  // namespace

float lesson_offer_height(const Frame& frame, const LessonRunner& lessons, const Box& window) {
    const Ui& ui = frame.ui;
    const float title = ui.line(FontRole::title_bold) + ui.px(4);
    if (beside(ui, window.width())) return 2 * ui.px(pad) + title + std::round(ui.line(FontRole::body) * 1.22f);
    return 3 * ui.px(pad) + title + ui.px(button_height) +
           wrapped_height(ui, window.width() - 2 * ui.px(pad), invitation(ui, lessons));
}

void draw_lesson_offer(const Frame& frame, LessonRunner& lessons, const Box& box) {
    const Ui& ui = frame.ui;
    const std::string& title = lessons.folder().lessons().front()->title;
    const float left = box.min.x + ui.px(pad), right = box.max.x - ui.px(pad);
    const bool one_row = beside(ui, box.width());
    const float text_right = one_row ? right - buttons_width(ui) - ui.px(pad) : right;
    float y = box.min.y + ui.px(pad);
    const float line = ui.line(FontRole::title_bold) + ui.px(4);
    draw::text_in(ui, {left, y}, {text_right, y + line}, ui.items->format("New here? Begin with “%s”", title.c_str()),
                  {FontRole::title_bold});
    y += line;
    const std::string_view text = invitation(ui, lessons);
    ui.items->add("lesson/offer", box.min, box.max, std::nullopt, title);
    if (one_row)
        draw::text_in(ui, {left, y}, {text_right, box.max.y - ui.px(pad)}, text,
                      {FontRole::body, ui.theme->text_muted});
    else
        draw::text_wrapped(ui, {left, y}, text_right - left, text, {FontRole::body, ui.theme->text_muted});
    ImVec2 at = {right - buttons_width(ui) + ui.px(gap),
                 one_row ? std::round((box.min.y + box.max.y - ui.px(button_height)) / 2)
                         : box.max.y - ui.px(pad) - ui.px(button_height)};
    for (const Button& b : buttons) {
        ButtonStyle style;
        style.tone = b.tone;
        if (!chip(ui, b.label, at, ui.px(button_height), b.text, style)) continue;
        if (&b == &buttons[0]) lessons.dismiss_offer();
        if (&b == &buttons[1]) lessons.put_off_offer();
        if (&b == &buttons[2]) frame.state.lessons.ask = LessonMenu::Ask::start, frame.state.lessons.which = 0;
    }
}

}  // namespace glassformer::app
