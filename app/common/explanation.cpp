#include "app/common/explanation.h"

#include <algorithm>
#include <cmath>

#include "app/language/tr.h"
#include "core/base/number_text.h"
#include "core/ops/op.h"

namespace glassformer::app {

namespace {

/// Finds the operand that leads from an attention weight towards q · k; false at the end of the chain.
bool next_step(const Explanation& e, Cell& cell) {
    const int term = e.reading.main_term;
    if (term < 0 || e.terms[term].operands.empty()) return false;
    cell = e.terms[term].operands[0].cell;
    return true;
}

/// True if a cell holds a token ID.
bool is_id(const Trace& trace, const Cell& cell) {
    const TransformerGraph& model = trace.model();
    return cell.node >= 0 && (cell.node == model.tokens || cell.node == model.source_tokens);
}

}  // namespace

const Explanation* Explained::share() const {
    const auto found =
        std::ranges::find_if(chain, [](const Explanation& e) { return e.reading.kind == TermKind::share; });
    return found == chain.end() ? nullptr : &*found;
}

Explained explained(const Trace& trace, const TracedCell& at) {
    Explained result{at, trace.explain(at.cell), {}};
    const std::string& name = trace.graph()[at.cell.node].name;
    if (name.find("hook_pattern") == std::string::npos && name.find("hook_attn_scores") == std::string::npos)
        return result;
    if (result.whole.traits.role == OpRole::attention_scores) return result;
    result.chain.push_back(result.whole);
    Cell cell;
    while (next_step(result.chain.back(), cell)) result.chain.push_back(trace.explain(cell));
    if (result.chain.back().traits.role != OpRole::attention_scores) result.chain.clear();
    return result;
}

Cell known_as(const Trace& trace, const Cell& cell) {
    const NodeInfo& info = trace.graph()[cell.node];
    const bool view = info.kind == NodeInfo::Kind::op && info.op->is_view() && info.name.ends_with("_merged");
    return view ? Cell{info.inputs[0], cell.offset} : cell;
}

int larger_operand(const Trace& trace, const Explanation& e, int term) {
    const auto& operands = e.terms[term].operands;
    const auto rank = [&](const Explanation::Operand& o) {
        const bool made = trace.graph()[o.cell.node].kind == NodeInfo::Kind::op;
        return std::pair(made, std::abs(o.value));
    };
    if (operands.empty()) return -1;
    // If they are not multiplied, the others only modify the first (a mean, a deviation, a mask).
    if (e.reading.join != TermJoin::product) return 0;
    const auto best = std::ranges::max_element(operands, {}, rank);
    return static_cast<int>(best - operands.begin());
}

bool deepest_operand(const Trace& trace, const Explanation& e, Cell& cell) {
    if (e.terms.empty()) return false;
    // A term without operands (a distance, the sine of a position) leads nowhere.
    int best = e.reading.main_term;
    for (std::size_t i = 0; i < e.terms.size() && e.reading.main_term < 0; ++i) {
        if (e.terms[i].operands.empty()) continue;
        const double size = std::abs(e.terms[i].contribution);
        if (best < 0 || size > std::abs(e.terms[best].contribution)) best = static_cast<int>(i);
    }
    if (best < 0) return false;
    const int operand = larger_operand(trace, e, best);
    if (operand < 0) return false;
    cell = known_as(trace, e.terms[best].operands[operand].cell);
    return true;
}

bool agrees(const Explanation& e) {
    if (e.traced == e.recomputed) return true;
    double scale = std::max({std::abs(e.traced), std::abs(e.recomputed), e.reading.rounded, 1e-4});
    // A sum's rounding error is as large as its largest term's, even if terms cancel.
    if (e.reading.kind == TermKind::summand)
        for (const auto& term : e.terms) scale = std::max(scale, std::abs(term.contribution));
    return std::abs(e.traced - e.recomputed) <= 1e-4 * scale;
}

bool multiplies(const Explanation& e, const Explanation::Term& term) {
    return e.reading.join == TermJoin::product && term.operands.size() > 1;
}

std::string sum_inside(const Explanation& e) {
    if (e.reading.inside.empty()) return "";
    double sum = 0;
    for (const auto& term : e.terms) sum += term.contribution;
    return filled(tr("adding up to {1}, {2}"), {shown(sum), tr(std::string(e.reading.inside))});
}

std::string typographic(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool starts = i == 0 || std::string_view(" (^√e").find(text[i - 1]) != std::string_view::npos;
        if (text[i] != '-' || !starts || i + 1 == text.size() || text[i + 1] == ' ') continue;
        text.replace(i, 1, "−");
        i += std::string_view("−").size() - 1;
    }
    // a + −b is a − b, and a − −b is a + b.
    for (std::size_t at; (at = text.find(" + −")) != std::string::npos;)
        text.replace(at, std::string_view(" + −").size(), " − ");
    for (std::size_t at; (at = text.find(" − −")) != std::string::npos;)
        text.replace(at, std::string_view(" − −").size(), " + ");
    return text;
}

std::string shown(double value) { return typographic(format_number(value)); }

std::string shown(const Trace& trace, const Cell& cell) {
    return is_id(trace, cell) ? std::to_string(std::llround(trace.at(cell))) : shown(trace.at(cell));
}

std::string brief(double value) {
    const double size = std::abs(value);
    if (size == 0.0 || !(size < 0.1)) return shown(value);
    return typographic(with_decimals(value, size < 0.001 ? 4 : 3));
}

std::string precise(double value) {
    if (std::isinf(value)) return shown(value);
    const double size = std::abs(value);
    if (size != 0 && !(size >= 0.01 && size < 1e4)) return typographic(significant(value, 4));
    return typographic(with_decimals(value, 4));
}

std::string precise(const Trace& trace, const Cell& cell) {
    return is_id(trace, cell) ? shown(trace, cell) : precise(trace.at(cell));
}

}  // namespace glassformer::app
