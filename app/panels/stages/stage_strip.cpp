#include "app/panels/stages/stage_strip.h"

#include <algorithm>
#include <cmath>

#include "app/common/explanation.h"
#include "app/common/predict_first.h"
#include "app/common/stage_motion.h"
#include "app/common/stages.h"
#include "app/common/token_names.h"
#include "app/common/what_if_changes.h"
#include "app/language/tr.h"
#include "app/panels/stages/stage_pills.h"

namespace glassformer::app {

namespace {

constexpr double glide_seconds = 0.2;

/// The strip in one frame: the trace that it shows and the explained stage.
struct Strip {
    const Frame& frame;
    const Trace& trace;
    std::shared_ptr<const Stages> stages;
    const Stage* chosen = nullptr;  // null between two stages (deep in an explanation)
    int reached = 0;                // stages of the walk up to the explained number

    Strip(const Frame& f, const Trace& t) : frame(f), trace(t), stages(stages_of(t)) {
        if (frame.state.trail.empty()) return;
        const int node = frame.state.trail.back().cell.node, found = stages->of(node);
        reached = found >= 0 ? found + 1 : stages->reached(node);
        if (found < 0) return;
        chosen = &stages->walk()[found];
        // The input of the chosen block is the number that the previous block left.
        const Stage* entry = stages->entry(frame.state.layer);
        if (entry && entry->node == chosen->node) chosen = entry;
    }

    /// The chosen stage, or the one where the explanation was before it went deeper: its group stays open.
    const Stage* shown() const { return chosen ? chosen : stages->find(frame.state.layer, frame.state.stage); }
    bool is_reached(const Stage& stage) const { return stages->of(stage.node) < reached; }
};

void open_stage(const Frame& frame, const Trace& trace, const Stage& stage, int blocks) {
    if (stage.block >= 0 && stage.block < blocks && stage.block != frame.state.layer)
        choose_layer(frame.state, frame.snapshot, stage.block);
    explain(frame.state, {frame.state.slot, stage_cell(frame.state, trace, frame.state.slot, stage)});
    frame.own<StageMotion>().step();
}

// ---------------------------------------------------------------------------------------------------------- headline

/// Returns the word that the stage's number belongs to.
std::string word_of_stage(const Frame& frame, const Strip* strip) {
    const ViewState& s = frame.state;
    if (!strip || !strip->chosen || !strip->chosen->source) return frame.word(s.slot, s.token[s.slot]);
    if (waits_for_guess(s, s.slot)) return "?";
    return frame.source_word(s.slot, stage_position(s, strip->trace, s.slot, *strip->chosen));
}

/// Returns the question that the explained stage answers, in as many words as fit; deep in an explanation, names the
/// explained number instead.
std::string question_of(const Frame& frame, const Strip* strip, float room) {
    const ViewState& s = frame.state;
    if (frame.sentence(s.slot).tokens.empty()) return tr("Pick or type a sentence.");
    if (strip && !strip->chosen && !s.trail.empty() && !waits_for_guess(s, s.slot))
        return filled(tr("explaining {1}"), {frame.cell_name(s.trail.back().slot, s.trail.back().cell)});
    const std::string word = in_quotation_marks(word_of_stage(frame, strip));
    const auto ask = [&](std::string_view question) {
        std::string text(tr(question));
        const std::size_t gap = text.find("{}");
        return gap == std::string::npos ? text : text.replace(gap, 2, word);
    };
    if (!strip || !strip->chosen) return word;
    const std::string whole = ask(strip->chosen->kind->question.whole);
    const bool fits = draw::text_size(frame.ui, whole, FontRole::small).x <= room;
    return fits ? whole : ask(strip->chosen->kind->question.brief);
}

void draw_headline(const Frame& frame, const Strip* strip, const Box& box) {
    const Ui& ui = frame.ui;
    const ViewState& s = frame.state;
    const bool heads = strip ? has_attention(s, strip->trace) : !frame.model().config.recurrent();
    const char* head = s.cross_attention ? tr(" · cross head {1}") : tr(" · head {1}");
    std::string headline = filled(
        tr("Block {1}{2}"), {std::to_string(s.layer), heads ? filled(head, {std::to_string(s.head)}) : std::string()});
    const std::string off =
        heads && shows_head_off(frame, s.slot, s.layer, s.head, chosen_attention(s)) ? tr(" · off") : "";
    headline += off;
    if (heads && draw::text_size(ui, headline, FontRole::title_bold).x > box.width())  // abbreviated rather than cut
        headline = filled(s.cross_attention ? tr("b{1} cross h{2}") : tr("b{1} h{2}"),
                          {std::to_string(s.layer), std::to_string(s.head)}) +
                   off;
    const std::string question = question_of(frame, strip, box.width());
    const float title = ui.line(FontRole::title_bold), small = ui.line(FontRole::small);
    const float y = std::round((box.min.y + box.max.y - title - small - ui.px(1)) / 2);
    draw::label(ui, box.between_y(y, y + title), headline, {FontRole::title_bold}, {"stage/headline"});
    const Box at = box.between_y(y + title + ui.px(1), y + title + ui.px(1) + small);
    const bool cut = draw::label(ui, at, question, {FontRole::small, ui.theme->text_muted}, {"stage/question"});
    if (cut && draw::hovered(at)) draw::tooltip(ui, question);
}

// ------------------------------------------------------------------------------------------------------------- pills

/// The tooltip: definition, number, and shape with the names of its axes.
void stage_tooltip(const Strip& strip, const Stage& stage) {
    const Frame& frame = strip.frame;
    const Cell cell = stage_cell(frame.state, strip.trace, frame.state.slot, stage);
    const ModelInfo& model = frame.model(frame.state.slot);
    std::string text =
        filled(tr(stage.meaning), {token_name(model), token_names(model)}) + "\n" + stage_shape(strip.trace, stage);
    if (!waits_for_guess(frame.state, frame.state.slot))
        text += "\n" + frame.cell_name(frame.state.slot, cell) + "  " + precise(strip.trace, cell);
    draw::tooltip(frame.ui, text);
}

void group_tooltip(const Strip& strip, const StagePill& pill) {
    std::string text(pill.text);
    text += "\n";
    for (const Stage& stage : strip.stages->walk())
        if (stage.run == pill.stage->run && stage.kind->part_of.empty())
            text += (&stage == pill.stage ? "" : " → ") + tr(stage.label);
    draw::tooltip(strip.frame.ui, filled(tr("{1}\nClick to open"), {text}));
}

void draw_stage_pill(const Strip& strip, const StagePill& pill, bool gliding) {
    const bool chosen = pill.stage == strip.chosen, reached = strip.is_reached(*pill.last);
    const ButtonStyle style{.tone = reached ? Tone::attention : Tone::quiet,
                            .selected = chosen && !gliding,
                            .font = reached ? FontRole::small_bold : FontRole::small,
                            .radius = 999};
    const Response r = button(strip.frame.ui, pill.item, pill.box, pill.text, style);
    if (r.hovered && pill.kind == StagePill::Kind::stage) stage_tooltip(strip, *pill.stage);
    if (r.hovered && pill.kind == StagePill::Kind::group) group_tooltip(strip, pill);
    if (r.clicked) open_stage(strip.frame, strip.trace, *pill.stage, strip.stages->blocks());
}

void draw_pill(const Strip& strip, const StagePill& pill, bool gliding) {
    const Frame& frame = strip.frame;
    if (pill.stage) return draw_stage_pill(strip, pill, gliding);
    const bool block = pill.kind == StagePill::Kind::block;
    const ButtonStyle style{.tone = block && pill.target < frame.state.layer ? Tone::attention : Tone::quiet,
                            .font = FontRole::small,
                            .radius = 999,
                            .tooltip = block ? tr("The same stages in this block") : tr("More stages")};
    if (!button(frame.ui, pill.item, pill.box, pill.text, style)) return;
    if (block)
        choose_layer(frame.state, frame.snapshot, pill.target);
    else
        step_stage(frame, pill.target);
}

// -------------------------------------------------------------------------------------------------------------- glide

/// Records where the highlight is; returns how far it has moved, 1 when it has arrived. A step taken before it arrives
/// starts from its previous destination.
float glide_towards(const Frame& frame, const StagePill* pill) {
    StageGlide& glide = frame.state.own<StageGlide>();
    if (!pill) return 1;
    const double now = ImGui::GetTime();
    if (glide.node != pill->stage->node) {
        const bool moves = glide.node >= 0 && !frame.ui.reduce_motion && !frame.state.reduce_motion;
        glide.from = glide.to;
        glide.ends = moves ? now + glide_seconds : 0;
        glide.node = pill->stage->node;
    }
    glide.to = pill->box;
    return now >= glide.ends ? 1.0f : to_float(1 - (glide.ends - now) / glide_seconds);
}

void draw_glide(const Ui& ui, const StageGlide& glide, float done) {
    const float t = done * done * (3 - 2 * done);  // ease in and out
    const auto between = [&](ImVec2 a, ImVec2 b) { return ImVec2{std::lerp(a.x, b.x, t), std::lerp(a.y, b.y, t)}; };
    draw::rounded_box(ui, {between(glide.from.min, glide.to.min), between(glide.from.max, glide.to.max)},
                      with_alpha(ui.theme->accent, 0.45f), ui.theme->accent, 999, 2);
}

void draw_pills(const Strip& strip, StagePills& pills) {
    const StagePill* chosen = nullptr;
    for (const StagePill& pill : pills.all())
        if (strip.chosen && pill.stage == strip.chosen) chosen = &pill;
    const float done = glide_towards(strip.frame, chosen);
    for (const StagePill& pill : pills.all()) draw_pill(strip, pill, done < 1);
    if (done < 1) draw_glide(strip.frame.ui, strip.frame.state.own<StageGlide>(), done);
}

}  // namespace

void step_stage(const Frame& frame, int step) {
    const Trace* trace = frame.trace(frame.state.slot);
    if (!trace) return;
    const Strip strip(frame, *trace);
    const int count = int_size(strip.stages->walk());
    if (count == 0) return;
    // Between two stages (deep in an explanation), a step goes to the next one after, or the last one before.
    const int here = strip.reached - 1, next = strip.chosen || step > 0 ? here + step : here;
    const Stage& stage = strip.stages->walk()[(next + count) % count];
    open_stage(frame, *trace, stage, strip.stages->blocks());
}

std::vector<NamedStage> stages_here(const Frame& frame) {
    const Trace* trace = frame.trace(frame.state.slot);
    if (!trace) return {};
    const std::shared_ptr<const Stages> stages = stages_of(*trace);
    std::vector<NamedStage> here;
    const ModelInfo& model = frame.model(frame.state.slot);
    const auto named = [](std::string_view meaning, std::string_view one, std::string_view many) {
        return filled(meaning.substr(0, meaning.find('\n')), {one, many});
    };
    for (std::size_t i = 0; i < stages->walk().size(); ++i) {
        const Stage& stage = stages->walk()[i];
        const bool inside = stage.block >= 0 && stage.block < stages->blocks();
        const std::string label =
            stage.source_block < 0
                ? stage.item.substr(6)  // without "stage "
                : filled(tr("encoder block {1} {2}"), {std::to_string(stage.source_block), tr(stage.label)});
        if (!inside || stage.block == frame.state.layer)
            here.push_back({stage.source ? label : tr(stage.label), named(stage.meaning, "word", "words"),
                            named(tr(stage.meaning), token_name(model), token_names(model)), static_cast<int>(i)});
    }
    return here;
}

void open_stage(const Frame& frame, int place) {
    const Trace* trace = frame.trace(frame.state.slot);
    if (!trace) return;
    const std::shared_ptr<const Stages> stages = stages_of(*trace);
    const std::size_t at = place;
    if (at < stages->walk().size()) open_stage(frame, *trace, stages->walk()[at], stages->blocks());
}

void draw_stage_strip(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    draw::card(ui, box);
    const float pad = ui.px(16);
    const Trace* trace = frame.trace(frame.state.slot);
    if (!trace) return draw_headline(frame, nullptr, box.inset(pad, 0));
    const Strip strip(frame, *trace);
    const float inside = box.width() - 2 * pad;
    const float least = draw::text_size(ui, tr("Block 0 · head 3"), FontRole::title_bold).x + ui.px(16);
    StagePills pills(frame, *strip.stages, strip.shown(), inside - least);
    const float wanted =
        draw::text_size(ui, tr("How does “longest” choose what to attend to?"), FontRole::small).x + ui.px(16);
    const float headline = std::clamp(inside - pills.width(), least, std::max(least, wanted));
    const float left = box.min.x + pad + headline;
    draw_headline(frame, &strip, box.between_x(box.min.x + pad, left - ui.px(10)));
    pills.place(ui, {{left, box.min.y + ui.px(5)}, {box.max.x - pad, box.max.y - ui.px(5)}});
    draw_pills(strip, pills);
}

}  // namespace glassformer::app
