#include "app/presenter/vote.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <system_error>
#include <utility>

#include "app/common/table_text.h"
#include "app/language/tr.h"
#include "app/ui/child_window.h"
#include "app/ui/input.h"
#include "app/ui/scroll_area.h"
#include "core/base/guarded.h"
#include "core/platform/user_folders.h"

namespace glassformer::app {

namespace {

// Pixels at 100 %.
constexpr float widest = 860, widest_with_code = 1100, vote_pad = 20, highest_row = 62, lowest_row = 40, vote_gap = 8,
                buttons = 38;
constexpr float code_share = 0.38f;  // of the card's width
constexpr float bars_share = 0.45f;  // the most of a choice's row; a long text leaves the bars less, but not too little
constexpr float least_bars = 150, highest_letter = 48, choice_text_from = 56;  // pixels at 100 %
constexpr int most_hands = 9999;
constexpr std::array<const char*, 5> hints = {N_("Count the hands: 1, 2, 3 … or a click adds one, Shift removes one."),
                                              N_("The first vote. Talk about it in pairs."),
                                              N_("Count the hands again."), N_("Both votes."),
                                              N_("The model's answer.")};
constexpr std::array<const char*, 5> phone_hints = {N_("Scan the code, or type the address, and choose."), hints[1],
                                                    N_("Choose again on your phone."), hints[3], hints[4]};
constexpr std::array<const char*, 5> next_words = {N_("Show the bars"), N_("Vote again"), N_("Show the bars"),
                                                   N_("Show the answer"), N_("Done")};

char letter(std::size_t choice) { return static_cast<char>('A' + choice); }

int total(const std::vector<VoteChoice>& choices, std::size_t round) {
    int sum = 0;
    for (const VoteChoice& choice : choices) sum += choice.votes(round);
    return sum;
}

/// Returns what is on screen, one line per sentence: "A: He swung the bat and hit a foul."
std::string sentences_on_screen(const Frame& frame) {
    constexpr std::size_t longest = 160;
    std::string lines;
    for (int slot = 0; slot < 2; ++slot) {
        if (!is_shown(frame.state, slot) || (slot == 1 && !frame.snapshot.comparing.of_sentences())) continue;
        std::string text = frame.sentence(slot).text;
        if (text.empty() || text.size() > longest) continue;  // a long text does not fit on the card
        for (char& c : text)
            if (c == '\n') c = ' ';
        lines += (lines.empty() ? "" : "\n") + std::string(Frame::letter(slot)) + ": " + text;
    }
    return lines;
}

std::string now() {
    const std::time_t time = std::time(nullptr);
    char text[32] = "";
    if (const std::tm* local = std::localtime(&time)) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", local);
    return text;
}

/// Returns the question in a text: its last paragraph, without the marks for bold and formulas.
std::string question_of(const ShownText& shown) {
    std::string text;
    std::size_t value = 0;
    for (const LiveText::Piece& piece : shown.text.pieces) {
        if (piece.picture) continue;
        text += piece.live ? shown.values[value].shown : piece.text;
        if (piece.live) ++value;
    }
    while (text.ends_with('\n')) text.pop_back();
    if (const std::size_t last = text.rfind('\n'); last != std::string::npos) text.erase(0, last + 1);
    for (const std::string_view sign : {"**", "$"}) {  // a phone shows neither bold words nor formulas
        for (std::size_t open, close; (open = text.find(sign)) != std::string::npos;) {
            if ((close = text.find(sign, open + sign.size())) == std::string::npos) break;  // "it costs $5"
            text.erase(close, sign.size()).erase(open, sign.size());
        }
    }
    return text;
}

}  // namespace

std::filesystem::path votes_file() {
    const std::filesystem::path folder = platform::data_folder();
    return folder.empty() ? folder : folder / "votes.csv";
}

void Vote::begin(const Frame& frame, const LessonRunner& lessons) {
    if (open_) return close(frame);
    if (lessons.open() && !lessons.on_screen()) {
        frame.state.window.notice = {tr("Wait until the lesson's step is on the screen, and then start the vote.")};
        return;
    }
    open_ = true;
    phase_ = Phase::first;
    title_ = tr("Vote");
    text_.clear(), lesson_.clear(), choices_.clear(), right_.clear();
    ++question_;
    sentences_ = sentences_on_screen(frame);
    from_lesson_ = lessons.open() && lessons.asks();
    if (from_lesson_) {
        lesson_ = lessons.lesson()->title;
        name_ = lessons.lesson()->name, step_ = lessons.at();
        title_ = lessons.step().title;
        text_ = question_of(lessons.text());
        for (const std::string& choice : lessons.asked().choices) choices_.push_back({choice});
        return;
    }
    for (int i = 0; i < 4; ++i) choices_.push_back({""});
}

void Vote::follow_phones() {
    Ballot ballot;
    if (open_) {
        ballot.question = question_;
        ballot.round = static_cast<int>(round());
        ballot.open = counting();
        ballot.title = title_;
        ballot.text = sentences_ + (sentences_.empty() || text_.empty() ? "" : "\n") + text_;
        for (const VoteChoice& choice : choices_) ballot.choices.push_back(choice.text);
    }
    phones_.follow(std::move(ballot));
    const BallotBox::Counts counts = phones_.counts();
    for (std::size_t i = 0; i < std::min(choices_.size(), Ballot::most_choices); ++i)
        choices_[i].phones = {counts[0][i], counts[1][i]};
}

void Vote::count(std::size_t choice, int more) {
    if (counting() && choice < choices_.size()) hands(choice) = std::clamp(hands(choice) + more, 0, most_hands);
}

void Vote::go_on(const Frame& frame, LessonRunner& lessons) {
    if (phase_ == Phase::answer) return close(frame);
    phase_ = static_cast<Phase>(static_cast<int>(phase_) + 1);
    if (phase_ != Phase::answer) return;
    if (!from_lesson_) return close(frame);  // only the class knows the answer
    if (asked_by(lessons) && lessons.asks()) lessons.take_guess(frame, LessonRunner::only_shown);
}

const char* Vote::next_word() const {
    const bool answers = from_lesson_ || phase_ != Phase::both_bars;
    return tr(answers ? next_words[static_cast<std::size_t>(phase_)] : next_words.back());
}

bool Vote::asked_by(const LessonRunner& lessons) const {
    return from_lesson_ && lessons.open() && lessons.lesson()->name == name_ && lessons.at() == step_;
}

Vote::~Vote() {
    if (open_) guarded([this] { save(); });
}

void Vote::close(const Frame& frame) {
    open_ = false;
    if (const std::filesystem::path failed = save(); !failed.empty())
        frame.state.window.notice = {filled(tr("The vote could not be saved in {1}"), {failed.string()})};
}

std::filesystem::path Vote::save() const {
    if (total(choices_, 0) == 0 && total(choices_, 1) == 0) return {};
    const std::filesystem::path file = votes_file();
    std::error_code error;
    if (!file.empty()) std::filesystem::create_directories(file.parent_path(), error);
    const bool fresh = !std::filesystem::exists(file, error);
    std::ofstream table(file, std::ios::app);
    if (fresh) table << "time,lesson,question,choice,text,first,second,right\n";
    const std::string time = now();
    for (std::size_t i = 0; i < choices_.size(); ++i)
        table << time << ',' << table_field(lesson_) << ',' << table_field(title_) << ',' << letter(i) << ','
              << table_field(choices_[i].text) << ',' << choices_[i].votes(0) << ',' << choices_[i].votes(1) << ','
              << (i < right_.size() ? right_[i] ? "1" : "0" : "") << '\n';
    table.close();
    if (table) return {};
    return file.empty() ? std::filesystem::path("votes.csv") : file;  // no folder is known
}

void Vote::turn(const Frame& frame, LessonRunner& lessons, int by) {
    if (by > 0) return go_on(frame, lessons);
    if (phase_ > Phase::first && phase_ < Phase::answer) phase_ = static_cast<Phase>(static_cast<int>(phase_) - 1);
}

bool Vote::handle_keys(const Frame& frame, LessonRunner& lessons) {
    if (!open_) return false;
    for (std::size_t i = 0; i < std::min<std::size_t>(choices_.size(), 6); ++i)
        if (key_pressed(static_cast<Key>(static_cast<int>(Key::d1) + static_cast<int>(i))))
            return count(i, shift_down() ? -1 : 1), true;
    if (key_pressed(Key::enter) || key_pressed(Key::page_down)) return turn(frame, lessons, 1), true;
    if (key_pressed(Key::page_up)) return turn(frame, lessons, -1), true;
    if (key_pressed(Key::escape)) return close(frame), true;
    return false;
}

/// Draws the first vote, and below it the second, as shares of the votes of each.
void Vote::draw_bars(const Ui& ui, const Box& box, const VoteChoice& choice) const {
    if (phase_ == Phase::first) return;
    const bool both = phase_ >= Phase::both_bars;
    const float height = box.height() / 2 - ui.px(3);
    const auto bar = [&](float y, std::size_t round, ImU32 colour) {
        const int all = total(choices_, round);
        const float share = all > 0 ? static_cast<float>(choice.votes(round)) / static_cast<float>(all) : 0;
        const float number = ui.px(64);
        draw::bar(ui, {{box.min.x, y}, {box.max.x - number, y + height}}, share, colour, ui.theme->track);
        draw::text_in(ui, {{box.max.x - number, y}, {box.max.x, y + height}},
                      ui.items->format("%.0f %%", 100 * static_cast<double>(share)),
                      {FontRole::body_bold, 0, draw::Align::right});
    };
    bar(both ? box.min.y : (box.min.y + box.max.y - height) / 2, 0,
        both ? with_alpha(ui.theme->accent, 0.45f) : ui.theme->accent);
    if (both) bar(box.min.y + box.height() / 2 + ui.px(3), 1, ui.theme->accent);
}

void Vote::draw_choice(const Frame& frame, const Box& row, std::size_t i, float bars) {
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    const bool right = i < right_.size() && right_[i];
    draw::rounded_box(ui, row, right ? t.good_tint : t.control, right ? t.good : t.control_border, 8);
    const float inset = ui.px(6), half = std::min(row.height(), ui.px(highest_letter)) / 2 - inset;
    const Box square = Box::around({row.min.x + inset + half, row.middle_y()}, half);
    draw::rounded_box(ui, square, t.accent, 0, 6);
    const char name[] = {letter(i), 0};
    draw::text_in(ui, square, name, {FontRole::big_bold, IM_COL32_WHITE, draw::Align::centre});
    const float less = ui.px(30), counted = ui.px(64);
    const VoteChoice& choice = choices_[i];
    const float bars_from = row.max.x - bars, text_from = row.min.x + ui.px(choice_text_from);
    const float room = bars_from - text_from;  // while hands are counted, too: the lines stay the same
    const float lines = draw::wrapped_height(ui, room, choice.text, FontRole::title_bold);
    draw::text_wrapped(ui, {text_from, row.middle_y() - lines / 2}, room, choice.text, {FontRole::title_bold});
    if (!counting()) {
        draw_bars(ui, {{bars_from + ui.px(10), row.min.y + inset}, {row.max.x - ui.px(12), row.max.y - inset}}, choice);
        ui.items->add(ui.items->format("vote/%c", letter(i)), row, choice.votes(round()), choice.text);
        return;
    }
    const Box area = row.left_of(row.max.x - less - ui.px(8));
    draw::text_in(ui, row.between_x(area.max.x - counted, area.max.x), ui.items->format("%d", hands(i)),
                  {FontRole::big_bold, 0, draw::Align::centre});
    if (click_area(ui, ui.items->format("vote/%c", letter(i)), area, hands(i), choice.text)) count(i, 1);
    const ButtonStyle style{.tone = Tone::quiet, .enabled = hands(i) > 0};
    const float y = (row.min.y + row.max.y - less) / 2;
    if (button(ui, ui.items->format("vote/%c less", letter(i)),
               {{row.max.x - less - ui.px(6), y}, {row.max.x - ui.px(6), y + less}}, "−", style))
        count(i, -1);
}

const char* Vote::hint() const { return tr((phones_.on() ? phone_hints : hints)[static_cast<std::size_t>(phase_)]); }

Vote::ChoiceRow Vote::choice_row(const Ui& ui, float width) const {
    const float room = width - ui.px(choice_text_from), most = width * bars_share;
    float longest = 0;
    for (const VoteChoice& choice : choices_)
        longest = std::max(longest, std::ceil(draw::text_size(ui, choice.text, FontRole::title_bold).x));
    ChoiceRow row{std::clamp(room - longest, std::min(ui.px(least_bars), most), most), ui.px(lowest_row)};
    for (const VoteChoice& choice : choices_)
        row.lowest = std::max(row.lowest, draw::wrapped_height(ui, room - row.bars, choice.text, FontRole::title_bold));
    return row;
}

/// Computed before drawing, so that the card has its final height at once. Rows are as high as the panel allows,
/// because a lesson's text is below it, with the title. If even the lowest rows do not fit, two choices share a row;
/// what still does not fit, scrolls.
Vote::CardParts Vote::card_parts(const Ui& ui, float width, float most) const {
    const float space = ui.px(vote_gap), inner = width - 2 * ui.px(vote_pad);
    const float around = 2 * ui.px(vote_pad) + space + ui.px(buttons), seen = most - around;
    const bool code = phones_.on() && counting();
    CardParts p;
    p.width = code ? inner * (1 - code_share) - ui.px(vote_pad) : inner;
    if (!from_lesson_) p.sentences = draw::wrapped_height(ui, p.width, title_, FontRole::big_bold) + ui.px(2);
    p.hint = p.sentences;
    if (!sentences_.empty()) p.hint += draw::wrapped_height(ui, p.width, sentences_, FontRole::title) + ui.px(2);
    p.problem = p.hint + draw::wrapped_height(ui, p.width, hint()) + space;
    p.rows = p.problem + phones_.problem_height(ui, p.width);
    const auto rows_end = [&](std::size_t columns, float row) {
        return p.rows + static_cast<float>((choices_.size() + columns - 1) / columns) * (row + space) - space;
    };
    ChoiceRow row = choice_row(ui, p.width);
    const ChoiceRow half = choice_row(ui, (p.width - space) / 2);
    const float alone = rows_end(1, row.lowest);
    if (alone > seen && rows_end(2, half.lowest) < alone) p.columns = 2, row = half;
    const auto rows = static_cast<float>((choices_.size() + p.columns - 1) / p.columns);
    p.row = std::clamp((seen - p.rows + space) / rows - space, row.lowest, std::max(row.lowest, ui.px(highest_row)));
    p.bars = row.bars;
    p.end = rows_end(p.columns, p.row);
    if (code) {  // not larger than the visible part of the card
        p.code_end = std::max(std::min(seen, std::max(p.end, inner * code_share * 1.3f)), p.row);
        p.end = std::max(p.end, p.code_end);
    }
    p.height = p.end + around;
    return p;
}

/// The buttons stay at the bottom, whatever is above them.
void Vote::draw_card(const Frame& frame, const Box& card, const CardParts& parts, LessonRunner& lessons) {
    // The model reveals the answer as soon as what follows the question is on screen.
    if (phase_ == Phase::answer && right_.empty() && asked_by(lessons)) right_ = lessons.asked().right;
    const Ui& ui = frame.ui;
    const float left = card.min.x + ui.px(vote_pad), right = card.max.x - ui.px(vote_pad);
    const float foot = card.max.y - ui.px(vote_pad), buttons_from = foot - ui.px(buttons);
    const float bar = ImGui::GetStyle().ScrollbarSize + ui.px(2);  // beside the choices, which keep their width
    {
        const Box above{{left, card.min.y + ui.px(vote_pad)}, {right + bar, buttons_from - ui.px(vote_gap)}};
        const ScrollArea area(ui, "##vote choices", above, parts.end);
        draw_above_buttons(frame, {{left, area.content().min.y}, {right, area.content().max.y}}, parts);
    }
    draw_buttons(frame, {{left, buttons_from}, {right, foot}}, lessons);
}

void Vote::draw_above_buttons(const Frame& frame, const Box& box, const CardParts& parts) {
    const Ui& ui = frame.ui;
    const float left = box.min.x, right = left + parts.width, top = box.min.y, space = ui.px(vote_gap);
    if (!from_lesson_) draw::text_wrapped(ui, box.min, parts.width, title_, {FontRole::big_bold});
    if (!sentences_.empty()) {  // the card covers the panel that shows them
        const ImVec2 at{left, top + parts.sentences};
        draw::text_wrapped(ui, at, parts.width, sentences_, {FontRole::title});
        ui.items->add("vote/sentences", {at, {right, top + parts.hint}}, std::nullopt, sentences_);
    }
    draw::text_wrapped(ui, {left, top + parts.hint}, parts.width, hint(), {FontRole::body, ui.theme->text_muted});
    phones_.draw_problem(frame, {left, top + parts.problem}, parts.width);
    if (parts.code_end > 0) phones_.draw(frame, {{right + ui.px(vote_pad), top}, {box.max.x, top + parts.code_end}});
    const float column = (parts.width + space) / static_cast<float>(parts.columns);
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const float x = left + static_cast<float>(i % parts.columns) * column;
        const float y = top + parts.rows + static_cast<float>(i / parts.columns) * (parts.row + space);
        draw_choice(frame, {{x, y}, {x + column - space, y + parts.row}}, i, parts.bars);
    }
}

void Vote::draw_buttons(const Frame& frame, const Box& row, LessonRunner& lessons) {
    const Ui& ui = frame.ui;
    ButtonStyle next, quiet, phones;
    next.tone = Tone::primary;
    next.font = FontRole::body_bold;
    phones.tone = Tone::quiet;
    phones.selected = phones_.on();
    phones.tooltip = tr("A page on this computer's network where phones vote");
    if (platform::asks_before_listening())
        phones.tooltip =
            tr("A page on this computer's network where phones vote. The first time, Windows asks whether "
               "others may reach it: allow it, before the lecture.");
    ImVec2 at = row.min;
    const bool goes_on = chip(ui, "vote/next", at, ui.px(buttons), next_word(), next).clicked;
    const bool closes = chip(ui, "vote/close", at, ui.px(buttons), tr("Close"), quiet).clicked;
    const bool toggles = counting() && chip(ui, "vote/phones", at, ui.px(buttons), tr("Phones"), phones).clicked;
    const int all = total(choices_, round());
    draw::text_in(ui, row.right_of(at.x), ui.items->format(tr("%d vote", "%d votes", all), all),
                  {FontRole::body_bold, ui.theme->text_muted, draw::Align::right});
    if (toggles) phones_.toggle(frame);
    if (goes_on) go_on(frame, lessons);
    if (closes) close(frame);
}

void Vote::draw(const Frame& frame, const Box& box, LessonRunner& lessons) {
    if (open_ && from_lesson_ && !asked_by(lessons)) close(frame);  // the lesson went on: its question is gone
    if (!open_) return;
    const Ui& ui = frame.ui;
    const bool code = phones_.on() && counting(), code_alone = code && phones_.large();
    const float width = code_alone ? box.width() : std::min(ui.px(code ? widest_with_code : widest), box.width());
    const CardParts parts = card_parts(ui, width, box.height());
    const ImVec2 size{width, code_alone ? box.height() : std::min(parts.height, box.height())};
    // At the panel's bottom, so that the buttons stay under the pointer if a message or the code makes the card higher.
    const ImVec2 min{std::round((box.min.x + box.max.x - size.x) / 2), std::round(box.max.y - size.y)};
    const ImVec2 max{min.x + size.x, min.y + size.y};
    const ChildWindow window(ui, "##vote", {min, max}, ChildWindow::Kind::scrolls);
    draw::card(ui, {min, max});
    ui.items->add("vote", {min, max}, item_state(static_cast<double>(phase_)), title_);
    const float inset = ui.px(vote_pad);
    if (code_alone)
        phones_.draw(frame, {{min.x + inset, min.y + inset}, {max.x - inset, max.y - inset}});
    else
        draw_card(frame, {min, max}, parts, lessons);
}

}  // namespace glassformer::app
