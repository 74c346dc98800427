#include <algorithm>
#include <array>
#include <cmath>

#include "app/common/heat_map.h"
#include "app/common/said_words.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/experiment/experiment_parts.h"
#include "app/ui/scroll_area.h"
#include "core/base/number_text.h"
#include "core/graph/hook_names.h"

namespace glassformer::app {

namespace {

constexpr float least_card = 292, card_height = 262, card_gap = 10, card_padding = 10,
                choice_height = 24;  // pixels at 100 %
constexpr int most_listed_keys = 4;

/// One run: the head that does the same on the current sentence.
class ExperimentCard {
public:
    ExperimentCard(const Frame& frame, const ExperimentInfo& experiment, std::size_t index, const Box& box)
        : frame_(frame),
          ui_(frame.ui),
          s_(frame.own<ExperimentState>()),
          model_(*experiment.model),
          run_(experiment.runs[index]),
          name_(tr_run_name(run_.name)),
          index_(index),
          box_(box),
          in_file_(s_.kept.experiment.get() == &experiment) {}

    void draw() {
        const bool chosen = static_cast<int>(index_) == s_.reference;
        draw::card(ui_, box_);
        if (chosen) draw::selection_frame(ui_, box_, 8);
        Box rest = box_.inset(ui_.px(card_padding));
        const Box head = rest.cut_top(ui_.line(FontRole::body_bold), ui_.px(4));
        const Response mouse = link_area(ui_, label("card"), head, item_state(chosen), name_);
        draw_head(head);
        const float foot = ui_.px(24);
        draw_foot(rest.bottom(foot));
        draw_middle(rest.above(rest.max.y - foot - ui_.px(4)));
        if (mouse.clicked) choose();
    }

private:
    /// Makes this run the one that the others are compared with.
    void choose() {
        if (!run_.seen) return;
        s_.run = static_cast<int>(index_);
        s_.head.reset();
    }
    std::string_view label(const char* part) const {
        return ui_.items->format("experiment/%s %d", part, static_cast<int>(index_));
    }
    const MatchedInRun* matched() const {
        return index_ < s_.matched.size() && s_.matched[index_].block >= 0 ? &s_.matched[index_] : nullptr;
    }
    const WatchedSentence& sentence() const { return run_.seen->sentences[frame_.state.slot]; }

    void draw_head(Box row) {
        const float side = ui_.px(12);
        Box swatch = row.cut_left(ui_.px(20), ui_.px(6));
        swatch = swatch.between_y(swatch.middle_y() - side / 4, swatch.middle_y() + side / 4);
        draw::rounded_box(ui_, swatch, colour_of_run(frame_, index_), 0, 2);
        if (run_.now.found) {
            const double value = run_.now.found->value;
            const std::string text = metric_text(model_, value);
            const Box end = row.cut_right(draw::text_size(ui_, text, FontRole::body_bold).x, ui_.px(6));
            draw::label(ui_, end, text, {FontRole::body_bold, 0, draw::Align::right}, {label("metric"), value});
            if (draw::hovered(end))
                draw::tip(ui_, end,
                          filled(tr("{1}, at step {2}"), {metric_label(model_), grouped(run_.now.measured_step)}));
        }
        const float name = std::min(row.width(), draw::text_size(ui_, name_, FontRole::body_bold).x + ui_.px(1));
        draw::text_told(ui_, row.cut_left(name, ui_.px(8)), name_, {FontRole::body_bold});
        const MatchedInRun* head = matched();
        if (!head || s_.shows != ExperimentState::Shows::attention) return;
        match_in_list_ = row.width() < draw::text_size(ui_, brief_name(*head), FontRole::small).x;
        if (!match_in_list_) draw_match(*head, row);
    }

    /// The head's name as `sweep` writes it.
    std::string_view brief_name(const MatchedInRun& head) const {
        return ui_.items->format("b%dh%d", head.block, head.head);
    }

    void draw_match(const MatchedInRun& head, const Box& row) {
        const std::string_view whole = ui_.items->format(tr("block %d · head %d"), head.block, head.head);
        const std::string_view text = draw::first_fitting(ui_, row.width(), {whole, brief_name(head)}, FontRole::small);
        draw::label(ui_, row, text, {FontRole::small, ui_.theme->text_muted}, {label("head"), head.distance});
        if (!draw::hovered(row)) return;
        if (static_cast<int>(index_) == s_.reference) {
            draw::tip(ui_, row,
                      ui_.items->format("%s\n%s", whole.data(),
                                        tr("The head whose counterpart is looked up in the other runs")));
            return;
        }
        const std::string_view about =
            ui_.items->format(tr("%s, distance %s\nThe mean share of attention that lies elsewhere than in the framed "
                                 "run's head: 0 is the same, 1 has nothing in common. Heads are paired so that the sum "
                                 "of all distances is as small as possible."),
                              whole.data(), with_decimals(head.distance, 2).c_str());
        draw::tip(ui_, row, about);
    }

    void draw_foot(Box row) {
        const bool ended = run_.now.ended() && run_.now.parameters;
        const ButtonStyle style{.tone = Tone::attention,
                                .enabled = ended,
                                .font = FontRole::small,
                                .tooltip = ended ? std::string_view(tr("Open this run beside the others"))
                                           : in_file_
                                               ? std::string_view(tr("The model of this run is not in the file."))
                                               : std::string_view(tr("It opens when it has ended"))};
        const float width = chip_width(ui_, tr("Open"), style);
        if (button(ui_, label("open"), row.cut_right(width, ui_.px(8)), tr("Open"), style)) {
            frame_.send(command::OpenExperimentRun{static_cast<int>(index_)});
            s_.open = false;
        }
        if (!run_.now.failure.empty()) {
            const std::string why = tr_sentence(run_.now.failure);
            draw::label(ui_, row, why, {FontRole::small, ui_.theme->danger_text}, {label("failure"), {}, why});
            return;
        }
        if (index_ < s_.claims.size() && s_.claims[index_].holds) {
            const bool holds = *s_.claims[index_].holds;
            const ImU32 ink = holds ? ui_.theme->good_text : ui_.theme->danger_text;
            const float mark = row.height() * 0.6f;
            draw::icon(ui_, holds ? draw::Icon::check : draw::Icon::close, row.cut_left(mark, ui_.px(5)).centre(),
                       mark * 0.7f, ink);
            draw::label(ui_, row, s_.claims[index_].said, {FontRole::small, ink}, {label("claim"), ItemValue(holds)});
            return;
        }
        draw::label(ui_, row, state_text(), {FontRole::small, ui_.theme->text_muted},
                    {label("step"), static_cast<double>(run_.now.step)});
    }

    std::string state_text() const {
        const std::string step = grouped(run_.now.step);
        if (run_.now.state == SideRun::State::stopped && run_.now.found && run_.now.measured_step != run_.now.step)
            return filled(tr("stopped at step {1}, measured at {2}"), {step, grouped(run_.now.measured_step)});
        switch (run_.now.state) {
            case SideRun::State::waiting:
                return tr("waiting");
            case SideRun::State::stopped:
                return run_.now.step > 0 ? filled(tr("stopped at step {1}"), {step}) : tr("not started");
            default:
                return filled(tr("step {1}"), {step});
        }
    }

    void draw_middle(const Box& box) {
        const auto say = [&](std::string_view what) {
            draw::text_wrapped(ui_, box.min, box.width(), what, {FontRole::small, ui_.theme->text_muted});
        };
        if (in_file_) return say(tr("The model of this run is not in the file."));
        if (!run_.seen) return;
        if (!sentence().trace) return say(tr_full_sentence(sentence().error));
        const Frame own{ui_, *run_.seen, frame_.state, frame_.send};
        if (s_.shows == ExperimentState::Shows::prediction) return draw_run_prediction(own, index_, box);
        if (s_.shows == ExperimentState::Shows::meanings) {
            if (!run_.now.ended()) return say(tr("The map comes when the run has ended."));
            return draw_run_meanings(own, index_, box);
        }
        const MatchedInRun* head = matched();
        if (!head)
            return say(sentence().trace->graph().find(block_hook(0, "attn.hook_pattern"))
                           ? tr("Nothing to compare with: that run diverged, and its attention weights are NaN.")
                           : tr("This model has no attention to compare."));
        draw_pattern(*sentence().trace, *head, box);
    }

    void draw_pattern(const Trace& trace, const MatchedInRun& head, Box box) {
        const int node = trace.graph().find(block_hook(head.block, "attn.hook_pattern")).value_or(-1);
        const Shape shape = trace.shape(node);
        const int n = static_cast<int>(shape[1]), keys = static_cast<int>(shape[2]);
        const std::int64_t first = offset_of(shape, {head.head, 0, 0});
        const SliceView part = trace.part_of({node, first});
        const std::span<const float> weights = part.cells(first, std::int64_t{n} * keys);
        const Box list = box.cut_right(std::round(box.width() * 0.36f), ui_.px(10));
        float names = 0, longest = 0;
        for (int i = 0; i < n; ++i) longest = std::max(longest, draw::text_size(ui_, word(i), FontRole::small).x);
        names = std::min(longest, ui_.px(58));
        const bool named = to_float(n) * ui_.line(FontRole::small) * 0.72f <= box.height();
        const float left = named ? names + ui_.px(6) : 0;
        float above = 0;
        ColumnLabels columns{(box.width() - left) / to_float(keys), ui_.px(48)};
        if (named) above = columns.height(ui_, longest);
        const Box grid{{box.min.x + left, box.min.y + above}, {box.max.x - (named ? ui_.px(14) : 0), box.max.y}};
        if (grid.empty()) return;
        HeatMap map{CellGrid::over(grid, n, keys), weights, {}, {sentence().trace, node, first}};
        const int query = std::clamp(frame_.state.token[frame_.state.slot], 0, n - 1);
        if (const CellHit hit = heat_map(ui_, label("pattern"), map); hit.clicked && hit.row >= 0) choose_word(hit.row);
        frame_cells(ui_, map, query, 0, 1, keys);
        for (int i = 0; named && i < n; ++i) {
            const float y = grid.min.y + map.pitch.y * (to_float(i) + 0.5f), line = ui_.line(FontRole::small);
            draw::text_in(ui_, Box{{box.min.x, y - line / 2}, {grid.min.x - ui_.px(5), y + line / 2}}, word(i),
                          {i == query ? FontRole::small_bold : FontRole::small,
                           i == query ? ui_.theme->text : ui_.theme->text_muted, draw::Align::right});
            if (i < keys)
                columns.draw(ui_, {grid.min.x + map.pitch.x * (to_float(i) + 0.5f), grid.min.y}, word(i),
                             {FontRole::small, ui_.theme->text_muted});
        }
        draw_list(weights.subspan(static_cast<std::size_t>(query) * static_cast<std::size_t>(keys),
                                  static_cast<std::size_t>(keys)),
                  query, list);
    }

    /// If the sentence is also the current one: chooses its word, whose row all cards then list.
    void choose_word(int position) {
        const WatchedSentence& shown = frame_.sentence(frame_.state.slot);
        if (shown.text == sentence().text && position < static_cast<int>(shown.tokens.size()))
            choose_token(frame_.state, frame_.snapshot, frame_.state.slot, position);
    }

    std::string word(int position) const {
        const auto& tokens = sentence().tokens;
        if (position >= static_cast<int>(tokens.size())) return {};
        const std::string& text = tokens[position].text;
        return text == "<mask>" ? "▢" : text;
    }

    void draw_list(std::span<const float> row, int query, Box box) {
        if (match_in_list_) draw_match(*matched(), box.cut_top(ui_.line(FontRole::small), ui_.px(2)));
        draw::text_told(ui_, box.cut_top(ui_.line(FontRole::small), ui_.px(6)),
                        filled(tr("“{1}” attends to"), {word(query)}), {FontRole::small, ui_.theme->text_muted});
        std::vector<int> keys(row.size());
        for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<int>(i);
        std::ranges::stable_sort(keys, std::greater<>(), [&](int key) { return row[key]; });
        for (int i = 0; i < most_listed_keys && i < static_cast<int>(keys.size()); ++i) {
            const float weight = row[keys[i]];
            Box line = box.cut_top(ui_.line(FontRole::small), ui_.px(1));
            const std::string text = with_decimals(static_cast<double>(weight), 2);
            const Box end = line.cut_right(draw::text_size(ui_, text, FontRole::small).x, ui_.px(4));
            const std::string key = word(keys[i]);
            draw::text_told(ui_, line, key, {i == 0 ? FontRole::small_bold : FontRole::small});
            draw::label(ui_, end, text, {FontRole::small, 0, draw::Align::right},
                        {ui_.items->format("experiment/run %d %s %d", static_cast<int>(index_), key.c_str(), i),
                         static_cast<double>(weight)});
            draw::bar(ui_, box.cut_top(ui_.px(4), ui_.px(7)), weight, ui_.theme->attention, ui_.theme->track);
        }
    }

    const Frame& frame_;
    const Ui& ui_;
    ExperimentState& s_;
    const ModelInfo& model_;
    const ExperimentInfo::Run& run_;
    std::string name_;
    std::size_t index_;
    Box box_;
    bool in_file_;                // its results come from a .glass file
    bool match_in_list_ = false;  // the head's name did not fit beside the run's
};

/// Draws the choice of what the cards show; worlds without words of two meanings offer no map of them. Returns the rest
/// of the row.
Box draw_choice_of_cards(const Frame& frame, const ExperimentInfo& experiment, Box row) {
    constexpr std::array<std::string_view, 3> names{N_("Attention"), N_("Prediction"), N_("Meaning")};
    const Ui& ui = frame.ui;
    auto& shows = frame.own<ExperimentState>().shows;
    const std::size_t count = experiment.model->senses.empty() ? 2 : 3;
    float widest = 0;
    for (const std::string_view name : std::span(names).first(count))
        widest = std::max(widest, draw::text_size(ui, tr(name), FontRole::small_bold).x);
    int chosen = std::min(static_cast<int>(shows), static_cast<int>(count) - 1);
    const Box box = row.cut_right((widest + ui.px(16)) * to_float(count), ui.px(10));
    segmented(ui, "experiment/shows", box, std::span(names).first(count), chosen);
    shows = static_cast<ExperimentState::Shows>(chosen);
    return row;
}

/// Returns the word of two meanings that the runs' cards map. The model on screen may belong to another world.
std::string mapped_word(const Snapshot& on_screen, const ExperimentInfo& experiment, const Snapshot& seen) {
    for (const ExperimentInfo::Run& run : experiment.runs)
        if (run.seen && run.seen->meaning) return run.seen->meaning->homonym;
    if (on_screen.meaning && seen.model->homonym(on_screen.meaning->homonym) >= 0) return on_screen.meaning->homonym;
    for (const WatchedSentence& sentence : seen.sentences)
        if (sentence.homonym_pos >= 0) return sentence.tokens[sentence.homonym_pos].text;
    return {};
}

}  // namespace

/// Also says that changes to the current model do not apply here.
std::string about_the_cards(const Frame& frame, const ExperimentInfo& experiment) {
    const auto begun = std::ranges::find_if(experiment.runs, [](const auto& run) { return run.seen != nullptr; });
    if (frame.own<ExperimentState>().kept.experiment.get() == &experiment)
        return tr("Results of the experiment saved with this file");
    if (begun == experiment.runs.end())
        return experiment.under_way() ? tr("The runs begin …") : tr("No run has started.");
    const Frame own{frame.ui, *begun->seen, frame.state, frame.send};
    const int slot = frame.state.slot;
    const std::string& sentence = own.sentence(slot).text;
    const std::string word = own.word(slot, frame.state.token[slot]);
    std::string text;
    switch (frame.own<ExperimentState>().shows) {
        case ExperimentState::Shows::attention:
            text = filled(tr("The matching head of each run, in “{1}”"), {sentence});
            break;
        case ExperimentState::Shows::prediction: {
            const Guess guess = guess_of(own.model(slot));
            text = guess == Guess::sentence ? filled(tr("What each model predicts for “{1}”"), {sentence})
                   : guess == Guess::next
                       ? filled(tr("What each model predicts after “{1}” in “{2}”"), {word, sentence})
                       : filled(tr("What each model predicts for “{1}”, masked, in “{2}”"), {word, sentence});
            break;
        }
        case ExperimentState::Shows::meanings: {
            const std::string mapped = mapped_word(frame.snapshot, experiment, *begun->seen);
            if (mapped.empty()) return tr("Neither sentence has a word with two meanings.");
            text =
                filled(tr("Every use of “{1}” in the corpus, after each model's last block; A and B are the sentences "
                          "on the screen"),
                       {mapped});
            break;
        }
    }
    return frame.snapshot.what_if.empty() ? text : filled(tr("{1}, without your what-ifs"), {text});
}

void draw_experiment_cards(const Frame& frame, const ExperimentInfo& experiment, const Box& whole) {
    const Ui& ui = frame.ui;
    Box box = whole;
    const Box about = draw_choice_of_cards(frame, experiment, box.cut_top(ui.px(choice_height), ui.px(6)));
    draw::text_told(ui, about, about_the_cards(frame, experiment), {FontRole::small, ui.theme->text_muted});
    const int count = static_cast<int>(experiment.runs.size());
    const float gap = ui.px(card_gap);
    const int most = std::clamp(static_cast<int>((box.width() + gap) / (ui.px(least_card) + gap)), 1, count);
    const int rows = (count + most - 1) / most, columns = (count + rows - 1) / rows;  // rows of equal length
    // The cards fill the available height, and scroll if it is too small.
    const float high = std::clamp((box.height() - gap * to_float(rows - 1)) / to_float(rows), ui.px(card_height),
                                  ui.px(card_height) * 1.5f);
    const ScrollArea area(ui, "##experiment runs", box, to_float(rows) * (high + gap) - gap);
    for (int i = 0; i < count; ++i) {
        const Box column = area.content().column(i % columns, columns, gap);
        const float y = area.content().min.y + to_float(i / columns) * (high + gap);
        ExperimentCard(frame, experiment, static_cast<std::size_t>(i), column.between_y(y, y + high)).draw();
    }
}

}  // namespace glassformer::app
