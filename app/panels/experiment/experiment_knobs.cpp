#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/panels/experiment/experiment_page.h"
#include "app/panels/experiment/experiment_parts.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/graph/hook_names.h"

namespace glassformer::app {

namespace {

constexpr float knob_height = 32, knob_gap = 5, knob_field = 28;  // pixels at 100 %
constexpr std::array<std::string_view, 12> offered_knobs{"seed",    "learning_rate", "n_heads",        "n_layers",
                                                         "d_model", "positions",     "norm_placement", "residual",
                                                         "dropout", "batch",         "data_share",     "steps"};

/// Returns the knob's value in the base setup.
std::string knob_value(const TrainingSetup& base, std::string_view knob) {
    const TransformerConfig& c = base.config;
    if (knob == "seed") return std::to_string(base.options.seed);
    if (knob == "learning_rate") return typed_number(static_cast<double>(base.options.schedule.peak));
    if (knob == "n_heads") return std::to_string(c.n_heads);
    if (knob == "n_layers") return std::to_string(c.n_layers);
    if (knob == "d_model") return std::to_string(c.d_model);
    if (knob == "positions") return std::string(name_of(c.positions));
    if (knob == "norm_placement") return std::string(name_of(c.norm_placement));
    if (knob == "residual") return c.residual ? "true" : "false";
    if (knob == "dropout") return typed_number(static_cast<double>(c.dropout));
    if (knob == "batch") return std::to_string(base.options.batch);
    if (knob == "data_share") return typed_number(static_cast<double>(base.options.data_share));
    return std::to_string(base.options.schedule.total);
}

// A grid gets fewer seeds, so that together with any other knob's proposal it has at most 12 runs.
constexpr const char *seeds_alone = "1..6", *seeds_in_grid = "1..3";

/// Returns the values proposed for a knob: around its current value.
std::string proposed_values(const TrainingSetup& base, std::string_view knob) {
    const std::string now = knob_value(base, knob);
    const auto times = [&](std::initializer_list<double> factors, double value) {
        std::vector<std::string> all;
        for (const double factor : factors) all.push_back(typed_number(value * factor));
        return text_of(all);
    };
    if (knob == "seed") return seeds_alone;
    if (knob == "learning_rate") return times({0.1, 1.0, 10.0}, static_cast<double>(base.options.schedule.peak));
    if (knob == "n_heads") return "1, 2, 4";
    if (knob == "n_layers") return "1, 2, 3";
    if (knob == "d_model") return times({0.5, 1.0, 2.0}, base.config.d_model);
    if (knob == "positions") return "learned, sinusoidal, none";
    if (knob == "norm_placement") return "pre, post, none";
    if (knob == "residual") return "true, false";
    if (knob == "dropout") return "0, 0.1, 0.3";
    if (knob == "batch") return times({0.25, 1.0}, base.options.batch);
    if (knob == "data_share") return "0.1, 0.25, 0.5, 1";
    return times({0.5, 1.0}, static_cast<double>(base.options.schedule.total));
}

std::string& typed_values(ExperimentState& s, const TrainingSetup& base, const std::string& knob) {
    std::string& text = s.values[knob];
    if (text.empty()) text = proposed_values(base, knob);
    return text;
}

/// At most two knobs can be chosen: a third one replaces the first.
void turn_knob(ExperimentState& s, const std::string& knob) {
    if (std::erase(s.chosen, knob) == 0) s.chosen.push_back(knob);
    if (s.chosen.size() > 2) s.chosen.erase(s.chosen.begin());
    const bool grid = s.chosen.size() == 2;
    if (std::string& seeds = s.values["seed"]; seeds.empty() || seeds == (grid ? seeds_alone : seeds_in_grid))
        seeds = grid ? seeds_in_grid : seeds_alone;
    s.refusal.clear();
}

float draw_knob(const Frame& frame, const TrainingSetup& base, const std::string& knob, const Box& box) {
    const Ui& ui = frame.ui;
    ExperimentState& s = frame.own<ExperimentState>();
    const bool on = std::ranges::find(s.chosen, knob) != s.chosen.end();
    const float high = ui.px(knob_height) + (on ? ui.px(knob_field + 4) : 0);
    const Box row = box.top(high), head = row.top(ui.px(knob_height));
    const Response mouse = link_area(ui, ui.items->format("experiment/knob %s", knob.c_str()), head, item_state(on));
    draw::rounded_box(ui, row,
                      on              ? ui.theme->attention_tint
                      : mouse.hovered ? ui.theme->hover
                                      : ui.theme->control,
                      on ? ui.theme->attention : ui.theme->control_border);
    const std::string name = tr(words_of_knob(knob));
    const Box inside = head.inset(ui.px(10), 0);
    draw::text_in(ui, inside, name,
                  {on ? FontRole::body_bold : FontRole::body, on ? ui.theme->attention_text : ui.theme->text});
    if (!on) {
        const float taken = draw::text_size(ui, name).x + ui.px(8);
        draw::text_in(ui, inside.right_of(inside.min.x + taken), knob_value(base, knob),
                      {FontRole::small, ui.theme->text_muted, draw::Align::right});
    } else {
        bool entered = false;
        const Box field = Box{{row.min.x, head.max.y}, row.max}.inset(ui.px(6), 0).top(ui.px(knob_field));
        if (text_field(ui, ui.items->format("experiment/values %s", knob.c_str()), field, typed_values(s, base, knob),
                       tr("values, e.g. 1..6 or 1, 2, 4"), &entered))
            s.refusal.clear();
        if (entered) start_experiment(frame);
    }
    if (mouse.clicked) turn_knob(s, knob);
    return row.max.y + ui.px(knob_gap);
}

/// Returns true if a claim can contain the word unquoted.
bool is_plain_word(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return static_cast<unsigned char>(c) >= 0x80 || std::isalnum(static_cast<unsigned char>(c));
    });
}

/// Returns the position that a word is expected to attend to: the one given by the world, otherwise the longest word
/// within its reach.
int word_looked_at(const WatchedSentence& sentence, int from, bool causal) {
    const auto& tokens = sentence.tokens;
    if (sentence.looks_at >= 0 && from == sentence.first_token) return sentence.looks_at;
    int longest = -1;
    for (int i = 0; i < (causal ? from : static_cast<int>(tokens.size())); ++i) {
        const auto length = [&](int at) { return tokens[at].text.size(); };
        if (i != from && (longest < 0 || length(i) > length(longest))) longest = i;
    }
    return longest;
}

/// Returns a claim like {A: top "bat"} = foul for the sentence; "" if its model has no usable heads.
std::string claim_of_head(const ModelInfo& model, const WatchedSentence& sentence) {
    const auto& tokens = sentence.tokens;
    const Trace* const trace = sentence.trace.get();
    // Heads are matched by a sentence's self-attention; in a translation, that is not what the world is about.
    if (!trace || model.translates() || !trace->graph().find(block_hook(0, "attn.hook_pattern"))) return {};
    const int from = first_token(model, sentence), to = word_looked_at(sentence, from, model.config.causal());
    if (to < 0 || to >= static_cast<int>(tokens.size())) return {};
    const std::string &word = tokens[from].text, &other = tokens[to].text;
    const auto same = std::ranges::count(tokens, word, &WordTokenizer::Token::text);
    const std::string name = is_plain_word(word) && same == 1 ? '"' + word + '"' : "@" + std::to_string(from);
    if (!is_plain_word(other)) return "{A: top_place " + name + "} = " + std::to_string(to);
    return "{A: top " + name + "} = " + other;
}

}  // namespace

std::string claim_hint(const Snapshot& seen) {
    const ModelInfo& model = *seen.model;
    if (std::string claim = claim_of_head(model, seen.sentences[0]); !claim.empty()) return claim;
    if (model.metric_name.empty()) return "{loss} < 1";
    return std::string("{metric} ") + (model.metric_is_share ? "> " : "< ") + typed_number(model.metric_level, 2);
}

/// Draws the claim and the number of runs that satisfy it, in one line.
void draw_claim_row(const Frame& frame, Box row) {
    const Ui& ui = frame.ui;
    ExperimentState& s = frame.own<ExperimentState>();
    const std::string_view name = tr("Claim");
    const Box title = row.cut_left(draw::text_size(ui, name, FontRole::body_bold).x + 1, ui.px(10));
    draw::text_in(ui, title, name, {FontRole::body_bold});
    const Box field = row.cut_left(std::round(row.width() * 0.5f), ui.px(12));
    const Snapshot& seen = s.reference < 0 ? frame.snapshot : *experiment_of(frame)->runs[s.reference].seen;
    text_field(ui, "experiment/claim", field, s.claim, claim_hint(seen));
    if (draw::hovered(title))
        draw::tip(ui, title,
                  tr("Tested on every run\nWritten as in a lesson. If the claim names no head, it is about the head "
                     "that each card shows."));
    if (!s.claim_error.empty()) {
        const std::string why = tr_sentence(s.claim_error);
        if (draw::label(ui, row, why, {FontRole::small, ui.theme->danger_text}, {"experiment/claim error"}) &&
            draw::hovered(row))
            draw::tip(ui, row, why);
        return;
    }
    if (s.claims.empty()) return;
    const auto held = std::ranges::count_if(s.claims, [](const auto& c) { return c.holds.value_or(false); });
    const auto known = std::ranges::count_if(s.claims, [](const auto& c) { return c.holds.has_value(); });
    draw::label(ui, row,
                filled(tr("holds in {1} of {2} run", "holds in {1} of {2} runs", known),
                       {std::to_string(held), std::to_string(known)}),
                {FontRole::body_bold, held == known ? ui.theme->good_text : ui.theme->text},
                {"experiment/holds", ItemValue(static_cast<double>(held))});
}

void start_experiment(const Frame& frame, bool set_aside) {
    ExperimentState& s = frame.own<ExperimentState>();
    const std::optional<TrainingSetup> base = experiment_base(frame);
    if (!base) return;
    ExperimentPlan plan{*base, {}};
    try {
        for (const std::string& knob : s.chosen) plan.knobs.push_back({knob, values_in(typed_values(s, *base, knob))});
        runs_of(plan, base->config);  // throws if the plan is invalid
        s.refusal.clear();
        frame.send(command::StartExperiment{std::move(plan), set_aside});
    } catch (const Error& e) {
        s.refusal = e.what();
    }
}

float draw_experiment_knobs(const Frame& frame, const Box& whole) {
    const Ui& ui = frame.ui;
    Box box = whole;
    box.cut_top(ui.px(6));
    draw::text_in(ui, box.cut_top(ui.line(FontRole::body_bold), ui.px(2)), tr("What changes"), {FontRole::body_bold});
    const std::optional<TrainingSetup> base = experiment_base(frame);
    if (!base) {
        const std::string why = frame.snapshot.model->why_not_trained.empty()
                                    ? tr("This model cannot be trained here.")
                                    : tr_sentence(frame.snapshot.model->why_not_trained);
        return box.min.y + draw::text_wrapped(ui, box.min, box.width(), why, {FontRole::body, ui.theme->text_muted});
    }
    const std::string_view rest = tr("Everything else is as in the run on the screen.");
    box.cut_top(draw::text_wrapped(ui, box.min, box.width(), rest, {FontRole::small, ui.theme->text_muted}), ui.px(8));
    for (const std::string_view knob : offered_knobs)
        if (knob != "data_share" || frame.snapshot.model->training_size > 0)
            box.min.y = draw_knob(frame, *base, std::string(knob), box);
    const std::string_view grid = tr("Two make a grid, such as seed × heads; 12 runs at most.");
    box.cut_top(draw::text_wrapped(ui, box.min, box.width(), grid, {FontRole::small, ui.theme->text_muted}), ui.px(8));
    return box.min.y;
}

}  // namespace glassformer::app
