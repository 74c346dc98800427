#include "app/views/frame.h"

#include <string_view>

namespace glassformer::app {

namespace {

/// A word of any length, cut to what a panel can hold; cut between letters, not inside one.
std::string shortened(const std::string& word) {
    constexpr std::size_t most = 24;
    if (word.size() <= most) return word;
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(word[end]) & 0xc0) == 0x80) --end;
    return word.substr(0, end) + "…";
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// "blocks.0.attn.hook_pattern" → "pattern"; "blocks.1.attn.W_Q" → "W_Q"; "blocks.0.ln1.w" → "ln1 γ".
std::string short_name(std::string_view full) {
    std::string_view last = full.substr(full.rfind('.') + 1);  // npos + 1 is 0: all of it
    if (last.starts_with("hook_")) last.remove_prefix(5);
    if (last.ends_with("_merged")) last.remove_suffix(7);
    if (last == "attn_scores_raw") return "raw score";
    if (last == "attn_scores_scaled") return "scaled score";
    if (last == "attn_scores") return "score";
    if (last == "probabilities") return "P";
    if (last == "logits") return "logit";
    if (last == "tokens") return "token id";
    if (last == "key_mask") return "visible";
    const bool norm = contains(full, ".ln1.") || contains(full, ".ln2.") || full.starts_with("ln_final.");
    if (norm && last == "w") last = "γ";
    if (norm && last == "b") last = "β";
    if (norm && last == "mean") last = "μ";
    if (norm && last == "normalized") last = "x̂";
    std::string name(last);
    if (contains(full, ".ln1.")) return "ln1 " + name;
    if (contains(full, ".ln2.")) return "ln2 " + name;
    if (full.starts_with("ln_final.")) return "final ln " + name;
    if (contains(full, ".mlp.") && !last.starts_with("W_") && !last.starts_with("b_")) return "mlp " + name;
    return name;
}

/// 12 → "₁₂".
std::string subscript(int number) {
    std::string text;
    for (const char digit : std::to_string(number))
        text += "\xE2\x82" + std::string(1, static_cast<char>(0x80 + digit - '0'));
    return text;
}

/// The word at a position; with its occurrence ("a₂") where the sentence has it more than once.
std::string told_apart(const Frame& frame, int slot, std::int64_t position) {
    const int here = static_cast<int>(position), count = static_cast<int>(frame.sentence(slot).tokens.size());
    const std::string word = frame.word(slot, here);
    int before = 0, all = 0;
    for (int i = 0; i < count; ++i) {
        if (frame.word(slot, i) != word) continue;
        ++all;
        if (i <= here) ++before;
    }
    return all > 1 ? word + subscript(before) : word;
}

/// The head in front of a name, unless it is the one that the screen's headline says.
std::string in_head(const Frame& frame, std::int64_t head, const std::string& name) {
    return head == frame.state.head ? name : "h" + std::to_string(head) + " " + name;
}

std::string parameter_cell(const Frame& frame, const std::string& full, const std::string& name, const Shape& shape,
                           const Index& at) {
    const std::string last = std::to_string(at[static_cast<std::size_t>(shape.rank() - 1)]);
    if (shape.rank() == 1) return name + "[" + last + "]";
    if (contains(full, "W_E"))
        return name + "[" + frame.snapshot.model->tokenizer.word(static_cast<int>(at[0])) + ", " + last + "]";
    return name + "[" + std::to_string(at[0]) + ", " + last + "]";
}

}  // namespace

std::string Frame::word(int slot, int position) const {
    const WatchedSentence& s = sentence(slot);
    if (position < 0 || position >= static_cast<int>(s.tokens.size())) return "?";
    const WordTokenizer::Token& token = s.tokens[static_cast<std::size_t>(position)];
    return token.id == WordTokenizer::mask ? "▢" : shortened(token.text);
}

std::string Frame::cell_name(int slot, const Cell& cell) const {
    const Trace* t = trace(slot);
    if (!t || cell.node < 0) return "";
    const NodeInfo& info = t->graph()[cell.node];
    const Shape shape = t->shape(cell.node);
    const Index at = index_of(shape, cell.offset);
    const std::string name = short_name(info.name);
    if (shape.rank() == 0) return name;
    if (info.kind == NodeInfo::Kind::parameter) return parameter_cell(*this, info.name, name, shape, at);
    const auto number = [](std::int64_t n) { return ", " + std::to_string(n) + "]"; };
    if (contains(info.name, "hook_pattern") || contains(info.name, "hook_attn_scores"))
        return in_head(*this, at[0], name) + "[" + told_apart(*this, slot, at[1]) + " → " +
               told_apart(*this, slot, at[2]) + "]";
    const std::string position = "[" + told_apart(*this, slot, at[0]);
    if (info.name == "logits" || info.name == "probabilities")
        return name + "(" + snapshot.model->tokenizer.word(static_cast<int>(at[1])) + ")" + position + "]";
    if (shape.rank() == 1) return name + position + "]";
    if (shape.rank() == 3) return in_head(*this, at[1], name) + position + number(at[2]);
    if (info.name.ends_with("_merged")) {  // the same memory as [pos, head, d_head]
        const std::int64_t width = snapshot.model->config.d_head();
        return in_head(*this, at[1] / width, name) + position + number(at[1] % width);
    }
    return name + position + number(at[1]);
}

}  // namespace glassformer::app
