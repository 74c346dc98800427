#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/common/owned_states.h"
#include "app/common/window_state.h"
#include "app/session/snapshot.h"
#include "app/ui/theme.h"

namespace glassformer::app {

class CardScope;

/// A panel of the window. A narrow window shows one at a time; there `words` is part of `meaning`.
enum class Panel { map, sentence_a, sentence_b, number, meaning, timeline, words };
/// True if it is in the right column.
inline bool is_beside(Panel panel) {
    return panel == Panel::number || panel == Panel::meaning || panel == Panel::words;
}
/// A sentence's panel.
inline Panel card_panel(int slot) { return slot == 0 ? Panel::sentence_a : Panel::sentence_b; }

/// A cell of one of the two sentences' traces.
struct TracedCell {
    int slot = 0;  // 0 is A, 1 is B
    Cell cell;
    bool operator==(const TracedCell&) const = default;
};

/// A position in one of the two sentences.
struct WordPlace {
    int slot = 0, position = -1;  // −1: none
    bool operator==(const WordPlace&) const = default;
};

/// What the chips of a sentence's words are coloured by: how much the chosen word attends to each, how surprised the
/// model is by it, or how unsure it was before.
enum class WordColour { attention, surprise, entropy };

/// A block and one of its heads.
struct HeadChoice {
    int layer = 0, head = 0;
    bool operator==(const HeadChoice&) const = default;
};

/// The user's choices, as far as views share them. Plain values, owned by the window; views read them and change them
/// through the functions below. The state of a single view is in its own folder: see own().
struct ViewState {
    int layer = 0, head = 0;     // of A, unless a CardScope says otherwise
    HeadChoice other_head;       // of the other card, if two heads are compared; else both cards share the choice
    int card = 0;                // the card that layer and head belong to right now
    CardScope* scope = nullptr;  // the CardScope that says so, if any (card_scope.h)
    Comparing comparing;         // what the snapshot compares, as of settle()
    int view = 0;                // which of all_views() the sentences show
    int slot = 0;                // the sentence that the keyboard acts on
    std::array<int, 2> token{};  // chosen token of A and B
    bool compare = true;         // A and B side by side; else only `slot`
    bool presenter = false;      // larger text, quieter chrome
    WordColour word_colour = WordColour::attention;
    ThemeKind theme = ThemeKind::light;
    float scale = 1.0f;
    bool reduce_motion = false;
    Panel narrow_panel = Panel::sentence_a;  // which panel a narrow window shows
    Panel side_panel = Panel::meaning;       // or words: in the right column, if only one of them fits

    std::vector<TracedCell> trail;            // the explained number and how we got there: back() is on screen
    bool follow_strongest = true;             // the explanation follows the chosen token until a cell is clicked
    std::string stage = "attn.hook_pattern";  // the stage whose number it shows (Stage::hook)

    TracedCell hovered;   // the cell under the mouse; node −1: none. Highlighted in every view
    TracedCell hovering;  // the same for the next frame, set by the view that has the mouse
    TracedCell linked;    // its counterpart in the other card, highlighted too (linked_cards.h)
    WordPlace hovered_word, hovering_word, linked_word;  // the same for words

    const ModelInfo *model = nullptr, *second_model = nullptr;  // the models of these choices: A's and B's
    /// In a translating model, "attn" means the attention to the source sentence (else to the translation so far).
    /// settle() clears it for other models.
    bool cross_attention = false;
    bool second_layer_norm = false;  // the sentences show ln2 (before the MLP) instead of ln1
    float temperature = 1.0f;        // for the list of most likely words, and for sampling the next word

    WindowState window;  // what is open on the window, and what is requested of it

    bool more_to_compute = false;  // a view continues computing in the next frame

    /// The private state of a view or a panel: own<FlowState>().all_heads.
    template <class T>
    T& own() {
        return owned_.of<T>();
    }
    template <class T>
    const T& own() const {
        return owned_.of<T>();
    }

    void on_model_changed() { owned_.on_model_changed(); }
    void on_second_model_changed() { owned_.on_second_model_changed(); }

private:
    OwnedStates owned_;
};

/// The word to choose first in a sentence: its homonym, or one that has something to attend to.
int first_token(const ModelInfo& model, const WatchedSentence& sentence);

/// Clamps layer, head and tokens to the snapshot (a new sentence may be shorter), and lets the explanation follow the
/// chosen token if it should: to the same stage's number for that word, head and layer.
void settle(ViewState& state, const Snapshot& snapshot);

/// The block and head that a card shows.
HeadChoice head_of(const ViewState& state, int slot);
/// Whether a sentence is on the screen: both are, or one alone.
inline bool is_shown(const ViewState& state, int slot) { return state.compare || state.slot == slot; }
/// True if the trace on screen has such a cell; one from another model or sentence may not exist in it.
bool fits(const TracedCell& cell, const Snapshot& snapshot);
/// For the current card (see CardScope).
void choose_layer(ViewState& state, const Snapshot& snapshot, int layer);
void choose_head(ViewState& state, const Snapshot& snapshot, int layer, int head);
/// Chooses the head with most to see: the one in which the chosen words of both sentences attend most strongly to one
/// other word.
void choose_strongest_head(ViewState& state, const Snapshot& snapshot);
/// Also makes `slot` the sentence that the keyboard acts on.
void choose_token(ViewState& state, const Snapshot& snapshot, int slot, int token);
/// Opens a number's explanation with a new trail: this cell alone.
void explain(ViewState& state, const TracedCell& cell);
/// Goes one operand deeper.
void explain_operand(ViewState& state, const Cell& cell);
/// One step back along the trail; false if there is none.
bool explain_back(ViewState& state);

/// Node names of the chosen block: hook("attn.hook_q") is "blocks.0.attn.hook_q", or "blocks.0.cross_attn.hook_q" if
/// the attention to the source sentence is chosen.
std::string hook(const ViewState& state, const std::string& name);
/// The node of that name in the chosen block, or −1 if this model has none.
int hooked_node(const ViewState& state, const Trace& trace, const std::string& name);
/// Whether the chosen block has attention weights.
bool has_attention(const ViewState& state, const Trace& trace);
/// The key that `token` of `slot` attends to most in the chosen head, which may be the token itself; −1 without a
/// trace, and in models without attention.
int strongest_key(const ViewState& state, const Snapshot& snapshot, int slot, int token);
/// The cell pattern[query → key] of the chosen head; the block must have attention.
Cell pattern_cell(const ViewState& state, const Trace& trace, int query, int key);
/// The sentence for a window that shows only one. If both have a homonym, the one in which it attends more strongly to
/// another word, so that the first picture shows which word reveals the meaning. Else the first.
int telling_sentence(const ViewState& state, const Snapshot& snapshot);

}  // namespace glassformer::app
