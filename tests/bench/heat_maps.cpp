#include <epoxy/gl.h>
#include <imgui.h>

#include "app/ui/heat_texture.h"
#include "app/ui/input.h"
#include "app/window/imgui_host.h"
#include "core/backend/gl/gl_backend.h"
#include "core/base/error.h"
#include "core/graph/hook_names.h"
#include "core/nn/transformer.h"
#include "core/trace/resident_trace.h"
#include "tests/bench/bench.h"

namespace glassformer::app::bench {

namespace {

constexpr int shown_layers = 12, shown_heads = 12, shown_tokens = 512;
constexpr PixelSize picture{1600, 1000};

/// A framebuffer in the current context, which is the backend's own.
class Canvas final : public Surface {
public:
    Canvas() {
        glGenRenderbuffers(1, &colour_);
        glBindRenderbuffer(GL_RENDERBUFFER, colour_);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, picture.width, picture.height);
        glGenFramebuffers(1, &framebuffer_);
        Canvas::bind_target();
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour_);
    }
    ~Canvas() override {
        glDeleteFramebuffers(1, &framebuffer_);
        glDeleteRenderbuffers(1, &colour_);
    }
    void make_current() override {}
    PixelSize size() const override { return picture; }
    float content_scale() const override { return 1; }
    int gl_version() const override { return 43; }
    void attach_imgui() override { map_keys_for_offscreen(); }
    void detach_imgui() override {}
    void new_imgui_frame() override {
        ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(picture.width), static_cast<float>(picture.height));
        ImGui::GetIO().DeltaTime = 1.0f / 60;
    }
    void bind_target() override {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glViewport(0, 0, picture.width, picture.height);
    }
    void present() override { glFinish(); }
    bool wait_for_events(bool) override { return true; }
    void request_redraw() override {}
    bool should_close() const override { return false; }
    void cancel_close() override {}
    std::unique_ptr<SharedContext> create_shared_context() override { throw Error("a benchmark has one context"); }

private:
    unsigned framebuffer_ = 0, colour_ = 0;
};

/// The patterns of a model with small heads, in the buffers where its shaders left them.
struct Patterns {
    std::unique_ptr<Execution> run;
    std::vector<int> nodes;  // by layer
    std::shared_ptr<const ResidentTrace> resident;

    explicit Patterns(GlBackend& gl) {
        TransformerConfig c;
        c.family = Family::decoder;
        c.d_vocab = 64, c.n_ctx = shown_tokens, c.d_model = 96, c.n_heads = shown_heads, c.n_layers = shown_layers,
        c.d_mlp = 96;
        const TransformerGraph model = build_transformer(c, {1, shown_tokens});
        for (int layer = 0; layer < shown_layers; ++layer)
            nodes.push_back(model.graph->at(block_hook(layer, "attn.hook_pattern")));
        run = gl.prepare(model.graph, {nodes, -1});
        std::vector<float> tokens(shown_tokens);
        for (std::size_t p = 0; p < tokens.size(); ++p) tokens[p] = static_cast<float>(p * 11 % 64);
        run->set_input(model.tokens, tokens);
        run->set_input(model.key_mask, std::vector<float>(shown_tokens, 1.0f));
        gl_run(*run, initial_parameters(*model.graph, 1));
        std::vector<ResidentTrace::Node> places(model.graph->nodes().size());
        for (const int node : nodes) {
            const GlPlace place = gl_place(*run, node);
            places[node].values = {place.buffer, place.first};
        }
        resident = std::make_shared<ResidentTrace>(std::move(places), nullptr);
    }
};

void draw_heads(const Ui& ui, const Patterns& patterns) {
    const ImVec2 cell{static_cast<float>(picture.width) / shown_heads,
                      static_cast<float>(picture.height) / shown_layers};
    for (int layer = 0; layer < shown_layers; ++layer)
        for (int head = 0; head < shown_heads; ++head) {
            const ImVec2 min{cell.x * static_cast<float>(head), cell.y * static_cast<float>(layer)};
            const HeatMatrix matrix{
                shown_tokens,
                shown_tokens,
                {},
                shown_tokens,
                HeatColours::attention,
                1,
                {},
                {patterns.resident, patterns.nodes[layer], std::int64_t{head} * shown_tokens * shown_tokens}};
            draw_heat(ui, matrix, {min, {min.x + cell.x - 2, min.y + cell.y - 2}});
        }
}

nlohmann::json measure(GlBackend& gl) {
    const Patterns patterns(gl);
    Canvas canvas;
    ImGuiHost host(canvas);
    host.ui().heat->reside(patterns.resident, patterns.resident);
    Times times;
    for (int i = 0; i < (gl.software() ? 5 : 60); ++i) {
        host.begin_frame();
        draw_heads(host.ui(), patterns);
        const Clock::time_point start = Clock::now();
        host.end_frame_and_draw();
        canvas.present();
        if (i >= 2) times.ms.push_back(elapsed_ms(start));
    }
    return {{"heads", shown_layers * shown_heads}, {"tokens", shown_tokens}, {"draw_ms", times.median()}};
}

}  // namespace

nlohmann::json heat_maps(GlBackend& gl) {
    try {
        return measure(gl);
    } catch (const Error& e) {
        return {{"note", e.what()}};
    }
}

}  // namespace glassformer::app::bench
