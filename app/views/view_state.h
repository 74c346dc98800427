#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/snapshot.h"
#include "app/theme.h"
#include "app/views/generation_choice.h"
#include "app/views/leaving.h"
#include "app/views/norm_lens_choice.h"
#include "app/views/prediction.h"
#include "app/views/run_states.h"
#include "app/views/setup_state.h"
#include "app/views/training_look.h"

namespace glassformer::app {

class HeadSummaries;
class CardScope;
class PatternDifference;
class StageMotion;

/// The panel of a narrow window that explains a number (see layout.cpp).
inline constexpr int number_panel = 3, timeline_panel = 5;

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

/// A block and one of its heads.
struct HeadChoice {
    int layer = 0, head = 0;
    bool operator==(const HeadChoice&) const = default;
};

/// A sentence being typed.
struct SentenceEdit {
    bool open = false;        // the token row is a text field
    bool sent = false;        // Enter was pressed; closes when the worker could read it
    bool take_focus = false;  // the field was just opened
    std::string draft;
    std::string last_good;  // the newest sentence that could be read
};

/// The lessons, as far as the top bar and the keys need to know; lessons/lesson_runner.h acts on what is asked.
struct LessonMenu {
    std::vector<std::string> titles;
    int open = -1;  // the lesson that is being played
    enum class Ask { nothing, start, next, back, leave } ask = Ask::nothing;
    int which = -1, step = -1;  // to start, and where; −1: where it was left
};

/// The highlight of the stage strip on its way from one stage to the next.
struct StageGlide {
    int node = -1;  // of the stage that it goes to; −1 before the first
    ImVec2 from_min, from_max, to_min, to_max;
    double ends = 0;  // in ImGui's seconds
};

/// The command palette (app/palette).
struct PaletteState {
    enum class Page { everything, save, reset, keep, open_run, metrics, film };  // what its list offers
    bool open = false, take_focus = false;
    Page page = Page::everything;
    std::string query;
    int row = 0, first = 0;  // the chosen one of the list, and the first that is seen
};

/// What the window itself has to tell, until it is dismissed.
struct Notice {
    std::string text;
    bool good = false;  // something worked; else something could not be done
};

/// A model, a run or a table on its way to a folder or file, or back.
struct Saving {
    std::string folder;               // empty: none
    std::string done;                 // what to tell when it worked; empty: that the model is saved there
    std::uint64_t errors_before = 0;  // Snapshot::error_number when it was asked for
};

class LensReading;      // lens_reading.h
class ArgumentReading;  // argument_reading.h

/// The word that "Who argued" asks about, chosen for one place of one sentence.
struct ArguedWord {
    std::string sentence;
    int token = -1, word = -1;  // −1: the model's likeliest word there
    std::string draft;          // being typed
    bool unknown = false;       // what was entered is no word of the model's
};

/// A row of a pattern that is being painted by keyboard and not applied yet (what_if_paint_keys.h).
struct RowDraft {
    int slot = -1, query = -1, key = -1;  // whose row, and which key has the focus
    HeadChoice head;
    bool cross = false;                // of the attention to the source sentence
    std::vector<float> weights, base;  // [key]: as they would be, and as they were when the focus came to this key
    bool changed = false;
    bool reveal = false;  // the focus has been moved: scrolled areas bring it into sight
};

/// A row of a pattern being painted by hand.
struct RowPainting {
    bool on = false;              // clicks on a pattern paint; else only with Shift
    int slot = -1;                // of the pattern under the mouse button; −1 when none
    int query = -1, key = -1;     // the cell that was pressed
    float start = 0, from_y = 0;  // its weight then, and where the mouse was
    bool dragged = false;
    RowDraft draft;
};

/// What is patched from the other sentence, chosen for one pair of sentences.
struct PatchChoice {
    int node = 0;               // PatchedNode
    int word = -1, minus = -1;  // whose difference of logits is looked at; −1: the likeliest of either sentence
    std::array<std::string, 2> sentences;
};

/// What is under the mouse in a picture of the position codes: a pair of positions, or a distance; −1 where none is.
struct PositionPlace {
    int first = -1, second = -1, distance = -1;
};

/// Which part of a large grid is seen.
struct GridView {
    float cell = 0;        // pixels at 100 % from cell to cell; 0: the whole grid is seen
    float x = 0, y = 0;    // the place in the middle of its window, in cells
    int row = -1;          // the chosen one that it was moved to last
    bool dragged = false;  // the mouse button moves it: what it is released on is not clicked
};

/// The map of the embedding (embedding_view.h).
struct EmbeddingLook {
    bool solid = false;                  // three dimensions, which can be turned; else two
    float yaw = 0.0f, pitch = 0.0f;      // radians
    std::array<int, 2> word{-1, -1};     // by card: the one whose neighbours are listed; −1: the chosen token's
    std::array<int, 2> token{-1, -1};    // by card: the place that was chosen then
    std::array<int, 2> pointed{-1, -1};  // by card: the word under the mouse in the last frame, and in this
    std::array<int, 2> pointing{-1, -1};
    bool seen = false;                  // it is on screen in this frame
    std::array<int, 2> wanted{-1, -1};  // whose neighbours it shows
    bool asked_seen = false;            // the same, as they were asked for last
    std::array<int, 2> asked{-1, -1};
};

/// What the person has chosen to look at. Plain values; the window owns it, views read it and change it through the
/// functions below.
struct ViewState {
    int layer = 0, head = 0;     // of A, unless a CardScope says otherwise
    HeadChoice other_head;       // of the other card, where two heads are compared; else the choice is of both
    int card = 0;                // whose layer and head they are just now
    CardScope* scope = nullptr;  // that says so, while one lives (card_scope.h)
    Comparing comparing;         // what the snapshot compares, since settle()
    int view = 0;                // which of sentence_views() the sentences show
    int slot = 0;                // the sentence that the keyboard acts on
    std::array<int, 2> token{};  // chosen token of A and B
    bool compare = true;         // A and B side by side; else only `slot`
    bool presenter = false;      // larger text, quieter chrome
    ThemeKind theme = ThemeKind::light;
    float scale = 1.0f;
    bool reduce_motion = false;

    std::vector<TracedCell> trail;  // the explained number and how we got there: back() is on screen
    TracedCell hovered;   // the cell that was under the mouse, node −1 when there was none: lit in every view
    TracedCell hovering;  // the same, being found out in this frame by the view that has the mouse
    TracedCell linked;    // what the hovered one is compared with, in the other card: lit too (linked_cards.h)
    WordPlace hovered_word, hovering_word, linked_word;  // the same of the word under the mouse

    PositionPlace hovered_positions, hovering_positions;  // the same in the pictures of the position codes

    std::array<SentenceEdit, 2> edit;
    /// In a translating model "attn" means the attention to the source sentence (else to the translation so far); set
    /// by settle() for other models.
    bool cross_attention = false;
    const ModelInfo* model = nullptr;  // that the choices were made for
    bool second_layer_norm = false;    // the sentences show ln2 (before the MLP) instead of ln1
    NormLensChoice norm_lens;
    TrainingLook training;
    bool beside_sinusoidal = false;  // learned positions are compared with sines and cosines

    int lens_words = 5;        // how many of the likeliest words the logit lens lists
    float temperature = 1.0f;  // of that list, and of the next word that is drawn
    GenerationChoice generation;
    std::array<int, 2> hiding{-1, -1};         // the place that was asked to be hidden, until it is
    std::array<int, 2> lens_scrolled{-1, -1};  // the token that the lens was scrolled to last
    std::array<ArguedWord, 2> argued;
    int argued_against = 1;  // the logit itself, less the mean of all, less the runner-up
    // Computed once from a sentence's trace, and kept as long as that is on screen.
    std::array<std::shared_ptr<LensReading>, 2> lens;
    std::array<std::shared_ptr<ArgumentReading>, 2> argument;
    bool flow_all_heads = true;            // the flow shows all heads of the block; else the chosen one
    bool flow_cross = false;               // the flow of a translation comes from its source sentence
    std::array<GridView, 2> pattern_view;  // of long sentences
    int zoom_asked = 0;  // by keyboard, of the pattern of `slot`: closer (1), further (−1), whole (2)
    std::array<std::shared_ptr<HeadSummaries>, 2> head_summaries;  // of the traces on screen, made when they are shown
    std::shared_ptr<PatternDifference> difference;                 // of the two cards, made when it is shown
    int neurons_looked_at = -1, neurons_asked = -1;                // the block whose neurons are on screen
    bool more_to_compute = false;                                  // a view goes on with its numbers in the next frame

    EmbeddingLook embedding;

    int narrow_panel = 1;            // which panel a narrow window shows
    float yaw = 0.0f, pitch = 0.0f;  // of the meaning map, radians
    int side_panel = 0;              // of the right column where there is room for one: 0 the meaning map, 1 words
    int meaning_layer = -1;          // of the meaning map: 0 the embedding, l + 1 after block l; −1 follows `layer`
    TimelineState timeline;
    std::int64_t step_asked = -1;  // travelled to last, and at which snapshot: a drag asks once a step
    std::uint64_t step_asked_at = 0;
    std::uint64_t seed_asked = 0, seed_asked_at = 0;  // so that two quick clicks on + count twice
    bool follow_strongest = true;             // the explanation follows the chosen token until a cell is clicked
    std::string stage = "attn.hook_pattern";  // of which stage it shows the number (Stage::hook)
    StageGlide glide;
    std::shared_ptr<StageMotion> motion;  // of the numbers that a step puts together; the window makes it
    std::uint64_t dismissed_error = 0;
    bool help = false;
    LessonMenu lessons;
    PredictFirst predict;

    /// The changes to the model that were asked for, until the snapshot shows what came of them.
    std::optional<std::vector<WhatIf>> what_if_asked;
    RowPainting painting;
    std::array<PatchChoice, 2> patch;  // into A, into B

    SetupState setup;
    std::optional<TrainingSetup> last_setup;  // that a run was begun with; remembered from start to start
    RunningState running;
    FieldDraft draft;
    Leaving leaving;

    PaletteState palette;
    std::string term;    // of the glossary, whose card is open
    int undo_asked = 0;  // changes of view to take back (below 0) or to make again (above 0)
    bool can_undo = false, can_redo = false;
    Notice notice;
    Saving saving;
};

/// The word that a sentence is looked at from first: its homonym, or one that has something to look at.
int first_token(const ModelInfo& model, const WatchedSentence& sentence);

/// Puts layer, head and tokens back into range for the snapshot (a new sentence may be shorter), and lets the
/// explanation follow the chosen token where it should: to the same stage's number of that word, head and layer.
void settle(ViewState& state, const Snapshot& snapshot);

/// The block and head that a card shows.
HeadChoice head_of(const ViewState& state, int slot);
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

}  // namespace glassformer::app
