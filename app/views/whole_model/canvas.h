#pragma once

#include <string>

#include "app/common/frame.h"
#include "app/ui/heat_texture.h"
#include "app/views/whole_model/canvas_camera.h"
#include "app/views/whole_model/canvas_reading.h"
#include "app/views/whole_model/forward_story.h"

/// What the pages of the whole model share: the context of one card in one frame, and a word's numbers as a tile.
namespace glassformer::app::views::whole_model {

/// The state of the view.
struct CanvasState {
    CanvasCamera camera;
    bool source = false;  ///< in the encoder: the three below replace ViewState's block, head and word
    int source_block = 0, source_head = 0, source_word = 0;
    bool difference = false;  ///< requested: the effect of the what-ifs, or B minus A
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
    const CanvasLayout& layout;  ///< of the page at level "model"
    Box view;                    ///< on the screen
    PagePlace place;             ///< of the page being drawn
    float unit = 1;              ///< screen pixels per page pixel at 100 %: more on a large screen
    bool difference = false;     ///< tiles and arcs show the difference from the trace that this one is compared with
    bool active = true;          ///< responds to the mouse and registers items; false during a transition

    const Ui& ui() const { return frame.ui; }
    const Theme& theme() const { return *frame.ui.theme; }
    const ModelInfo& model() const { return frame.model(slot); }
    int token() const { return frame.state.token[slot]; }
    /// The block that is looked at, on either side.
    int block() const { return state.source ? state.source_block : frame.state.layer; }
    int head() const { return state.source ? state.source_head : frame.state.head; }
    int word_looked_at() const { return state.source ? state.source_word : token(); }
    /// True if this block has attention weights.
    bool has_heads() const;
    /// A larger font if the page is larger than 100 %.
    FontRole font(FontRole role) const;
    /// True if any part of a box on the screen is visible.
    bool sees(const Box& box) const { return box.meets(view); }
    /// True if text of this font fits between two lines of the page that are `page_height` apart at zoom 1.
    bool room_for(FontRole font_role, float page_height) const {
        return active && page_height * place.sy >= ui().line(font_role) * 0.86f;
    }
    std::string_view item(const char* name) const {
        return ui().items->format("whole/%s/%s", Frame::letter(slot), name);
    }
    /// The word at a position of one side.
    std::string word(bool source, int position) const {
        return source ? frame.source_word(slot, position) : frame.word(slot, position);
    }
    /// True if the prediction at a position has to be guessed first.
    bool hides_said(int position) const;
};

/// The numbers of a word: `count` of a node's row, starting at `first`.
struct Tile {
    int node = -1, position = 0;
    std::int64_t first = 0, count = 0;
    HeatColours colours = HeatColours::signed_values;
    ImU32 border = 0;
    float border_width = 1;
    bool filled = true;  ///< false: only its frame, because it is not computed yet
};

/// Draws a tile over a box of the screen and registers it as an item under `label`: hovering over a number shows its
/// name, a click explains it. Returns the mouse's response.
Response draw_tile(const Canvas& canvas, const Tile& tile, const Box& box, std::string_view label);

/// Offers a control to the keyboard. Returns true, and draws a ring around the control, while it has the focus.
bool has_keyboard(const Canvas& canvas, std::string_view label, const Box& box);
/// Explains a number, unless it has to be guessed first.
void explain_number(const Canvas& canvas, const Cell& cell);
/// Where the arrow keys lead from cell `at` of a grid whose last row may be shorter; −1: no arrow key is pressed.
int moved_by_arrows(int at, int columns, int count);

/// Which attention a row shows.
AttentionTo attention_of(const CanvasRow& row);
/// True if the output of a row's head, or of its MLP, is switched off. Nothing in the encoder can be switched off.
bool head_is_off(const Canvas& canvas, const CanvasRow& row, int head);
bool mlp_is_off(const Canvas& canvas, const CanvasRow& row);
/// Number of a row's heads that are not off.
int heads_that_are_on(const Canvas& canvas, const CanvasRow& row);

/// The chosen word's strongest arc to another word in a row of attention, among heads that are not off; null if none.
const Arc* strongest_arc(const Canvas& canvas, const CanvasRow& row);

/// Why B's numbers minus A's cannot be shown; empty if they can.
std::string why_no_difference(const Frame& frame);

/// ⊕ on a lane.
void draw_plus(const Ui& ui, ImVec2 centre, float radius, ImU32 ink);

/// → from one matrix to the next, on a background of its own.
void draw_arrow(const Ui& ui, ImVec2 centre, float half);

/// The pages. Each is laid out as large as the view and drawn at canvas.place.
void draw_model_page(const Canvas& canvas);
void draw_block_page(const Canvas& canvas);
void draw_head_page(const Canvas& canvas);
void draw_number_page(const Canvas& canvas);

/// The middle of the page, to this distance from its centre on each side; `reach` is a share of the page.
inline Box middle_of_page(const Canvas& canvas, float reach) {
    const float w = canvas.view.width(), h = canvas.view.height();
    return {{w * (0.5f - reach), h * (0.5f - reach)}, {w * (0.5f + reach), h * (0.5f + reach)}};
}
/// The box of the chosen head on the page of its block.
Box head_on_block_page(const Canvas& canvas);

/// From the page of a block, zooms into what is under the mouse: a head, or the explained number.
void enter_from_block_page(const Canvas& canvas, ImVec2 mouse);

/// What the story says at a stage: one plain sentence with this sentence's own words and numbers.
std::string story_caption(const Canvas& canvas, const StoryStage& stage);

/// Draws the line above the pages: where the camera is, and its level. Returns its bottom.
float draw_canvas_header(const Canvas& canvas, const Box& box);
/// The line below the pages: what the colours mean, the clicked number, or the story. First its height; a low
/// card has it only for the story, which needs its caption and its controls.
float canvas_footer_height(const Ui& ui, const Box& box, bool story);
void draw_canvas_footer(const Canvas& canvas, const Box& box);
/// Draws a small picture of the whole model in a corner of the view, while only a part of it is visible.
void draw_minimap(const Canvas& canvas);

/// True if the mouse is over the picture, and nothing covers it there.
bool mouse_is_over(const Canvas& canvas);
/// Handles the wheel, double clicks and drags.
void read_canvas_mouse(const Canvas& canvas);
/// Moves one level closer (1) or further away (−1).
void step_level(const Frame& frame, int by);
/// See View::keys.
bool canvas_keys(const Frame& frame);

/// Chooses a head and zooms into it. `cross`: it reads the source sentence; `source`: it is in the encoder.
void open_head(const Canvas& canvas, int layer, int head, bool cross, bool source);
/// Zooms into the explained number; `on_page` is its box.
void open_number(const Canvas& canvas, const Box& on_page);

/// Draws what the stream after the block would predict, word by word (the logit lens), in a box of the page.
void draw_block_said(const Canvas& canvas, const Box& on_page);

/// The hint below the pages while nothing is clicked, as much as fits into `width`: what the chosen word reads most,
/// and what to do next.
std::string canvas_hint(const Canvas& canvas, float width);

}  // namespace glassformer::app::views::whole_model
