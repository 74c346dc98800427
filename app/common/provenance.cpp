#include "app/common/provenance.h"

#include <algorithm>
#include <filesystem>

#include "app/common/what_if_changes.h"
#include "app/language/sentences.h"
#include "app/language/tr.h"
#include "core/base/number_text.h"
#include "core/io/hugging_face.h"

namespace glassformer::app {

namespace {

using What = Comparing::What;

/// The name of the run that card A shows, if the model's name alone would be ambiguous: for a branch, or for one of
/// several runs. Empty if it is not needed, or if the run has no name of its own.
std::string own_run_name(const Snapshot& snapshot) {
    const RunInfo* run = snapshot.current_run();
    if (!run || (!run->origin.branched() && snapshot.runs.size() < 2) || run->name == snapshot.model->world) return {};
    return run->name;
}

/// "homonyms, from scratch", or the folder that the model was read from: after a reset, nothing of that is left in it.
std::string model_text(const Snapshot& snapshot, const ModelInfo& model) {
    const RunInfo* run = snapshot.current_run();
    const bool anew = run && &model == snapshot.model.get() && !run->opened_at;
    return model.folder.empty() || anew ? filled(tr("{1}, from scratch"), {model.world}) : folder_name(model.folder);
}

/// " · step 1200"; empty if the step is not known.
std::string step_after_dot(const std::optional<std::int64_t>& step) {
    return step ? " · " + filled(tr("step {1}"), {std::to_string(*step)}) : "";
}

std::string altered_words(const std::vector<WhatIf>& changes) {
    if (changes.empty()) return {};
    std::vector<std::string> all;
    for (const WhatIf& change : changes) all.push_back(describe(change));
    return filled(tr("altered: {1}"), {listed(all)});
}

}  // namespace

Provenance provenance(const Frame& frame, int slot) {
    const Snapshot& s = frame.snapshot;
    const ModelInfo& model = frame.model(slot);
    const bool altered = is_altered(frame, slot);
    return {.slot = slot,
            .comparing = s.comparing.what,
            .world = s.model->world_title,
            .model = model_text(s, model),
            .run = slot == 0 ? own_run_name(s) : std::string(),
            .step = model.known_step(frame.sentence(slot).step),
            .changes = altered ? s.what_if : std::vector<WhatIf>{},
            .unaltered = !altered && !s.what_if.empty(),
            .sentence = frame.sentence(slot).text,
            .head = head_of(frame.state, slot),
            .cross_attention = frame.state.cross_attention,
            .has_heads = !model.config.recurrent()};
}

std::string Provenance::side(bool brief) const {
    switch (comparing) {
        case What::heads:
            return brief ? brief_head_name(head) : head_name(head, cross_attention);
        case What::models:
            if (run.empty()) return model;
            return brief ? run : model + ", " + run;
        case What::steps:
            return step ? filled(tr("step {1}"), {grouped(*step)}) : std::string();
        default:
            return {};
    }
}

std::string Provenance::brief() const {
    const std::string block = std::to_string(head.layer);
    std::string text = world.empty() ? "" : brief_title(world) + " · ";
    text += has_heads ? filled(tr("block {1} · head {2}"), {block, std::to_string(head.head)})
                      : filled(tr("block {1}"), {block});
    text += step_after_dot(step);
    return changes.empty() ? text : text + " · " + altered_count(changes.size());
}

std::string Provenance::text() const {
    const std::string letter = Frame::letter(slot), at = step ? std::to_string(*step) : "",
                      altered = altered_words(changes);
    const std::string of =
        comparing != What::models
            ? filled(step ? tr("sentence {1}: {2}, step {3}\n") : tr("sentence {1}: {2}\n"), {letter, sentence, at})
            : filled(step ? tr("sentence {1}: {2}, model {3}, step {4}\n") : tr("sentence {1}: {2}, model {3}\n"),
                     {letter, sentence, side(), at});
    return of + (altered.empty() ? "" : altered + "\n");
}

std::string Provenance::title() const {
    const bool sides_name_it = comparing == What::models, named = run.empty() || sides_name_it;
    const std::string of = !world.empty() ? tr_sentence(world) : sides_name_it ? "Glassformer" : model;
    return of + (named ? "" : " · " + run) + step_after_dot(step);
}

std::string Provenance::altered_line() const {
    const std::string altered = altered_words(changes);
    return altered.empty() ? altered : "\n" + altered;
}

std::string Provenance::caption_line(std::string_view part) const {
    std::string line = std::string("\n") + Frame::letter(slot);
    for (const std::string& of : {side(), std::string(part), unaltered ? std::string(tr("unaltered")) : std::string()})
        if (!of.empty()) line += " · " + of;
    return line + ": " + sentence;
}

std::string brief_title(const std::string& world_title) {
    const std::string title = tr_sentence(world_title);
    return title.substr(0, std::min(title.find(':'), title.find("：")));
}

std::string head_name(const HeadChoice& head, bool cross) {
    return filled(cross ? tr("block {1}, cross head {2}") : tr("block {1}, head {2}"),
                  {std::to_string(head.layer), std::to_string(head.head)});
}

std::string brief_head_name(const HeadChoice& head) {
    return "b" + std::to_string(head.layer) + " h" + std::to_string(head.head);
}

std::string altered_count(std::size_t changes) {
    const auto count = static_cast<long>(changes);
    return filled(tr("altered · {1}"), {filled(tr("{1} change", "{1} changes", count), {std::to_string(count)})});
}

std::string folder_name(const std::string& folder) {
    std::filesystem::path path(folder);
    if (!path.has_filename()) path = path.parent_path();
    const std::string published = name_in_hub(path);
    return published.empty() ? path.filename().string() : published;
}

bool cover_unless_of_shown(const Frame& frame, const Box& box, const MeasuredOf& of) {
    if (frame.snapshot.of_shown(of)) return false;
    const Ui& ui = frame.ui;
    const Theme& t = *ui.theme;
    ui.list()->AddRectFilled(box.min, box.max, with_alpha(t.card, 0.85f));
    const std::string_view text =
        of.changes.empty() ? tr("of the unaltered model") : tr("of a model with other changes");
    const ImVec2 size = draw::text_size(ui, text, FontRole::small_bold);
    const ImVec2 middle = box.centre(), half{std::min(size.x / 2 + ui.px(8), box.width() / 2), size.y / 2 + ui.px(4)};
    const Box at{{middle.x - half.x, middle.y - half.y}, {middle.x + half.x, middle.y + half.y}};
    draw::rounded_box(ui, at, t.card, t.card_border);
    draw::text_in(ui, at, text, {FontRole::small_bold, t.text_muted, draw::Align::centre});
    ui.items->add(of.changes.empty() ? "of the unaltered model" : "of other changes", at);
    return true;
}

std::string of_the_training(const Frame& frame, std::string figure) {
    return what_if_changes(frame).empty() ? std::move(figure) : filled(tr("{1} · unaltered"), {figure});
}

}  // namespace glassformer::app
