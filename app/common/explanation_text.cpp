#include <string>

#include "app/common/explanation.h"
#include "app/common/provenance.h"
#include "app/language/tr.h"
#include "core/base/number_text.h"
#include "core/graph/hook_names.h"
#include "core/ops/op.h"

namespace glassformer::app {

namespace {

std::string name_of_norm(std::string_view norm, NormKind kind) {
    const bool last = norm.starts_with("ln_final"), first = norm.starts_with("ln1");
    if (kind == NormKind::layer_norm)
        return tr(last ? N_("final LayerNorm") : first ? N_("LayerNorm 1") : N_("LayerNorm 2"));
    if (last) return tr(kind == NormKind::rms_norm ? N_("final RMS") : N_("final BN"));
    return tr(kind == NormKind::rms_norm ? N_("RMSNorm") : N_("batch norm")) + std::string(first ? " 1" : " 2");
}

std::string part_of(std::string_view name, NormKind norm) {
    const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (name.starts_with("ln_final.") || name.starts_with("ln1.") || name.starts_with("ln2."))
        return name_of_norm(name, norm);
    if (has("mlp.") || has("mlp_out")) return tr("MLP");
    if (has("resid")) return tr("residual stream");
    if (has("cross_attn")) return tr("cross-attention");
    if (has("attn")) return tr("attention");
    if (has("embed")) return tr("embedding");
    return name == "logits" || name == "probabilities" ? tr("prediction") : "";
}

/// The head that a cell belongs to, or −1.
std::int64_t head_of(const Trace& trace, const Cell& cell, const NodePlace& at) {
    const Shape shape = trace.shape(cell.node);
    if (!at.attention() || !at.quantity.starts_with("hook_") || shape.rank() != 3) return -1;
    return index_of(shape, cell.offset)[at.of_pairs() ? 0 : 1];
}

void add_part(std::string& text, const std::string& part) {
    if (part.empty()) return;
    if (!text.empty()) text += " · ";
    text += part;
}

std::string steps(std::int64_t count) {
    return filled(tr("{1} training step", "{1} training steps", count), {std::to_string(count)});
}

std::string caption(const Explanation& e) {
    const std::string inside = sum_inside(e);
    return inside.empty() ? tr(e.terms_title) : filled(tr("{1}, {2}"), {tr(e.terms_title), inside});
}

void add_step(std::string& text, const Frame& frame, int slot, const Explanation& e) {
    text += frame.cell_name(slot, e.cell) + " = " + e.formula;
    if (!e.numbers.empty()) text += " = " + typographic(e.numbers);
    text += " = " + shown(e.recomputed) + "\n" + caption(e) + ":\n";
    for (std::size_t i = 0; i < e.terms.size(); ++i)
        text += "  " + term_text(frame, slot, e, static_cast<int>(i)) + "\n";
    text += filled(tr("traced {1}, recomputed in double precision {2}"), {precise(e.traced), precise(e.recomputed)});
    text += agrees(e) ? "\n" : tr("  (they differ)\n");
}

}  // namespace

std::string place(const Trace& trace, const Explanation& e) {
    const NodePlace at = node_place(trace.graph()[e.cell.node].name);
    std::string text;
    if (at.block >= 0)
        text = filled(at.encoder ? tr("encoder block {1}") : tr("block {1}"), {std::to_string(at.block)});
    const std::int64_t head = head_of(trace, e.cell, at);
    if (head < 0 || at.cross()) add_part(text, part_of(at.within, trace.model().config.norm));
    if (head >= 0) add_part(text, filled(tr("head {1}"), {std::to_string(head)}));
    add_part(text, tr(e.title));
    return text;
}

std::string term_text(const Frame& frame, int slot, const Explanation& e, int term) {
    const Explanation::Term& t = e.terms[term];
    const char* join = multiplies(e, t) ? " · " : ", ";
    std::string names, numbers;
    for (const Explanation::Operand& operand : t.operands) {
        names += (names.empty() ? "" : join) + frame.cell_name(slot, operand.cell);
        numbers += (numbers.empty() ? "" : join) + shown(operand.value);
    }
    if (t.operands.empty()) return filled(tr("from the op itself: {1}"), {shown(t.contribution)});
    std::string text = names + " = " + numbers;
    if (!e.reading.symbol.empty()) return text + ", " + std::string(e.reading.symbol) + " = " + shown(t.contribution);
    const bool same = t.operands.size() == 1 && t.operands[0].value == t.contribution;
    if (!same) text += (multiplies(e, t) ? " = " : " → ") + shown(t.contribution);
    return text;
}

std::string history(const Frame& frame, int slot, const NodeInfo& parameter) {
    const std::int64_t step = frame.sentence(slot).step;
    if (!frame.model(slot).known_step(step)) return tr("as in the model's files, not trained here");
    const double mean = parameter.init.mean, spread = parameter.init.std;
    const std::string start =
        spread > 0 ? "N(" + significant(mean) + ", " + significant(spread) + ")" : significant(mean);
    return step > 0 ? filled(tr("initialized to {1}, then trained for {2}"), {start, steps(step)})
                    : filled(tr("initialized to {1}, not trained yet"), {start});
}

std::string plain_text(const Frame& frame, const Trace& trace, const Explained& x) {
    const int slot = x.at.slot;
    std::string text = filled(tr("Where does {1} come from?\n"), {shown(trace, x.at.cell)});
    text += frame.cell_name(slot, x.at.cell) + "  (" + trace.address(x.at.cell) + ")\n";
    if (const std::string where = place(trace, x.whole); !where.empty()) text += where + "\n";
    text += provenance(frame, slot).text() + "\n";
    if (!was_made(x.whole)) {
        const NodeInfo& info = trace.graph()[x.at.cell.node];
        if (x.whole.overwritten)
            return filled(tr("{1}set by an intervention: the model itself computed another number\nvalue {2}\n"),
                          {text, precise(x.whole.traced)});
        const bool learned = info.kind == NodeInfo::Kind::parameter;
        return filled(tr("{1}{2}\nvalue {3}\n"),
                      {text,
                       learned ? filled(tr("a learned weight; {1}"), {history(frame, slot, info)})
                               : std::string(tr("an input of the model")),
                       precise(x.whole.traced)});
    }
    if (x.chain.empty()) add_step(text, frame, slot, x.whole);
    for (const Explanation& step : x.chain) {
        add_step(text, frame, slot, step);
        text += "\n";
    }
    return text;
}

}  // namespace glassformer::app
