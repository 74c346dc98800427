#include "app/views/training/training_view.h"

#include <algorithm>
#include <utility>

#include "app/common/explanation.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "app/views/registry.h"
#include "app/views/training/training_pages.h"
#include "core/base/number_text.h"
#include "core/graph/hook_names.h"
#include "core/nn/transformer.h"

namespace glassformer::app::views::training {

namespace {

constexpr float page_side = 12, switch_height = 26, switch_width = 580;  // pixels at 100 %
constexpr std::array<std::string_view, 5> page_names = {N_("Parameters"), N_("One weight"), N_("Batch"), N_("Cost"),
                                                        N_("Path")};
constexpr std::array inspected_on_page = {Inspected::histograms, Inspected::weight, Inspected::batch,
                                          Inspected::nothing, Inspected::nothing};

int& chosen_page(ViewState& state) { return state.own<TrainingLook>().page; }

std::shared_ptr<const std::vector<TrainedParameter>> parameters_of(const ModelInfo& model) {
    const TransformerGraph built = build_transformer(model.config, {1, 1, model.translates() ? 1 : 0});
    auto all = std::make_shared<std::vector<TrainedParameter>>();
    for (const int id : built.graph->parameters()) {
        const NodeInfo& info = (*built.graph)[id];
        all->push_back({info.name, info.shape, info.offset});
    }
    return all;
}

/// The weight that is followed until another is chosen: one of the first query matrix, if there is one.
std::int64_t first_weight(const std::vector<TrainedParameter>& parameters) {
    const auto found = std::ranges::find_if(
        parameters, [](const TrainedParameter& p) { return node_place(p.name).within == "attn.W_Q"; });
    return (found == parameters.end() ? parameters.front() : *found).offset;
}

/// Finds the parameters of the model on screen, and starts over with one of its weights, unless they are known.
void know_parameters(const Frame& frame) {
    TrainingLook& look = frame.state.own<TrainingLook>();
    if (look.known_parameters) return;
    look.picking = -1;
    look.known_parameters = parameters_of(*frame.snapshot.model);
    look.cell = first_weight(*look.known_parameters);
}

bool trained_here(const Frame& frame) { return frame.snapshot.model->trainable() && !frame.snapshot.runs.empty(); }

void draw_refusal(const Frame& frame, const Box& box) {
    const std::string text =
        filled(tr("This model cannot be trained here: {1}"), {tr_sentence(frame.snapshot.model->why_not_trained)});
    frame.ui.items->add("training/why not", box, std::nullopt, text);
    draw::text_wrapped(frame.ui, box.min, box.width(), text, {FontRole::small, frame.ui.theme->text_muted});
}

/// The step that the numbers belong to: the newest, whatever step the other panels show. The longest text that fits.
std::string step_text(const Frame& frame, float room) {
    const Snapshot& s = frame.snapshot;
    const std::string newest = filled(tr("of update {1}"), {grouped(s.live_step)}), other = grouped(s.step);
    if (s.live) return newest;
    for (const std::string& text : {filled(tr("{1}, the newest; the other panels show step {2}"), {newest, other}),
                                    filled(tr("{1}; elsewhere step {2}"), {newest, other})})
        if (draw::text_size(frame.ui, text, FontRole::small).x <= room) return text;
    return newest;
}

/// True if the page shows numbers of an update that was inspected.
bool has_numbers(const Frame& frame) {
    const Inspection* found = frame.snapshot.inspection.get();
    return frame.own<TrainingLook>().page < TrainingLook::cost_page && found &&
           (!found->parameters.empty() || found->weight || !found->batch.empty());
}

/// For a caption, if the rest of the window shows an earlier step.
std::string update_text(const Frame& frame) {
    if (frame.snapshot.live || !has_numbers(frame)) return "";
    return filled(tr("Training: update {1}"), {grouped(frame.snapshot.live_step)});
}

/// Draws the choice of the page, and beside it the step; below it if there is no room and the other panels show another
/// step. Returns the bottom.
float draw_switch(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    const float right = std::min(box.max.x, box.min.x + ui.px(switch_width)), bottom = box.min.y + ui.px(switch_height);
    segmented(ui, "training/page", {box.min, {right, bottom}}, page_names, frame.state.own<TrainingLook>().page);
    if (!has_numbers(frame)) return bottom;
    const Box beside{{right + ui.px(14), box.min.y}, {box.max.x, bottom}};
    const bool fits = beside.width() >= ui.px(90);
    if (!fits && frame.snapshot.live) return bottom;
    const Box area =
        fits ? beside : Box::sized({box.min.x, bottom + ui.px(4)}, box.width(), ui.line(FontRole::small) + ui.px(2));
    const std::string text = step_text(frame, area.width());
    ui.items->add("training/step", area, frame.snapshot.live_step, text);
    const draw::Align align = fits ? draw::Align::right : draw::Align::left;
    const bool cut = draw::text_in(ui, area, text, {FontRole::small, ui.theme->text_muted, align});
    if (cut && draw::hovered(area)) draw::tip(ui, area, text);
    return area.max.y;
}

void draw_page(const Frame& frame, const Box& box) {
    switch (frame.state.own<TrainingLook>().page) {
        case TrainingLook::weight_page:
            return draw_training_weight(frame, box);
        case TrainingLook::batch_page:
            return draw_training_batch(frame, box);
        case TrainingLook::path_page:
            return draw_training_path(frame, box);
        default:
            return frame.state.own<TrainingLook>().picking >= 0 ? draw_weight_picker(frame, box)
                                                                : draw_training_histograms(frame, box);
    }
}

}  // namespace

std::string TrainedParameter::index(std::int64_t in_parameter) const {
    std::string text;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
        text = std::to_string(in_parameter % shape[axis]) + (text.empty() ? "" : ", " + text);
        in_parameter /= shape[axis];
    }
    return "[" + text + "]";
}

const TrainedParameter& chosen_parameter(const TrainingLook& look) {
    const auto after = std::ranges::upper_bound(*look.known_parameters, look.cell, {}, &TrainedParameter::offset);
    return *(after - 1);
}

void choose_weight(TrainingLook& look, std::int64_t cell) {
    const TrainedParameter& last = look.known_parameters->back();
    const std::int64_t count = last.offset + last.shape.elements();
    look.cell = (cell % count + count) % count;
}

const Inspection* inspection_for(const Frame& frame, Inspected what) {
    const Inspection* found = frame.snapshot.inspection.get();
    if (!found || found->what != what) return nullptr;
    return found->weight && found->weight->cell != frame.state.own<TrainingLook>().cell ? nullptr : found;
}

void draw_not_yet(const Frame& frame, const Box& box, std::string_view what, std::string_view why) {
    const Ui& ui = frame.ui;
    const bool begun = frame.snapshot.live_step > 0;  // by a step made before this page was opened
    const std::string text =
        filled(begun ? tr("Press Train or run one more step, {1}") : tr("Press Train or run one step, {1}"),
               {std::string(what)});
    const Box at = box.top(draw::label_wrapped(ui, box.min, box.width(), text, {FontRole::small, ui.theme->text_muted},
                                               {"training/not yet"}));
    if (!why.empty() && draw::hovered(at)) draw::tip(ui, at, tr_sentence(why));
}

std::string bytes_text(double bytes) {
    for (const char* unit : {"B", "KB", "MB", "GB", "TB"}) {
        if (bytes < 1000 || unit == std::string_view("TB")) return significant(bytes) + " " + unit;
        bytes /= 1000;
    }
    return {};
}

std::string in_short(double value, int digits) { return typographic(significant(value, digits)); }

std::string sizes_text(const Shape& shape) {
    std::string text;
    for (int axis = 0; axis < shape.rank(); ++axis) text += (axis ? " × " : "") + std::to_string(shape[axis]);
    return text.empty() ? "1" : text;
}

bool has_update_explanation(const Frame& frame, int slot, const std::string& parameter) {
    if (!trained_here(frame) || &frame.model(slot) != frame.snapshot.model.get()) return false;
    know_parameters(frame);
    const auto& all = *frame.state.own<TrainingLook>().known_parameters;
    return std::ranges::find(all, parameter, &TrainedParameter::name) != all.end();
}

void show_model_budget(ViewState& state) {
    TrainingLook& look = state.own<TrainingLook>();
    look.page = TrainingLook::cost_page;
    look.whole_model = true;
    state.view = view_index("Training");
}

void show_update_explanation(const Frame& frame, const std::string& parameter, std::int64_t in_parameter) {
    know_parameters(frame);
    TrainingLook& look = frame.state.own<TrainingLook>();
    const auto& all = *look.known_parameters;
    const auto found = std::ranges::find(all, parameter, &TrainedParameter::name);
    if (found == all.end()) return;
    choose_weight(look, found->offset + in_parameter);
    look.page = TrainingLook::weight_page;
    frame.state.view = view_index("Training");
    frame.state.narrow_panel = card_panel(frame.state.slot);  // a narrow window switches to the sentence's card
}

namespace {

void draw_view(const Frame& frame, const Box& box, int) {
    const Ui& ui = frame.ui;
    const Box inside{{box.min.x + ui.px(page_side), box.min.y + ui.px(2)}, {box.max.x - ui.px(page_side), box.max.y}};
    TrainingLook& look = frame.state.own<TrainingLook>();
    const float top = draw_switch(frame, inside) + ui.px(8);
    if (look.page == TrainingLook::cost_page) return draw_training_cost(frame, inside.below(top));
    if (!trained_here(frame)) return draw_refusal(frame, inside.below(top));
    know_parameters(frame);
    look.wanted.what = inspected_on_page[look.page];
    look.wanted.cell = look.page == TrainingLook::weight_page ? look.cell : 0;
    draw_page(frame, box.below(top));
}

void ask_for_inspection(const Frame& frame) {
    TrainingLook& look = frame.state.own<TrainingLook>();
    const command::Inspect wanted = std::exchange(look.wanted, {});
    const bool same = wanted.what == look.asked.what && wanted.cell == look.asked.cell;
    if (same || !trained_here(frame)) return;
    look.asked = wanted;
    frame.send(wanted);
}

}  // namespace

extern constinit const View view{
    .name = N_("Training"),
    .meaning = N_("Inside the newest update: every parameter, one weight, and the batch; what a layer and a whole "
                  "model cost, and how far apart words are."),
    .also =
        "parameters weights gradients histograms optimizer batch dropout cost quadratic T² time memory path RNN "
        "budget size FLOPs",
    .draw = draw_view,
    .pages = page_names,
    .page = chosen_page,
    .spans_cards = true,
    .caption_suffix = update_text,
    .request = ask_for_inspection,
};

}  // namespace glassformer::app::views::training
