#include "app/views/frame.h"

#include <algorithm>

namespace glassformer::app {

namespace {

/// "blocks.0.attn.hook_pattern" → "pattern"; "blocks.1.attn.W_Q" → "W_Q".
std::string short_name(const std::string& name) {
    std::string last = name.substr(name.rfind('.') == std::string::npos ? 0 : name.rfind('.') + 1);
    if (last.starts_with("hook_")) last = last.substr(5);
    if (name.find(".ln1.") != std::string::npos) last = "ln1 " + last;
    if (name.find(".ln2.") != std::string::npos) last = "ln2 " + last;
    if (name.find("ln_final.") != std::string::npos) last = "final ln " + last;
    if (name.find(".mlp.") != std::string::npos) last = "mlp " + last;
    return last;
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

std::string Frame::word(int slot, int position) const {
    const WatchedSentence& s = sentence(slot);
    if (position < 0 || position >= static_cast<int>(s.tokens.size())) return "?";
    const WordTokenizer::Token& token = s.tokens[static_cast<std::size_t>(position)];
    return token.id == WordTokenizer::mask ? "▢" : token.text;
}

std::string Frame::cell_name(int slot, const Cell& cell) const {
    const Trace* t = trace(slot);
    if (!t || cell.node < 0) return "";
    const NodeInfo& info = t->graph()[cell.node];
    const Shape shape = t->shape(cell.node);
    const Index at = index_of(shape, cell.offset);
    std::string name = short_name(info.name);
    const auto position = [&](int axis) { return word(slot, static_cast<int>(at[static_cast<std::size_t>(axis)])); };
    const auto number = [&](int axis) { return std::to_string(at[static_cast<std::size_t>(axis)]); };
    const auto vocabulary_word = [&](int axis) {
        return snapshot.model->tokenizer.word(static_cast<int>(at[static_cast<std::size_t>(axis)]));
    };
    if (shape.rank() == 0) return name;
    if (contains(info.name, "hook_pattern") || contains(info.name, "hook_attn_scores"))
        return name + "[" + position(1) + " → " + position(2) + "]";
    if (info.kind == NodeInfo::Kind::parameter) {
        if (contains(info.name, "W_E")) return name + "[" + vocabulary_word(0) + ", " + number(1) + "]";
        return name + (shape.rank() == 1 ? "[" + number(0) + "]" : "[" + number(0) + ", " + number(1) + "]");
    }
    if (info.name == "logits" || info.name == "probabilities")
        return name + "[" + position(0) + ", " + vocabulary_word(1) + "]";
    std::string text = name + "[" + position(0);
    for (int axis = 1; axis < shape.rank(); ++axis) {
        // The head is already said by the screen's headline when it is the chosen one.
        const bool head_axis = shape.rank() == 3 && axis == 1;
        text += ", " + std::string(head_axis ? "h" : "") + number(axis);
    }
    return text + "]";
}

}  // namespace glassformer::app
