#include <algorithm>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/views/embedding/embedding_view.h"
#include "core/base/error.h"
#include "core/base/number_text.h"

namespace glassformer::app::views::embedding {

namespace {

constexpr float text_field_height = 28, token_height = 24, token_gap = 4, table_row_height = 26;  // pixels at 100 %
constexpr std::size_t longest_text = 400, most_rows = 60;

using Way = PieceSteps::Way;

/// Draws items below one another, and keeps track of the bottom.
class Page {
public:
    Page(const Frame& frame, int slot, const Box& in, float top)
        : frame_(frame), ui_(frame.ui), slot_(slot), in_(in), y_(top) {}

    void draw();
    float bottom() const { return y_; }

private:
    TokenizerLook::Of& look() const { return frame_.own<TokenizerLook>().of[slot_]; }
    std::string_view item(const char* what, int i) const {
        return ui_.items->of_card(slot_, "tokenizer %s %d", what, i);
    }
    std::string token(int id) const { return frame_.model(slot_).token_text(id); }

    void read_text();
    void say(std::string_view text, ImU32 colour, FontRole font = FontRole::small) {
        y_ += draw::text_wrapped(ui_, {in_.min.x, y_}, in_.width(), text, {font, colour}) + ui_.px(4);
    }
    void heading(std::string_view text) {
        y_ += ui_.px(6);
        say(text, ui_.theme->text, FontRole::small_bold);
    }
    /// Draws a row of chips, which wraps; `click` gets the index of the clicked one.
    template <class Click>
    void chips(const char* what, int count, const std::function<std::string(int)>& text,
               const std::function<double(int)>& value, int gold, const Click& click);
    void chips(const char* what, const std::vector<int>& ids, int gold);
    Box row(std::string_view left, std::string_view right, bool marked);
    void pretokens(const TokenizerStages& stages);
    void merges(const PieceSteps& steps);
    void tried(const TokenizerStages::Piece& pretoken);
    void scores(const TokenizerStages::Piece& pretoken);

    const Frame& frame_;
    const Ui& ui_;
    int slot_;
    Box in_;
    float y_;
};

void Page::read_text() {
    TokenizerLook::Of& look = this->look();
    if (!look.typed) look.text = frame_.sentence(slot_).text;
    const std::shared_ptr<const Tokenizer>& tokenizer = frame_.model(slot_).tokenizer;
    if (look.stages && look.read_text == look.text && look.tokenizer == tokenizer) return;
    look.read_text = look.text;
    look.tokenizer = tokenizer;
    look.pretoken = 0;
    look.error.clear();
    look.stages = TokenizerStages{};
    try {
        if (look.text.size() > longest_text)
            look.error = filled(tr("This page shows texts of up to {1} bytes."), {std::to_string(longest_text)});
        else
            look.stages = tokenizer_stages(*tokenizer, look.text);
    } catch (const Error& e) {
        look.error = tr(e);
    }
}

template <class Click>
void Page::chips(const char* what, int count, const std::function<std::string(int)>& text,
                 const std::function<double(int)>& value, int gold, const Click& click) {
    const Theme& t = *ui_.theme;
    const float height = std::max(ui_.px(token_height), ui_.line(FontRole::small) + ui_.px(4));
    float x = in_.min.x;
    for (int i = 0; i < count; ++i) {
        const std::string shown = text(i);
        const float width = std::min(draw::text_size(ui_, shown, FontRole::small).x + ui_.px(14), in_.width());
        if (x > in_.min.x && x + width > in_.max.x) x = in_.min.x, y_ += height + ui_.px(token_gap);
        const Box box{{x, y_}, {x + width, y_ + height}};
        draw::rounded_box(ui_, box, i == gold ? t.selection_tint : t.control,
                          i == gold ? t.selection : t.control_border, 5);
        draw::text_in(ui_, box, shown, {FontRole::small, 0, draw::Align::centre});
        const Response r = click_area(ui_, item(what, i), box, item_state(value(i)), shown);
        if constexpr (!std::is_same_v<Click, std::nullptr_t>) {
            if (r.hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
            if (r.clicked) click(i);
        }
        x += width + ui_.px(token_gap);
    }
    y_ += height + ui_.px(6);
}

void Page::chips(const char* what, const std::vector<int>& ids, int gold) {
    chips(
        what, int_size(ids), [&](int i) { return token(ids[i]); }, [&](int i) { return ids[i]; }, gold, nullptr);
}

void Page::pretokens(const TokenizerStages& stages) {
    heading(
        filled(tr("{1} piece, cut into tokens on its own. Click it.",
                  "{1} pieces, each cut into tokens on its own. Click one.", static_cast<long>(stages.pieces.size())),
               {std::to_string(stages.pieces.size())}));
    TokenizerLook::Of& look = this->look();
    const auto shown = [&](int i) {
        std::string text = stages.pieces[i].shown;
        for (std::size_t at = text.find(' '); at != std::string::npos; at = text.find(' ', at))
            text.replace(at, 1, "·");
        return text;
    };
    chips(
        "piece", int_size(stages.pieces), shown, [&](int i) { return stages.pieces[i].tokens.size(); }, look.pretoken,
        [&](int i) { look.pretoken = i; });
}

/// Draws one row per merge: the tokens after it, the new one in gold.
void Page::merges(const PieceSteps& steps) {
    say(tr("It starts as single characters or bytes. The pair whose merge was learned first becomes one token. This "
           "repeats until no pair has a merge."),
        ui_.theme->text_muted);
    chips("symbol", steps.symbols, -1);
    for (std::size_t i = 0; i < std::min(steps.merges.size(), most_rows); ++i) {
        const EncodingStep& step = steps.merges[i];
        const std::string text = filled(tr("merge {1}"), {grouped(step.merge + 1)});
        const float top = y_;
        say(text, ui_.theme->text_muted);
        ui_.items->add(item("merge", static_cast<int>(i)), in_.between_y(top, y_), item_state(step.merge), text);
        chips(ui_.items->format("step %d token", static_cast<int>(i)).data(), step.tokens,
              static_cast<int>(step.position));
    }
    if (steps.merges.empty()) say(tr("No pair has a merge."), ui_.theme->text_muted);
}

/// Draws a row of a table with two columns.
Box Page::row(std::string_view left, std::string_view right, bool marked) {
    const Theme& t = *ui_.theme;
    const float height = std::max(ui_.px(table_row_height) - ui_.px(4), ui_.line(FontRole::small) + ui_.px(2));
    const Box box = in_.between_y(y_, y_ + height);
    if (marked) draw::rounded_box(ui_, box.right_of(box.min.x - ui_.px(4)), t.selection_tint, 0, 4);
    const float middle = in_.min.x + in_.width() * 0.5f;
    const ImU32 ink = marked ? t.text : t.text_muted;
    draw::text_in(ui_, box.left_of(middle), left, {marked ? FontRole::small_bold : FontRole::small, ink});
    draw::text_in(ui_, box.right_of(middle), right, {FontRole::small, ink});
    y_ += height;
    return box;
}

/// Draws every token that was looked up, longest first, and whether it exists.
void Page::tried(const TokenizerStages::Piece& pretoken) {
    const Theme& t = *ui_.theme;
    say(tr("The longest known token at the start is taken, then the longest at the start of the rest. ## marks a token "
           "that continues a word."),
        t.text_muted);
    const std::vector<PieceSteps::Tried>& tried = pretoken.steps.tried;
    for (std::size_t i = 0; i < std::min(tried.size(), most_rows); ++i) {
        const bool there = tried[i].id >= 0;
        const Box box = row(
            tried[i].text, there ? filled(tr("token {1}"), {std::to_string(tried[i].id)}) : tr("no such token"), there);
        ui_.items->add(item("tried", static_cast<int>(i)), box, tried[i].id, tried[i].text);
    }
    if (tried.empty() || tried.back().id < 0)
        say(tr("No known token fits here: the whole piece becomes the unknown token."), t.danger_text);
}

/// Draws every token that is in the pretoken with its score; marks those of the best path, and adds their sum.
void Page::scores(const TokenizerStages::Piece& pretoken) {
    const Theme& t = *ui_.theme;
    say(tr("Each token has a score, the logarithm of its probability. Of all ways to cut the piece, the one with the "
           "highest total is taken."),
        t.text_muted);
    double sum = 0;
    for (const PieceSteps::Scored& one : pretoken.steps.scored) sum += one.taken ? one.score : 0.0;
    for (std::size_t i = 0; i < std::min(pretoken.steps.scored.size(), most_rows); ++i) {
        const PieceSteps::Scored& one = pretoken.steps.scored[i];
        const std::string text = token(one.id);
        const Box box = row(text, draw::signed_number(one.score), one.taken);
        ui_.items->add(item("score", static_cast<int>(i)), box, one.score, text);
        if (one.taken) ui_.items->add(item("taken", static_cast<int>(i)), box, one.score, text);
    }
    const std::string text = filled(tr("total of the best path: {1}"), {draw::signed_number(sum)});
    const float top = y_ + ui_.px(2);
    say(text, t.text, FontRole::small_bold);
    ui_.items->add(ui_.items->of_card(slot_, "tokenizer sum"), in_.between_y(top, y_), sum, text);
}

void Page::draw() {
    const Theme& t = *ui_.theme;
    TokenizerLook::Of& look = this->look();
    read_text();
    say(tr("How this model's tokenizer cuts a text into the tokens that the model reads. Type another text."),
        t.text_muted);
    if (text_field(ui_, ui_.items->of_card(slot_, "tokenizer text"), in_.between_y(y_, y_ + ui_.px(text_field_height)),
                   look.text, tr("a text to tokenize")))
        look.typed = true;
    y_ += ui_.px(text_field_height) + ui_.px(4);
    if (!look.error.empty()) return say(look.error, t.danger_text);
    const TokenizerStages& stages = *look.stages;
    if (stages.normalized != look.read_text) {
        heading(tr("Normalized"));
        const float top = y_;
        say(stages.normalized, t.text);
        ui_.items->add(ui_.items->of_card(slot_, "tokenizer normalized"), in_.between_y(top, y_), std::nullopt,
                       stages.normalized);
    }
    if (stages.pieces.empty()) return;
    pretokens(stages);
    heading(filled(tr("{1} token, special ones included", "{1} tokens, special ones included",
                      static_cast<std::int64_t>(stages.ids.size())),
                   {std::to_string(stages.ids.size())}));
    chips(
        "token", int_size(stages.ids),
        [&](int i) {
            const int id = stages.ids[i];
            return token(id) + "  " + std::to_string(id);
        },
        [&](int i) { return stages.ids[i]; }, -1, nullptr);
    look.pretoken = std::clamp(look.pretoken, 0, int_size(stages.pieces) - 1);
    const TokenizerStages::Piece& pretoken = stages.pieces[look.pretoken];
    heading(filled(tr("How “{1}” becomes tokens"), {pretoken.shown}));
    switch (pretoken.steps.way) {
        case Way::whole:
            return say(tr("It is already one token, or too long to show step by step."), t.text_muted);
        case Way::merges:
            return merges(pretoken.steps);
        case Way::longest_first:
            return tried(pretoken);
        case Way::best_path:
            return scores(pretoken);
    }
}

}  // namespace

bool has_tokenizer_page(const Frame& frame, int slot) {
    return frame.model(slot).tokenizer && has_stages(*frame.model(slot).tokenizer);
}

void draw_tokenizer(const Frame& frame, int slot, ScrollPage& page, float top) {
    Page drawn(frame, slot, page.inside(), top);
    drawn.draw();
    page.reaches(drawn.bottom());
}

}  // namespace glassformer::app::views::embedding
