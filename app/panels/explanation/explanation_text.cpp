#include <cstdio>
#include <string>

#include "app/common/explanation.h"
#include "core/ops/op.h"

namespace glassformer::app {

namespace {

/// What an op is called in a sentence.
std::string op_title(const std::string& op) {
    if (op == "layer_norm_mean" || op == "batch_norm_mean" || op == "mean_pool") return "mean";
    if (op == "rms_norm_scale") return "size";
    if (op == "rms_norm_normalize" || op == "batch_norm_normalize") return "normalize";
    if (op == "batch_norm_variance") return "variance";
    if (op == "batch_norm_choose") return "batch's or running";
    if (op == "mask_causal") return "no looking ahead";
    if (op == "alibi") return "less for distance";
    if (op == "rotary") return "turned by its place";
    if (op == "recurrent_tanh" || op == "recurrent_gru") return "the next state";
    if (op == "gru_gates") return "gates";
    if (op == "gelu_tanh") return "GELU";
    if (op == "position_index") return "the place";
    if (op == "sinusoidal_positions") return "sine of the place";
    if (op == "squared_error") return "squared error";
    if (op == "layer_norm_scale") return "spread";
    if (op == "layer_norm_normalize") return "normalize";
    if (op == "layer_norm_affine") return "rescale";
    if (op == "attention_scores") return "query · key";
    if (op == "attention_mix") return "weighted sum of values";
    if (op == "head_result") return "what the head writes";
    if (op == "matmul_transposed") return "unembed";
    if (op == "embed") return "a row of W_E";
    if (op == "pos_embed") return "a row of W_pos";
    if (op == "linear") return "weighted sum";
    if (op == "cross_entropy") return "cross-entropy";
    if (op == "gelu") return "GELU";
    if (op == "scale") return "÷ √d";
    return op;
}

std::string part_of(const std::string& name) {
    if (name.starts_with("ln_final.")) return "final LayerNorm";
    if (name.find(".ln1.") != std::string::npos) return "LayerNorm 1";
    if (name.find(".ln2.") != std::string::npos) return "LayerNorm 2";
    if (name.find(".mlp.") != std::string::npos || name.find("mlp_out") != std::string::npos) return "MLP";
    if (name.find("resid") != std::string::npos) return "residual stream";
    if (name.find("attn") != std::string::npos) return "attention";
    if (name.find("embed") != std::string::npos) return "embedding";
    return name == "logits" || name == "probabilities" ? "prediction" : "";
}

/// The head of a cell that belongs to one, or −1.
std::int64_t head_of(const Trace& trace, const Cell& cell) {
    const std::string& name = trace.graph()[cell.node].name;
    const Shape shape = trace.shape(cell.node);
    if (name.find(".attn.hook_") == std::string::npos || shape.rank() != 3) return -1;
    const bool head_first = name.find("pattern") != std::string::npos || name.find("scores") != std::string::npos;
    return index_of(shape, cell.offset)[head_first ? 0 : 1];
}

void add_part(std::string& text, const std::string& part) {
    if (part.empty()) return;
    if (!text.empty()) text += " · ";
    text += part;
}

std::string steps(std::int64_t count) {
    return std::to_string(count) + (count == 1 ? " training step" : " training steps");
}

std::string caption(const Explanation& e) {
    const std::string inside = sum_inside(e);
    return inside.empty() ? e.terms_title : e.terms_title + ", " + inside;
}

void add_step(std::string& text, const Frame& frame, int slot, const Explanation& e) {
    text += frame.cell_name(slot, e.cell) + " = " + e.formula;
    if (!e.numbers.empty()) text += " = " + typographic(e.numbers);
    text += " = " + shown(e.recomputed) + "\n" + caption(e) + ":\n";
    for (std::size_t i = 0; i < e.terms.size(); ++i)
        text += "  " + term_text(frame, slot, e, static_cast<int>(i)) + "\n";
    text += "traced " + precise(e.traced) + ", recomputed in double from its operands " + precise(e.recomputed);
    text += agrees(e) ? "\n" : "  (they differ)\n";
}

}  // namespace

std::string place(const Trace& trace, const Cell& cell, const std::string& op) {
    const std::string& name = trace.graph()[cell.node].name;
    std::string text;
    if (name.starts_with("blocks.")) text = "block " + name.substr(7, name.find('.', 7) - 7);
    const std::int64_t head = head_of(trace, cell);
    add_part(text, head >= 0 ? "head " + std::to_string(head) : part_of(name));
    add_part(text, op_title(op));
    return text;
}

std::string term_text(const Frame& frame, int slot, const Explanation& e, int term) {
    const Explanation::Term& t = e.terms[static_cast<std::size_t>(term)];
    const char* join = multiplies(e, t) ? " · " : ", ";
    std::string names, numbers;
    for (const Explanation::Operand& operand : t.operands) {
        names += (names.empty() ? "" : join) + frame.cell_name(slot, operand.cell);
        numbers += (numbers.empty() ? "" : join) + shown(operand.value);
    }
    if (t.operands.empty()) return "brought by the op itself: " + shown(t.contribution);
    std::string text = names + " = " + numbers;
    if (e.op == "softmax") return text + ", e^s = " + shown(t.contribution);
    const bool same = t.operands.size() == 1 && t.operands[0].value == t.contribution;
    if (!same) text += (multiplies(e, t) ? " = " : " → ") + shown(t.contribution);
    return text;
}

std::string history(std::int64_t step, const NodeInfo& parameter) {
    char start[64];
    const double mean = static_cast<double>(parameter.init.mean), spread = static_cast<double>(parameter.init.std);
    if (spread > 0)
        std::snprintf(start, sizeof start, "it started as N(%g, %g) noise", mean, spread);
    else
        std::snprintf(start, sizeof start, "it started at %g", mean);
    return start + (step > 0 ? " and was changed by " + steps(step) : "; training has not changed it yet");
}

std::string plain_text(const Frame& frame, const Trace& trace, const Explained& x) {
    const int slot = x.at.slot;
    std::string text = "Where does " + shown(x.whole.traced) + " come from?\n";
    text += frame.cell_name(slot, x.at.cell) + "  (" + trace.address(x.at.cell) + ")\n";
    if (const std::string where = place(trace, x.at.cell, x.whole.op); !where.empty()) text += where + "\n";
    text += "sentence " + std::string(Frame::letter(slot)) + ": " + frame.sentence(slot).text + ", step " +
            std::to_string(frame.sentence(slot).step) + "\n\n";
    if (!was_made(x.whole)) {
        const NodeInfo& info = trace.graph()[x.at.cell.node];
        if (x.whole.overwritten)
            return text + "set by an intervention: the model itself computed another number\nvalue " +
                   precise(x.whole.traced) + "\n";
        const bool learned = info.kind == NodeInfo::Kind::parameter;
        return text +
               (learned ? "a weight the model learned; " + history(frame.sentence(slot).step, info)
                        : std::string("an input of the model")) +
               "\nvalue " + precise(x.whole.traced) + "\n";
    }
    if (x.chain.empty()) add_step(text, frame, slot, x.whole);
    for (const Explanation& step : x.chain) {
        add_step(text, frame, slot, step);
        text += "\n";
    }
    return text;
}

}  // namespace glassformer::app
