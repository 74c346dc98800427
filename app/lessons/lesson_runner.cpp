#include "app/lessons/lesson_runner.h"

#include <algorithm>
#include <utility>

#include "app/common/attention_view_place.h"
#include "app/common/glossary.h"
#include "app/common/lesson_menu.h"
#include "app/common/notice.h"
#include "app/common/palette_state.h"
#include "app/common/sentence_edit.h"
#include "app/common/stage_motion.h"
#include "app/common/undo.h"
#include "app/panels/help/help_overlay.h"
#include "app/panels/leaving/saving.h"
#include "app/panels/meaning/meaning_map.h"
#include "app/panels/messages/error_bar.h"
#include "app/ui/input.h"
#include "app/views/registry.h"

namespace glassformer::app {

namespace {

/// The kept step that LookAt(step) shows.
std::int64_t nearest_kept(const Snapshot& snapshot, std::int64_t step) {
    const auto& kept = snapshot.kept_steps;
    const auto distance = [&](std::int64_t k) { return std::abs(k - step); };
    const auto found = std::ranges::min_element(kept, {}, distance);
    return found == kept.end() ? snapshot.step : *found;
}

bool fits(const Snapshot& snapshot, const Lesson& lesson) {
    return lesson.model.empty() || snapshot.model->world == lesson.model;
}

}  // namespace

LessonRunner::LessonRunner(const std::filesystem::path& folder) : folder_(folder), error_(folder_.error()) {}

bool LessonRunner::poll(double now) {
    if (!folder_.poll(now)) return false;
    error_ = folder_.error();
    reloaded_ = true;
    return true;
}

void LessonRunner::report(int line, const std::string& field, const std::string& why) {
    const std::string message = lesson_->name + ":" + std::to_string(line) + ": " + field + ": " + why;
    if (error_.find(message) == std::string::npos) error_ += (error_.empty() ? "" : "\n") + message;
}

void LessonRunner::update(const Frame& frame) {
    if (std::exchange(reloaded_, false)) take_reloaded(frame);
    follow_model(frame);
    obey(frame);
    take_answer(frame);
    if (lesson_ && !waiting_ && values_.snapshot != frame.snapshot.number) look_up(frame);
}

void LessonRunner::take_answer(const Frame& frame) {
    if (!waiting_ || !answered(frame.snapshot)) return;
    waiting_ = false;
    if (!lesson_) return put_back(frame);
    show(frame);
    look_up(frame);
}

/// A lesson that was changed keeps its step; the menu gets the new titles.
void LessonRunner::take_reloaded(const Frame& frame) {
    LessonMenu& menu = frame.state.own<LessonMenu>();
    menu.titles.clear();
    for (const auto& lesson : folder_.lessons()) menu.titles.push_back(lesson->title);
    if (!lesson_) return;
    const int which = folder_.find(lesson_->name);
    menu.open = which;
    if (which < 0 || folder_.lessons()[static_cast<std::size_t>(which)] == lesson_) return;
    lesson_ = folder_.lessons()[static_cast<std::size_t>(which)];
    const auto count = lesson_->steps.size();
    at_ = std::min(at_, static_cast<int>(count) - 1);
    guesses_.resize(count, no_guess);
    for (std::size_t i = 0; i < count; ++i)
        if (!lesson_->steps[i].question || guesses_[i] >= static_cast<int>(lesson_->steps[i].question->choices.size()))
            guesses_[i] = no_guess;
    enter(frame);
}

const Lesson* LessonRunner::wanted() const {
    const int which = wanted_ ? folder_.find(wanted_->name) : -1;
    return which < 0 ? nullptr : folder_.lessons()[static_cast<std::size_t>(which)].get();
}

/// A lesson that waits begins when its model is there; one that is open waits when its model goes, and is shown anew
/// on another of the same world.
void LessonRunner::follow_model(const Frame& frame) {
    const bool changed = std::exchange(model_, frame.snapshot.model) != frame.snapshot.model;
    offer_fits_ = !folder_.lessons().empty() && fits(frame.snapshot, *folder_.lessons().front());
    if (changed && before_) {
        if (lesson_ && fits(frame.snapshot, *lesson_)) return enter(frame);
        forget(frame);
    }
    const Lesson* waits = wanted();
    if (!waits || !fits(frame.snapshot, *waits)) return;
    const Wanted now = *std::exchange(wanted_, std::nullopt);
    start(frame, folder_.find(now.name), now.step);
}

/// What was on screen before the lesson went with its model.
void LessonRunner::forget(const Frame& frame) {
    if (lesson_ && !wanted_) wanted_ = Wanted{lesson_->name, at_};
    lesson_.reset();
    before_.reset();
    waiting_ = false;
    frame.state.own<LessonMenu>().open = -1;
}

void LessonRunner::obey(const Frame& frame) {
    LessonMenu& menu = frame.state.own<LessonMenu>();
    const LessonMenu::Ask ask = std::exchange(menu.ask, LessonMenu::Ask::nothing);
    if (ask == LessonMenu::Ask::start) return start(frame, menu.which, menu.step);
    if (ask == LessonMenu::Ask::leave && wanted()) return give_up_wanted();
    if (!lesson_) return;
    const int last = static_cast<int>(lesson_->steps.size()) - 1;
    if (ask == LessonMenu::Ask::leave || (ask == LessonMenu::Ask::next && at_ == last && !asks())) {
        if (ask == LessonMenu::Ask::next) memory_.at[lesson_->name] = 0;
        return leave(frame);
    }
    if (ask == LessonMenu::Ask::next && asks()) return take_guess(frame, only_shown);
    if (ask == LessonMenu::Ask::next) ++at_, enter(frame);
    if (ask == LessonMenu::Ask::back && at_ > 0) --at_, enter(frame);
}

void LessonRunner::start(const Frame& frame, int which, int step) {
    if (which < 0 || which >= static_cast<int>(folder_.lessons().size())) return;
    const std::shared_ptr<const Lesson>& lesson = folder_.lessons()[static_cast<std::size_t>(which)];
    wanted_.reset();
    if (!fits(frame.snapshot, *lesson)) return void(wanted_ = Wanted{lesson->name, step});
    if (!before_) {
        before_ = Before{frame.state, {frame.snapshot.text_of(0), frame.snapshot.text_of(1)}, -1};
        if (!frame.snapshot.live) before_->step = frame.snapshot.step;
    }
    memory_.offer = false;
    if (lesson != lesson_) guesses_.assign(lesson->steps.size(), no_guess);
    lesson_ = lesson;
    frame.state.own<LessonMenu>().open = which;
    const auto left = memory_.at.find(lesson_->name);
    at_ = step >= 0 ? step : left == memory_.at.end() ? 0 : left->second;
    at_ = std::clamp(at_, 0, static_cast<int>(lesson_->steps.size()) - 1);
    enter(frame);
}

const Scene& LessonRunner::scene() const {
    return step().question && guess() != no_guess ? step().question->scene : step().scene;
}

void LessonRunner::enter(const Frame& frame) {
    memory_.at[lesson_->name] = at_;
    values_ = {};
    checked_ = false;
    const Scene& s = scene();
    std::array<std::string, 2> texts = s.sentences;
    for (std::size_t slot = 0; slot < 2; ++slot) {
        if (texts[slot].empty()) texts[slot] = before_->texts[slot];
        frame.state.own<SentenceEdits>().of[slot] = {};
    }
    ask_worker(frame, texts, s.step);
    take_answer(frame);
}

void LessonRunner::ask_worker(const Frame& frame, const std::array<std::string, 2>& texts,
                              std::optional<std::int64_t> step) {
    const Snapshot& s = frame.snapshot;
    // Until the last answer is here, the snapshot does not tell what the worker will show.
    const bool unsure = waiting_;
    bool sent = false;
    const auto send = [&](Command command) {
        frame.send(std::move(command));
        sent = true;
    };
    for (int slot = 0; slot < 2; ++slot) {
        const std::string& text = texts[static_cast<std::size_t>(slot)];
        if (unsure || s.text_of(slot) != text) send(command::Watch{slot, text});
    }
    const Comparing& with = compared();
    if (unsure || !(s.comparing == with)) send(command::CompareWith{with});
    if (step && (unsure || s.live || s.step != nearest_kept(s, *step))) send(command::LookAt{*step});
    if (!step && (unsure || !s.live)) send(command::FollowLive{});
    texts_ = texts;
    step_asked_ = step;
    asked_at_ = sent ? s.number : 0;
    waiting_ = true;
}

/// Lessons are about two sentences; after them comes back what was compared before.
const Comparing& LessonRunner::compared() const {
    static const Comparing sentences;
    return lesson_ || !before_ ? sentences : before_->state.comparing;
}

bool LessonRunner::answered(const Snapshot& snapshot) const {
    if (snapshot.number <= asked_at_) return false;
    for (std::size_t slot = 0; slot < 2; ++slot)
        if (snapshot.text_of(static_cast<int>(slot)) != texts_[slot]) return false;
    if (!(snapshot.comparing == compared())) return false;
    return step_asked_ ? snapshot.step == nearest_kept(snapshot, *step_asked_) : snapshot.live;
}

void LessonRunner::show(const Frame& frame) {
    ViewState& state = frame.state;
    const Scene& s = scene();
    const auto views = all_views();
    const auto view = std::ranges::find(views, std::string_view(s.view), &View::name);
    state.view = view == views.end() ? attention_view_place : static_cast<int>(view - views.begin());
    state.compare = s.compare;
    state.own<MeaningMapState>().layer = s.meaning_layer;
    choose_words(frame);
    const TransformerConfig& config = frame.snapshot.model->config;
    const int last = config.n_layers - 1;
    if (s.layer.value_or(last) > last && s.layer != last_layer)
        report(step().line, "layer", "the model has only " + std::to_string(config.n_layers) + " blocks");
    if (s.head.value_or(0) >= config.n_heads)
        report(step().line, "head", "the model has only " + std::to_string(config.n_heads) + " heads");
    if (s.strongest) find_strongest(frame);
    choose_head(state, frame.snapshot, s.layer.value_or(state.layer), s.head.value_or(state.head));
    layer_ = state.layer, head_ = state.head;
    if (s.explain) {
        const LiveValue value = evaluate(*s.explain, {frame.snapshot, layer_, head_});
        if (value.cell)
            explain(state, *value.cell);
        else
            report(s.explain->line, "explain", "{" + s.explain->source + "} is no number of this trace");
    }
    turn_to_panel(state);
    frames_shown_ = 0;
    ++scenes_;
}

/// By the words with two meanings, whichever are chosen: the scene may hide what they look at, for a question.
void LessonRunner::find_strongest(const Frame& frame) const {
    ViewState state = frame.state;
    for (std::size_t slot = 0; slot < 2; ++slot)
        if (const int homonym = frame.snapshot.sentences[slot].homonym_pos; homonym >= 0) state.token[slot] = homonym;
    choose_strongest_head(state, frame.snapshot);
    frame.state.layer = state.layer, frame.state.head = state.head;
}

void LessonRunner::choose_words(const Frame& frame) {
    const Scene& s = scene();
    for (int slot = 0; slot < 2; ++slot) {
        const auto i = static_cast<std::size_t>(slot);
        const WatchedSentence& sentence = frame.sentence(slot);
        frame.state.token[i] = first_token(*frame.snapshot.model, sentence);
        frame.state.own<SentenceEdits>().of[i].last_good =
            sentence.text;  // else the picker takes it for new, and chooses the word itself
        if (s.words[i].empty()) continue;
        const auto found = std::ranges::find(sentence.tokens, s.words[i], &WordTokenizer::Token::text);
        if (found == sentence.tokens.end())
            report(step().line, std::string("word ") + Frame::letter(slot),
                   "\"" + s.words[i] + "\" is not in \"" + sentence.text + "\"");
        else
            frame.state.token[i] = static_cast<int>(found - sentence.tokens.begin());
    }
    frame.state.slot = s.slot;
}

void LessonRunner::turn_to_panel(ViewState& state) const {
    const LessonPanel panel = scene().panel;
    const bool words = panel == LessonPanel::words;
    if (words || panel == LessonPanel::meaning) state.side_panel = words ? 1 : 0;
    const int index = static_cast<int>(panel);  // Words and Meaning share one panel
    state.narrow_panel = index >= static_cast<int>(LessonPanel::words) ? index - 1 : index;
}

void LessonRunner::take_guess(const Frame& frame, int choice) {
    if (!asks()) return;
    guesses_[static_cast<std::size_t>(at_)] = choice;
    enter(frame);
}

void LessonRunner::leave(const Frame& frame) {
    lesson_.reset();
    frame.state.own<LessonMenu>().open = -1;
    for (SentenceEdit& edit : frame.state.own<SentenceEdits>().of) edit = {};
    ask_worker(frame, before_->texts, before_->step < 0 ? std::nullopt : std::optional(before_->step));
}

/// What was on screen before the lesson. The person's own settings stay as they are now.
void LessonRunner::put_back(const Frame& frame) {
    ViewState now = std::move(frame.state);
    frame.state = std::move(before_->state);
    before_.reset();
    frame.state.theme = now.theme;
    frame.state.scale = now.scale;
    frame.state.presenter = now.presenter;
    frame.state.reduce_motion = now.reduce_motion;
    frame.own<HelpOverlay>() = now.own<HelpOverlay>();
    frame.own<ErrorBarState>() = now.own<ErrorBarState>();
    frame.own<LessonMenu>() = std::move(now.own<LessonMenu>());
    frame.own<PaletteState>() = std::move(now.own<PaletteState>());
    frame.own<TermCard>() = std::move(now.own<TermCard>());
    frame.own<Notice>() = std::move(now.own<Notice>());
    frame.own<Saving>() = std::move(now.own<Saving>());
    frame.own<UndoState>().asked = now.own<UndoState>().asked;
    frame.own<StageMotion>() = std::move(now.own<StageMotion>());  // where things are on screen now
    frame.state.own<SentenceEdits>().of = {};
}

void LessonRunner::look_up(const Frame& frame) {
    const LivePlace place{frame.snapshot, layer_, head_};
    values_ = {};
    values_.snapshot = frame.snapshot.number;
    const auto values = [&](const LiveText& text, std::vector<LiveValue>& to) {
        for (const LiveText::Piece& piece : text.pieces)
            if (piece.live) to.push_back(evaluate(*piece.live, place));
    };
    values(step().text, values_.text);
    for (const LiveText& light : scene().lights) values_.lights.push_back(evaluate(light, place));
    for (const LiveText& hide : scene().hides) values_.hides.push_back(evaluate(hide, place));
    if (!step().question) return;
    const Question& q = *step().question;
    values(q.after, values_.after);
    const std::string answer = evaluate(q.answer, place);
    for (const Choice& choice : q.choices)
        values_.right.push_back(choice.when ? holds(*choice.when, place).value_or(false)
                                            : !q.answer.empty() && choice.text == answer);
}

void LessonRunner::check_items(const Frame& frame, const LiveText& source, std::string_view labels, const char* field) {
    while (!labels.empty()) {
        const std::size_t plus = labels.find(" + ");
        const std::string label(labels.substr(0, plus));
        if (!frame.ui.items->find(label)) report(source.line, field, "there is no item \"" + label + "\" on screen");
        labels.remove_prefix(plus == std::string_view::npos ? labels.size() : plus + 3);
    }
}

void LessonRunner::check(const Frame& frame, bool all_panels) {
    constexpr int settled = 4;  // frames until scrolled areas and new panels have found their place
    if (!on_screen() || checked_ || ++frames_shown_ < settled || values_.snapshot == 0) return;
    checked_ = true;
    for (std::size_t i = 0; all_panels && i < values_.lights.size(); ++i)
        check_items(frame, scene().lights[i], values_.lights[i], "light");
    for (std::size_t i = 0; all_panels && i < values_.hides.size(); ++i)
        check_items(frame, scene().hides[i], values_.hides[i], "hide");
    const auto known = [&](const LiveText& text, const std::vector<LiveValue>& values) {
        std::size_t k = 0;
        for (const LiveText::Piece& piece : text.pieces)
            if (piece.live && !values[k++].known)
                report(piece.live->line, "text", "{" + piece.live->source + "} is not in the sentences or the model");
    };
    known(step().text, values_.text);
    if (step().question) known(step().question->after, values_.after);
}

std::string_view LessonRunner::reveal() const {
    if (!on_screen() || checked_ || values_.lights.empty()) return {};
    // Of several framed together the last: it stands lowest.
    const std::string_view first = values_.lights.front();
    const std::size_t plus = first.rfind(" + ");
    return plus == std::string_view::npos ? first : first.substr(plus + 3);
}

void LessonRunner::handle_keys(const Frame& frame) {
    if (!lesson_ || wanted() || !keys_are_commands() || ctrl_down() || frame.state.own<HelpOverlay>().open) return;
    LessonMenu& menu = frame.state.own<LessonMenu>();
    if (key_pressed(Key::n) || (key_pressed(Key::enter) && !frame.ui.focus->any())) menu.ask = LessonMenu::Ask::next;
    if (key_pressed(Key::p)) menu.ask = LessonMenu::Ask::back;
    if (!asks()) return;
    for (int i = 0; i < static_cast<int>(step().question->choices.size()); ++i)
        if (key_pressed(static_cast<Key>(static_cast<int>(Key::d1) + i))) return take_guess(frame, i);
}

}  // namespace glassformer::app
