#pragma once

#include <string>

#include "app/common/frame.h"
#include "app/ui/heat_texture.h"
#include "app/views/whole_model/canvas_camera.h"
#include "app/views/whole_model/canvas_reading.h"
#include "app/views/whole_model/forward_story.h"

/// What the pages of the whole model share: the context of one card in one frame, and a word's numbers as a tile.
namespace glassformer::app::views::whole_model {

/// What the view remembers.
struct CanvasState {
    CanvasCamera camera;
    bool source = false;  ///< the block that is looked at is of the encoder: the one below, not ViewState's
    int source_block = 0, source_head = 0, source_word = 0;
    bool difference = false;  ///< is wanted: what the what-ifs have changed, or B minus A
    ForwardStory story;
    Box anchor{};  ///< of the number that was zoomed into, on the page of its level
    CanvasLevel number_from = CanvasLevel::head;
    ImVec2 dragged{0, 0};

    void on_model_changed() {
        camera = {};
        source = difference = false;
        source_block = source_head = source_word = 0;
        story = {};
    }
};

/// One card's canvas in one frame.
struct Canvas {
    const Frame& frame;
    int slot;
    const Trace& trace;
    CanvasReading& reading;
    CanvasState& state;
    const CanvasLayout& layout;  ///< of the page of level "model"
    Box view;                    ///< on the screen
    PagePlace place;             ///< of the page that is drawn
    float unit = 1;              ///< pixels of what is one pixel of the pages at 100 %: more on a large screen
    bool difference = false;     ///< tiles and arcs show how much they differ from what the trace is compared with
    bool active = true;          ///< answers the mouse and is items; not in the midst of a motion

    const Ui& ui() const { return frame.ui; }
    const Theme& theme() const { return *frame.ui.theme; }
    const ModelInfo& model() const { return frame.model(slot); }
    int token() const { return frame.state.token[slot]; }
    /// What is looked at closer, on whichever side.
    int block() const { return state.source ? state.source_block : frame.state.layer; }
    int head() const { return state.source ? state.source_head : frame.state.head; }
    int word_looked_at() const { return state.source ? state.source_word : token(); }
    /// Whether its block has attention weights.
    bool has_heads() const;
    /// A larger font on a page that is larger than 100 %.
    FontRole font(FontRole role) const;
    /// Whether any of a box of the screen is in sight.
    bool sees(const Box& box) const { return box.meets(view); }
    /// Whether words of this height have room between two lines of the page that are as far apart at zoom 1.
    bool room_for(FontRole font_role, float page_height) const {
        return active && page_height * place.sy >= ui().line(font_role) * 0.86f;
    }
    std::string_view item(const char* name) const {
        return ui().items->format("whole/%s/%s", Frame::letter(slot), name);
    }
    /// The word at a position of a side.
    std::string word(bool source, int position) const {
        return source ? frame.source_word(slot, position) : frame.word(slot, position);
    }
    /// Whether what is said at a position is to be guessed first.
    bool hides_said(int position) const;
};

/// A word's numbers: `count` of a node's row, from `first` on.
struct Tile {
    int node = -1, position = 0;
    std::int64_t first = 0, count = 0;
    HeatColours colours = HeatColours::signed_values;
    ImU32 border = 0;
    float border_width = 1;
    bool filled = true;  ///< else only its frame: it is not computed yet
};

/// Draws a tile over a box of the screen, and makes it an item under `label`: the number under the mouse says its name
/// and is explained on a click. Returns whether the mouse is on it.
Response draw_tile(const Canvas& canvas, const Tile& tile, const Box& box, std::string_view label);

/// Offers a control to the keyboard; true, and a ring around it, while it has the focus.
bool has_keyboard(const Canvas& canvas, std::string_view label, const Box& box);
/// A number is explained, unless it is to be guessed first.
void explain_number(const Canvas& canvas, const Cell& cell);
/// Where the arrow keys lead from cell `at` of a grid whose last row may be shorter; −1: none is pressed.
int moved_by_arrows(int at, int columns, int count);

/// Which attention a row of it is.
AttentionTo attention_of(const CanvasRow& row);
/// Whether nothing of that head of a row goes on, or of a row's MLP; of the encoder nothing can be switched off.
bool head_is_off(const Canvas& canvas, const CanvasRow& row, int head);
bool mlp_is_off(const Canvas& canvas, const CanvasRow& row);
/// How many of a row's heads are not off.
int heads_that_are_on(const Canvas& canvas, const CanvasRow& row);

/// The strongest arc of the chosen word to another word in a row of attention, in a head that is not off; or null.
const Arc* strongest_arc(const Canvas& canvas, const CanvasRow& row);

/// Why B's numbers less A's cannot be shown; empty where they can.
std::string why_no_difference(const Frame& frame);

/// ⊕ on a lane.
void draw_plus(const Ui& ui, ImVec2 centre, float radius, ImU32 ink);

/// → from one matrix to the next, on ground of its own.
void draw_arrow(const Ui& ui, ImVec2 centre, float half);

/// The pages. Each is laid out for a page as large as the view and drawn at canvas.place.
void draw_model_page(const Canvas& canvas);
void draw_block_page(const Canvas& canvas);
void draw_head_page(const Canvas& canvas);
void draw_number_page(const Canvas& canvas);

/// The middle of the page: so far from its centre, as a share of the page.
inline Box middle_of_page(const Canvas& canvas, float reach) {
    const float w = canvas.view.width(), h = canvas.view.height();
    return {{w * (0.5f - reach), h * (0.5f - reach)}, {w * (0.5f + reach), h * (0.5f + reach)}};
}
/// Where the chosen head is on the page of its block.
Box head_on_block_page(const Canvas& canvas);

/// Goes closer to what is at a place of the screen: of a block's page to a head, or to the number that is explained.
void enter_from_block_page(const Canvas& canvas, ImVec2 mouse);

/// What the story tells at a stage, in one plain sentence with this sentence's own words and numbers.
std::string story_caption(const Canvas& canvas, const StoryStage& stage);

/// The line above the pages: where the camera is, and how near. Returns its bottom.
float draw_canvas_header(const Canvas& canvas, const Box& box);
/// The line below them: what the colours mean, the number that was clicked, or the story. Its height first.
float canvas_footer_height(const Ui& ui, const Box& box);
void draw_canvas_footer(const Canvas& canvas, const Box& box);
/// A small picture of the whole in a corner of the view, while only a part of it is seen.
void draw_minimap(const Canvas& canvas);

/// The wheel, a double click, a drag.
void read_canvas_mouse(const Canvas& canvas);
/// A level closer (1) or further away (−1).
void step_level(const Frame& frame, int by);
/// Of a view's keys; see View::keys.
bool canvas_keys(const Frame& frame);

/// A block's head is looked at closer: it is chosen. `cross`: it reads the source sentence; `source`: it is of the side
/// that encodes it.
void open_head(const Canvas& canvas, int layer, int head, bool cross, bool source);
/// The number is looked at closer; `on_page` is where it stands.
void open_number(const Canvas& canvas, const Box& on_page);

/// What the stream after the block would say, word by word (the logit lens), in a box of the page.
void draw_block_said(const Canvas& canvas, const Box& on_page);

/// What the line below the pages says as long as nothing is clicked: what the chosen word reads most, and what to do
/// next, as much of it as fits into `width`.
std::string canvas_hint(const Canvas& canvas, float width);

}  // namespace glassformer::app::views::whole_model
