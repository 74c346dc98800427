#include "app/views/sentence_views.h"

#include <array>
#include <vector>

#include "app/views/block_pattern.h"

namespace glassformer::app {

namespace {

constexpr std::array views{
    SentenceView{"Attention", "What the chosen word looks at in one head, number by number.", draw_attention_view,
                 nullptr, draw_painting_bar},
    SentenceView{"Flow", "Ribbons from the words that are read to the word that reads them.", draw_flow_view,
                 has_attention},
    SentenceView{"All heads", "The patterns of all heads of all blocks, side by side.", draw_heads_view, has_attention},
    SentenceView{"Q K V", "Every word's query, key and value in the chosen head, number by number.", draw_qkv_view,
                 has_qkv},
    SentenceView{"LayerNorm", "What a LayerNorm does to the chosen word's features, before and after.",
                 draw_norm_lens_view, has_norm},
    SentenceView{"MLP", "What each neuron makes of the chosen word, and what it argues for.", draw_mlp_view, has_mlp},
    SentenceView{"Logit lens", "If the model stopped after a block, which word would it say?", draw_logit_lens_view},
    SentenceView{"Who argued", "What each part of the model adds to the logit of a word.", draw_stream_view},
    SentenceView{"Positions", "How the model knows which word stands where.", draw_positions_view},
    SentenceView{"Embedding", "The vectors of all the words as a map, and the nearest words.", draw_embedding_view,
                 has_embedding},
    SentenceView{"Generate", "Let the model go on with the text, word by word.", draw_generate_view, has_generation},
    SentenceView{"What if", "Switch parts of the model off, and see what it says then.", draw_what_if_view, nullptr,
                 draw_what_if_switches},
    SentenceView{"Difference", "What B looks at more than A does, and what less.", draw_difference_view, has_difference,
                 nullptr, true},
    SentenceView{"Training", "The inside of the newest update: every parameter, one weight, what it learned from.",
                 draw_training_view, nullptr, nullptr, true},
};

bool offered(const Frame& frame, const SentenceView& view) { return !view.offered || view.offered(frame); }

}  // namespace

std::span<const SentenceView> sentence_views() { return views; }

void draw_view_tabs(const Frame& frame, const Box& box) {
    const Ui& ui = frame.ui;
    std::vector<std::string_view> names;
    std::vector<int> index;
    int selected = 0;
    float needed = 0;
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (!offered(frame, views[i])) continue;
        if (static_cast<int>(i) == frame.state.view) selected = static_cast<int>(names.size());
        names.push_back(views[i].name);
        index.push_back(static_cast<int>(i));
        needed += draw::text_size(ui, views[i].name, FontRole::small_bold).x + ui.px(10);
    }
    if (needed <= box.width()) {
        segmented(ui, "view", box.min, box.max, names, selected);
    } else {
        const int chosen = dropdown(ui, "view", box.min, {std::min(box.max.x, box.min.x + ui.px(220)), box.max.y},
                                    names[static_cast<std::size_t>(selected)], names, selected);
        if (chosen >= 0) selected = chosen;
    }
    frame.state.view = index[static_cast<std::size_t>(selected)];
}

}  // namespace glassformer::app
