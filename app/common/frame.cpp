#include "app/common/frame.h"

#include <string_view>

#include "app/language/tr.h"
#include "app/session/masks.h"
#include "core/graph/hook_names.h"
#include "core/text/utf8.h"

namespace glassformer::app {

namespace {

/// Shortens a word to what a panel can hold; cuts between characters, not inside one.
std::string shortened(const std::string& word) {
    constexpr std::size_t most = 24;
    if (word.size() <= most) return word;
    return word.substr(0, character_start(word, most)) + "…";
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// The norm that a node belongs to: "blocks.0.ln1.w" → "ln1", "blocks.0.ln_cross.w" → "cross ln", "blocks.0.ln2_post.w"
/// → "ln2 post", "ln_final.w" → "final ln". Empty if there is none.
std::string norm_of(std::string_view full) {
    const std::size_t end = full.rfind('.');
    if (end == std::string_view::npos) return {};
    std::string_view part = full.substr(0, end);
    part = part.substr(part.rfind('.') + 1);
    if (!part.starts_with("ln")) return {};
    const bool post = part.ends_with("_post");
    if (post) part.remove_suffix(5);
    const std::string name = part.starts_with("ln_") ? std::string(part.substr(3)) + " ln" : std::string(part);
    return post ? name + " post" : name;
}

/// "blocks.0.attn.hook_pattern" → "pattern"; "blocks.1.attn.W_Q" → "W_Q"; "blocks.0.ln1.w" → "ln1 γ".
std::string plain_name(std::string_view full) {
    std::string_view last = full.substr(full.rfind('.') + 1);  // npos + 1 is 0: all of it
    if (last.starts_with("hook_")) last.remove_prefix(5);
    for (const std::string_view ending : {"_merged", "_shared", "_groups"})
        if (last.ends_with(ending)) last.remove_suffix(ending.size());
    if (last == "attn_scores_raw") return "raw score";
    if (last == "attn_scores_scaled") return "scaled score";
    if (last == "attn_scores") return "score";
    if (last == "probabilities") return "P";
    if (last == "attn_scores_alibi") return "score with distance";
    if (last == "attn_scores_causal") return "score";
    if (last == "logits") return "logit";
    if (last == "tokens") return "token ID";
    if (last == "key_mask") return "visible";
    const std::string norm = norm_of(full);
    if (!norm.empty() && last == "w") last = "γ";
    if (!norm.empty() && last == "b") last = "β";
    if (!norm.empty() && last == "mean") last = "μ";
    if (!norm.empty() && full.ends_with("hook_scale")) last = "σ";
    if (!norm.empty() && last == "normalized") last = "x̂";
    std::string name(last);
    if (!norm.empty()) return norm + " " + name;
    if (node_place(full).module == NodePlace::Module::mlp && !last.starts_with("W_") && !last.starts_with("b_"))
        return "mlp " + name;
    return name;
}

/// plain_name() with the side in front: "source" in an encoder, "cross" in cross-attention.
std::string short_name(std::string_view full) {
    const std::string name = plain_name(full);
    const NodePlace place = node_place(full);
    if (place.encoder) return "source " + name;
    return place.cross() || place.quantity == "hook_cross_attn_out" ? "cross " + name : name;
}

/// 12 → "₁₂".
std::string subscript(int number) {
    std::string text;
    for (const char digit : std::to_string(number))
        text += "\xE2\x82" + std::string(1, static_cast<char>(0x80 + digit - '0'));
    return text;
}

/// The word at a position, numbered ("a₂") if the sentence has it more than once.
std::string told_apart(const std::vector<WordTokenizer::Token>& tokens, std::int64_t position,
                       const std::string& word) {
    const std::size_t here = position;
    if (here >= tokens.size() || tokens[here].id < 0) return word;  // names of numbers are already distinct
    int before = 0, all = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].text != tokens[here].text) continue;
        ++all;
        if (i <= here) ++before;
    }
    return all > 1 ? word + subscript(before) : word;
}

/// Puts the head in front of a name, unless it is the one that the screen's headline names.
std::string in_head(const Frame& frame, int slot, std::int64_t head, const std::string& name) {
    return head == head_of(frame.state, slot).head ? name : "h" + std::to_string(head) + " " + name;
}

/// Puts the key head in front of a key or a value that several heads share.
std::string of_key_head(std::int64_t head, const std::string& name) {
    return filled(tr("key head {1} {2}"), {std::to_string(head), name});
}

/// The word of a row of an embedding matrix.
std::string of_word(const ModelInfo& model, std::string_view node, int id) {
    return node_place(node).of_source() ? model.source_token_text(id) : model.token_text(id);
}

/// The name of a column of the model's output.
std::string answer_name(const ModelInfo& model, std::int64_t column) {
    const int at = static_cast<int>(column);
    if (model.config.output == OutputKind::words) return model.token_text(at);
    return model.config.output == OutputKind::classes ? model.class_name(at) : std::to_string(at);
}

/// True if a node has a row for each word of its sentence.
bool by_word(const Trace& trace, const std::string& name, const Shape& shape) {
    if (shape.rank() == 0) return false;
    const std::int64_t words = node_place(name).of_source() ? trace.model().source_positions : trace.model().positions;
    if (contains(name, "pooled") || contains(name, "batch_mean") || contains(name, "variance")) return false;
    if (trace.model().config.norm == NormKind::batch_norm && name.ends_with("hook_mean")) return false;
    const bool classes = trace.model().config.output == OutputKind::classes;
    if (classes && (name == "logits" || name == "probabilities" || name == "targets" || name == "loss_weights"))
        return false;
    return shape[0] == words;
}

std::string numbers_of(const Index& at, int from, int rank) {
    std::string text;
    for (int axis = from; axis < rank; ++axis) text += ", " + std::to_string(at[axis]);
    return text + "]";
}

std::string parameter_cell(const ModelInfo& model, const std::string& full, const std::string& name, const Shape& shape,
                           const Index& at) {
    const std::string last = std::to_string(at[shape.rank() - 1]);
    if (shape.rank() == 1) return name + "[" + last + "]";
    if (contains(full, "W_E")) return name + "[" + of_word(model, full, static_cast<int>(at[0])) + ", " + last + "]";
    return name + "[" + std::to_string(at[0]) + ", " + last + "]";
}

}  // namespace

std::string Frame::word(int slot, int position) const {
    const WatchedSentence& s = sentence(slot);
    if (position < 0 || position >= static_cast<int>(s.tokens.size())) return "?";
    const WordTokenizer::Token& token = s.tokens[position];
    return is_mask(model(slot), token.id) ? "▢" : shortened(token.text);
}

std::string Frame::source_word(int slot, int position) const {
    const WatchedSentence& s = sentence(slot);
    if (position < 0 || position >= static_cast<int>(s.source.size())) return "?";
    return shortened(s.source[position].text);
}

std::string Frame::key_word_of(int slot, const std::string& node, int key) const {
    return node_place(node).keys_of_source() ? source_word(slot, key) : word(slot, key);
}

std::string Frame::cell_name(int slot, const Cell& cell) const {
    const Trace* t = trace(slot);
    if (!t || cell.node < 0) return "";
    const NodeInfo& info = t->graph()[cell.node];
    const Shape shape = t->shape(cell.node);
    const Index at = index_of(shape, cell.offset);
    const std::string name = short_name(info.name);
    if (shape.rank() == 0) return name;
    if (info.kind == NodeInfo::Kind::parameter) return parameter_cell(model(slot), info.name, name, shape, at);
    const WatchedSentence& s = sentence(slot);
    const auto place = [&](bool source, std::int64_t position) {
        const int p = static_cast<int>(position);
        return told_apart(source ? s.source : s.tokens, position, source ? source_word(slot, p) : word(slot, p));
    };
    const NodePlace node = node_place(info.name);
    const bool source = node.of_source();
    if (node.of_pairs() && shape.rank() == 3)
        return in_head(*this, slot, at[0], name) + "[" + place(source, at[1]) + " → " +
               place(node.keys_of_source(), at[2]) + "]";
    const bool answer = info.name == "logits" || info.name == "probabilities";
    const bool words = by_word(*t, info.name, shape);
    if (answer) {
        const std::string what = name + "(" + answer_name(model(slot), at[shape.rank() - 1]) + ")";
        return words ? what + "[" + place(false, at[0]) + "]" : what;
    }
    if (!words) return name + "[" + numbers_of(at, 0, shape.rank()).substr(2);
    const std::string position = "[" + place(source, at[0]);
    if (info.name.ends_with("_groups")) return of_key_head(at[1], name) + position + numbers_of(at, 2, 3);
    if (shape.rank() == 3) return in_head(*this, slot, at[1], name) + position + numbers_of(at, 2, 3);
    if (info.name.ends_with("_shared")) {
        const std::int64_t width = shape.back() / model(slot).config.n_key_value_heads();
        return of_key_head(at[1] / width, name) + position + ", " + std::to_string(at[1] % width) + "]";
    }
    if (info.name.ends_with("_merged")) {  // the same memory as [pos, head, width]
        const std::int64_t width = shape.back() / model(slot).config.n_heads;
        return in_head(*this, slot, at[1] / width, name) + position + ", " + std::to_string(at[1] % width) + "]";
    }
    return name + position + numbers_of(at, 1, shape.rank());
}

}  // namespace glassformer::app
