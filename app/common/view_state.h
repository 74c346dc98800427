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

/// A panel of the window. A narrow one shows one of them at a time; there `words` are a part of `meaning`.
enum class Panel { map, sentence_a, sentence_b, number, meaning, timeline, words };
/// Whether it stands in the right column.
inline bool is_beside(Panel panel) {
    return panel == Panel::number || panel == Panel::meaning || panel == Panel::words;
}
/// That of a sentence.
inline Panel card_panel(int slot) { return slot == 0 ? Panel::sentence_a : Panel::sentence_b; }

/// A cell of one of the two sentences' traces.
struct TracedCell {
    int slot = 0;  // 0 is A, 1 is B
    Cell cell;
    bool operator==(const TracedCell&) const = default;
};

/// A place in one of the two sentences.
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

/// What the person has chosen to look at, as far as views share it. Plain values; the window owns it, views read it and
/// change it through the functions below. What one view alone remembers lies in its own folder: see own().
struct ViewState {
    int layer = 0, head = 0;     // of A, unless a CardScope says otherwise
    HeadChoice other_head;       // of the other card, where two heads are compared; else the choice is of both
    int card = 0;                // whose layer and head they are just now
    CardScope* scope = nullptr;  // that says so, while one lives (card_scope.h)
    Comparing comparing;         // what the snapshot compares, since settle()
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
    Panel side_panel = Panel::meaning;       // or words: in the right column where there is room for one of them

    std::vector<TracedCell> trail;            // the explained number and how we got there: back() is on screen
    bool follow_strongest = true;             // the explanation follows the chosen token until a cell is clicked
    std::string stage = "attn.hook_pattern";  // of which stage it shows the number (Stage::hook)

    TracedCell hovered;   // the cell that was under the mouse, node −1 when there was none: lit in every view
    TracedCell hovering;  // the same, being found out in this frame by the view that has the mouse
    TracedCell linked;    // what the hovered one is compared with, in the other card: lit too (linked_cards.h)
    WordPlace hovered_word, hovering_word, linked_word;  // the same of the word under the mouse

    const ModelInfo* model = nullptr;  // that the choices were made for
    /// In a translating model "attn" means the attention to the source sentence (else to the translation so far); set
    /// by settle() for other models.
    bool cross_attention = false;
    bool second_layer_norm = false;  // the sentences show ln2 (before the MLP) instead of ln1
    float temperature = 1.0f;        // of the likeliest words that are listed, and of the next word that is drawn

    WindowState window;  // what lies open on the window, and what is asked of it

    bool more_to_compute = false;  // a view goes on with its numbers in the next frame

    /// What a view or a panel remembers by itself: own<FlowState>().all_heads.
    template <class T>
    T& own() {
        return owned_.of<T>();
    }
    template <class T>
    const T& own() const {
        return owned_.of<T>();
    }

    void on_model_changed() { owned_.on_model_changed(); }

private:
    OwnedStates owned_;
};

/// The word that a sentence is looked at from first: its homonym, or one that has something to look at.
int first_token(const ModelInfo& model, const WatchedSentence& sentence);

/// Puts layer, head and tokens back into range for the snapshot (a new sentence may be shorter), and lets the
/// explanation follow the chosen token where it should: to the same stage's number of that word, head and layer.
void settle(ViewState& state, const Snapshot& snapshot);

/// The block and head that a card shows.
HeadChoice head_of(const ViewState& state, int slot);
/// Whether a sentence is on the screen: both are, or one alone.
inline bool is_shown(const ViewState& state, int slot) { return state.compare || state.slot == slot; }
/// Whether the trace on screen has such a cell: what was pointed at in another model or sentence may not be there.
bool fits(const TracedCell& cell, const Snapshot& snapshot);
/// Of the card whose turn it is (see CardScope).
void choose_layer(ViewState& state, const Snapshot& snapshot, int layer);
void choose_head(ViewState& state, const Snapshot& snapshot, int layer, int head);
/// Opens where there is most to see: the head in which the chosen words of both sentences look hardest at one other
/// word.
void choose_strongest_head(ViewState& state, const Snapshot& snapshot);
/// Also makes `slot` the sentence that the keyboard acts on.
void choose_token(ViewState& state, const Snapshot& snapshot, int slot, int token);
/// Opens a number's explanation from the start: the trail is this cell alone.
void explain(ViewState& state, const TracedCell& cell);
/// Goes one operand deeper.
void explain_operand(ViewState& state, const Cell& cell);
/// One step back along the trail; false when there is nowhere to go.
bool explain_back(ViewState& state);

/// Node names of the chosen block: hook("attn.hook_q") is "blocks.0.attn.hook_q", or "blocks.0.cross_attn.hook_q"
/// where the attention to the source sentence is looked at.
std::string hook(const ViewState& state, const std::string& name);
/// The node of that name in the chosen block, or −1 where this model has none.
int hooked_node(const ViewState& state, const Trace& trace, const std::string& name);
/// Whether the chosen block has attention weights.
bool has_attention(const ViewState& state, const Trace& trace);
/// The key that `token` of `slot` attends to most in the chosen head, which may be the token itself; −1 without a
/// trace, and in models without attention.
int strongest_key(const ViewState& state, const Snapshot& snapshot, int slot, int token);
/// The cell pattern[query → key] of the chosen head; the block must have attention.
Cell pattern_cell(const ViewState& state, const Trace& trace, int query, int key);
/// Which of the two sentences a window shows that shows only one: of two with a word of two meanings that in which this
/// word reads another word more strongly, so that the first picture says which word tells the meaning. Else the first.
int telling_sentence(const ViewState& state, const Snapshot& snapshot);

}  // namespace glassformer::app
