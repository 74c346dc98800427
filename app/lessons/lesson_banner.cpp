#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/lessons/lesson_view.h"
#include "app/session/model_catalog.h"
#include "app/session/model_size.h"
#include "core/base/number_text.h"

namespace glassformer::app {

namespace {

constexpr float banner_pad = 14, banner_button_height = 32, gap = 6;  // pixels at 100 %

struct BannerButton {
    const char* label;
    std::string_view text;
    Tone tone = Tone::plain;
};

struct Banner {
    const char* item;  // label of its item, whose text is `lesson`
    std::string_view title, text, lesson;
    std::vector<BannerButton> buttons;
    std::optional<double> cells = {};  // parameters, if a large model would be made
};

/// The title as in the list of models, in quotes, since it may be a sentence.
std::string_view quoted_title(const Frame& frame, const std::string& world) {
    const std::string title(tr(title_of(*frame.snapshot.catalog, world)));
    return frame.ui.items->format("%s", in_quotation_marks(title).c_str());
}

std::string_view name_on_screen(const Frame& frame, const ModelInfo& model) {
    return model.world.empty() ? std::string_view(tr("another model")) : quoted_title(frame, model.world);
}

/// Says what is on screen, unless the lesson needs exactly that, and what comes back afterwards.
std::string_view before_and_after(const Frame& frame, const LessonRunner& lessons, const std::string& wanted) {
    const Ui& ui = frame.ui;
    const ModelInfo &model = *frame.snapshot.model, &former = lessons.comes_back(frame.snapshot);
    const std::string now(name_on_screen(frame, model)), then(name_on_screen(frame, former));
    if (&former != &model) return ui.items->format(tr("After the lesson you return to %s."), then.c_str());
    if (model.world != wanted || lessons.wants_fresh())
        return ui.items->format(tr("Now open: %s. You return to it after the lesson."), now.c_str());
    if (frame.snapshot.live_step == 0)
        return ui.items->format(tr("Now open: %s, untrained. You return to it after the lesson."), now.c_str());
    return ui.items->format(tr("Now open: %s, with another architecture. You return to it after the lesson."),
                            now.c_str());
}

Banner needs_model(const Frame& frame, const LessonRunner& lessons, const Lesson& lesson) {
    const Ui& ui = frame.ui;
    const std::string model = lessons.wanted_model(), title(quoted_title(frame, model));
    Banner banner{"lesson/wanted",
                  ui.items->format(lessons.wants_fresh() ? tr("“%s” needs a new, untrained model of %s")
                                                         : tr("“%s” needs the model %s"),
                                   lesson.title.c_str(), title.c_str()),
                  before_and_after(frame, lessons, model),
                  lesson.title,
                  {{"lesson/cancel", tr("Not now")}}};
    const bool making = lessons.making(frame.snapshot);
    if (making) banner.text = tr("Creating the model …"), banner.buttons.front().text = tr("Cancel");
    if (const std::int64_t cells = lessons.wanted_size(frame.snapshot)) {
        const std::string rest(banner.text);
        banner.cells = static_cast<double>(cells);
        banner.text = ui.items->format(
            tr("It has %s parameters: %.1f GB, about %.0f GB in training. Creating it takes about %.0f s. %s"),
            grouped(cells).c_str(), gigabytes(cells), gigabytes_in_training(cells),
            std::max(1.0, seconds_to_make(cells)), rest.c_str());
    }
    if (making) return banner;
    if (lessons.wants_fresh())
        banner.buttons.push_back({"lesson/open model", tr("Create it and start"), Tone::primary});
    else if (LessonStage::folder_of(frame.snapshot, model).empty())
        banner.text = tr("It is not included with the program. Open it (Ctrl+O), and the lesson starts.");
    else
        banner.buttons.push_back(
            {"lesson/open model", ui.items->format(tr("Open %s and start"), title.c_str()), Tone::primary});
    return banner;
}

Banner offer(const Frame& frame, const Lesson& lesson) {
    const Ui& ui = frame.ui;
    return {"lesson/offer",
            ui.items->format(tr("New here? Start with “%s”"), lesson.title.c_str()),
            ui.items->format(tr("%s %d short steps on the model on screen; leave and come back at any time."),
                             lesson.about.c_str(), static_cast<int>(lesson.steps.size())),
            lesson.title,
            {{"lesson/never", tr("Don't ask again"), Tone::bare},
             {"lesson/later", tr("Not now")},
             {"lesson/start", tr("Start"), Tone::primary}}};
}

Banner back_to(const Frame& frame, const ModelInfo& former) {
    const Ui& ui = frame.ui;
    const std::string there(name_on_screen(frame, *frame.snapshot.model));
    const std::string_view before = name_on_screen(frame, former);
    return {"lesson/left",
            ui.items->format(tr("Your training of %s stays open"), there.c_str()),
            ui.items->format(tr("Before the lesson you had %s open. Nothing is lost without asking."),
                             std::string(before).c_str()),
            before,
            {{"lesson/stay", tr("Stay here")}, {"lesson/go back", tr("Go back"), Tone::primary}}};
}

Banner banner_of(const Frame& frame, const LessonRunner& lessons) {
    if (const Lesson* wanted = lessons.wanted()) return needs_model(frame, lessons, *wanted);
    if (const ModelInfo* former = lessons.way_back()) return back_to(frame, *former);
    return offer(frame, *lessons.folder().lessons().front());
}

float buttons_width(const Ui& ui, const Banner& banner) {
    float width = 0;
    for (const BannerButton& b : banner.buttons) width += chip_width(ui, b.text) + ui.px(gap);
    return width;
}

bool beside_text(const Ui& ui, float width) { return width >= ui.px(900); }

void answer(const Frame& frame, LessonRunner& lessons, std::string_view button) {
    if (button == "lesson/never") lessons.dismiss_offer();
    if (button == "lesson/later") lessons.put_off_offer();
    if (button == "lesson/start")
        frame.state.window.lessons.ask = LessonMenu::Ask::start, frame.state.window.lessons.which = 0;
    if (button == "lesson/stay") lessons.stay_here(frame);
    if (button == "lesson/go back") lessons.go_back(frame);
    if (button == "lesson/cancel") lessons.give_up_wanted(frame);
    if (button == "lesson/open model") frame.state.window.lessons.open_model = true;
}

}  // namespace

float lesson_banner_height(const Frame& frame, const LessonRunner& lessons, const Box& window) {
    const Ui& ui = frame.ui;
    const float title = ui.line(FontRole::title_bold) + ui.px(4);
    if (beside_text(ui, window.width()))
        return 2 * ui.px(banner_pad) + title + std::round(ui.line(FontRole::body) * 1.22f);
    return 3 * ui.px(banner_pad) + title + ui.px(banner_button_height) +
           draw::wrapped_height(ui, window.width() - 2 * ui.px(banner_pad), banner_of(frame, lessons).text);
}

void draw_lesson_banner(const Frame& frame, LessonRunner& lessons, const Box& box) {
    const Ui& ui = frame.ui;
    const Banner banner = banner_of(frame, lessons);
    const float left = box.min.x + ui.px(banner_pad), right = box.max.x - ui.px(banner_pad),
                buttons = buttons_width(ui, banner);
    const bool one_row = beside_text(ui, box.width());
    const float text_right = one_row ? right - buttons - ui.px(banner_pad) : right;
    float y = box.min.y + ui.px(banner_pad);
    const float line = ui.line(FontRole::title_bold) + ui.px(4);
    draw::text_in(ui, {{left, y}, {text_right, y + line}}, banner.title, {FontRole::title_bold});
    y += line;
    ui.items->add(banner.item, box, banner.cells, banner.lesson);
    if (one_row)
        draw::text_in(ui, {{left, y}, {text_right, box.max.y - ui.px(banner_pad)}}, banner.text,
                      {FontRole::body, ui.theme->text_muted});
    else
        draw::text_wrapped(ui, {left, y}, text_right - left, banner.text, {FontRole::body, ui.theme->text_muted});
    ImVec2 at = {right - buttons + ui.px(gap),
                 one_row ? std::round((box.min.y + box.max.y - ui.px(banner_button_height)) / 2)
                         : box.max.y - ui.px(banner_pad) - ui.px(banner_button_height)};
    for (const BannerButton& b : banner.buttons) {
        const ButtonStyle style{.tone = b.tone};
        if (chip(ui, b.label, at, ui.px(banner_button_height), b.text, style)) answer(frame, lessons, b.label);
    }
}

void draw_lesson_error(const Frame& frame, LessonRunner& lessons, Box& box, Bars bars) {
    if (lessons.error().empty()) return;
    // One line only: a lesson with many mistakes must not cover the window.
    const std::string& all = lessons.error();
    const std::size_t end = all.find('\n');
    const auto more = std::ranges::count(all, '\n');
    const std::string first = tr_sentence(all.substr(0, end));
    const std::string_view text = more == 0 ? std::string_view(first)
                                            : frame.ui.items->format(tr("%s (and %d more: glassformer lesson check)"),
                                                                     first.c_str(), static_cast<int>(more));
    if (draw_message_bar(frame.ui, {"lesson error", text}, box, bars)) lessons.dismiss_error();
}

}  // namespace glassformer::app
