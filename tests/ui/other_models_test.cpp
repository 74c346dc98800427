#include <cmath>

#include "app/script/runner.h"
#include "app/views/layer_norm/norm_lens.h"
#include "app/views/registry.h"
#include "core/graph/graph.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::app::views::layer_norm;

namespace {

constexpr PixelSize card{900, 1500};

TransformerConfig small() {
    TransformerConfig c;
    c.d_vocab = 12, c.n_ctx = 9, c.d_model = 16, c.n_heads = 2, c.n_layers = 2, c.d_mlp = 32;
    return c;
}

/// Draws a sentence view of any model without a session: the trace is made here, and only the view is on screen.
class Bench {
public:
    explicit Bench(const TransformerConfig& config)
        : surface_(open_offscreen(card)), host_(*surface_, {1, ThemeKind::light}) {
        const TransformerGraph model = build_transformer(config, {1, 6});
        const auto parameters = std::make_shared<ParameterValues>(initial_parameters(*model.graph, 7));
        auto info = std::make_shared<ModelInfo>();
        info->config = config;
        snapshot_.model = info;
        for (std::size_t slot = 0; slot < 2; ++slot) {
            WatchedSentence& s = snapshot_.sentences[slot];
            for (int i = 0; i < 6 - static_cast<int>(slot); ++i)
                s.tokens.push_back({3 + (i * 5 + static_cast<int>(slot)) % 9, "word" + std::to_string(i)});
            std::vector<int> ids;
            for (const auto& token : s.tokens) ids.push_back(token.id);
            Tracer tracer(backend_, config);
            s.trace = tracer.trace(ids, parameters);
        }
        host_.ui().reduce_motion = true;
    }

    /// Draws the view of that name for a few frames. Returns false if the model does not offer it.
    bool draw(std::string_view name, const std::string& script = "frames 2") {
        for (const app::View& view : all_views()) {
            if (view.name != name) continue;
            const Frame frame{host_.ui(), snapshot_, state, send_};
            if (view.offered && !view.offered(frame)) return false;
            ScriptRunner runner(parse_script(script + "\nframes 1", "bench"));
            while (!runner.finished()) {
                host_.begin_frame([&] { runner.step(host_.items(), host_.ui().scale); });
                view.draw(frame, {{0, 0}, {static_cast<float>(card.width), static_cast<float>(card.height)}}, 0);
                ImGui::End();
                ImGui::Render();
                runner.after_frame();
            }
            CHECK(runner.message() == "");
            return true;
        }
        FAIL("no such view");
        return false;
    }
    double value(const std::string& label) const {
        const Item* item = host_.items().find(label);
        return item && item->value ? *item->value : std::nan("");
    }
    std::string text(const std::string& label) const {
        const Item* item = host_.items().find(label);
        return item ? std::string(item->text) : "";
    }
    bool shows(const std::string& label) const { return host_.items().find(label) != nullptr; }
    const Trace& trace() const { return *snapshot_.sentences[0].trace; }

    ViewState state;

private:
    CpuBackend backend_{1};
    std::unique_ptr<Offscreen> surface_;
    ImGuiHost host_;
    Snapshot snapshot_;
    std::function<void(Command)> send_ = [](const Command&) {};
};

double lens(const Bench& bench, const char* part) { return bench.value(std::string("A/norm value ") + part); }

}  // namespace

TEST_CASE("the lens of RMSNorm subtracts no mean") {
    TransformerConfig c = small();
    c.norm = NormKind::rms_norm;
    Bench bench(c);
    REQUIRE(bench.draw("LayerNorm"));
    CHECK_FALSE(bench.shows("A/norm before mean"));
    CHECK_FALSE(bench.shows("A/norm value mean"));
    CHECK_FALSE(bench.shows("A/norm value beta"));
    double squares = 0;
    const std::span<const float> x = bench.trace().values("blocks.0.hook_resid_pre").first(16);
    for (const float v : x) squares += static_cast<double>(v) * static_cast<double>(v) / 16;
    CHECK(bench.value("A/norm before deviation") == doctest::Approx(std::sqrt(squares)).epsilon(1e-5));
    CHECK(lens(bench, "x") == static_cast<double>(x[0]));
    CHECK(lens(bench, "gamma") * lens(bench, "x") / lens(bench, "scale") ==
          doctest::Approx(lens(bench, "out")).epsilon(1e-4));
}

TEST_CASE("the lens follows pre-LN and post-LN, a scalar γ and β, and batch norm") {
    for (const NormKind kind : {NormKind::layer_norm, NormKind::batch_norm})
        for (const NormPlacement placement : {NormPlacement::pre, NormPlacement::post, NormPlacement::stream_first}) {
            TransformerConfig c = small();
            c.norm = kind, c.norm_placement = placement, c.norm_scalar = kind == NormKind::layer_norm;
            CAPTURE(static_cast<int>(placement));
            Bench bench(c);
            bench.state.own<NormLensChoice>().feature = 5;
            bench.state.own<NormLensChoice>().final_norm = true;
            bench.state.token[0] = 2;
            REQUIRE(bench.draw("LayerNorm"));
            CHECK(bench.shows("A/norm/final") == (placement != NormPlacement::post));
            const std::string prefix = placement == NormPlacement::post ? "blocks.0.ln1" : "ln_final";
            CHECK(lens(bench, "out") == static_cast<double>(bench.trace().values(prefix + ".hook_out")[2 * 16 + 5]));
            CHECK(lens(bench, "gamma") * (lens(bench, "x") - lens(bench, "mean")) / lens(bench, "scale") +
                      lens(bench, "beta") ==
                  doctest::Approx(lens(bench, "out")).epsilon(1e-3));
        }
}

TEST_CASE("views are offered only for models that have what they show") {
    TransformerConfig plain = small();
    plain.norm_placement = NormPlacement::none;
    CHECK_FALSE(Bench(plain).draw("LayerNorm"));
    TransformerConfig recurrent = small();
    recurrent.family = Family::rnn, recurrent.positions = Positions::none, recurrent.activation = Activation::none;
    Bench bench(recurrent);
    CHECK_FALSE(bench.draw("Q K V"));
    CHECK(bench.draw("Positions"));
    CHECK(bench.text("A/positions kind") == "No positions");
    CHECK(bench.draw("Logit lens"));
    recurrent.positions = Positions::learned;
    Bench placed(recurrent);
    CHECK(placed.draw("Positions"));
    CHECK(placed.text("A/positions kind") == "Learned positions");
    TransformerConfig sorts = small();
    sorts.output = OutputKind::classes, sorts.d_output = 2;
    CHECK_FALSE(Bench(sorts).draw("Logit lens"));
}

TEST_CASE("q, k and v of a model with a shared projection, with none, and with values of another width") {
    for (const Projections projections : {Projections::separate, Projections::shared, Projections::none}) {
        TransformerConfig c = small();
        c.attention.projections = projections;
        c.attention.biases = false;
        if (projections == Projections::separate) c.attention.d_head = 6, c.attention.d_value = 4;
        Bench bench(c);
        bench.state.head = 1;
        REQUIRE(bench.draw("Q K V"));
        for (const char letter : {'q', 'k', 'v'}) {
            const std::string node = std::string("blocks.0.attn.hook_") + letter;
            const Shape shape = bench.trace().shape(bench.trace().graph().at(node));
            const std::span<const float> values = bench.trace().values(node);
            for (std::int64_t word = 0; word < shape[0]; ++word)
                for (std::int64_t i = 0; i < shape[2]; ++i)
                    CHECK(bench.value(std::string("A/") + letter + " matrix " + std::to_string(word) + " " +
                                      std::to_string(i)) ==
                          static_cast<double>(values[(word * shape[1] + 1) * shape[2] + i]));
        }
        const bool multiplied = contains(bench.text("A/qkv shapes"), "·");
        CHECK(multiplied == (projections != Projections::none));
        CHECK(!contains(bench.text("A/qkv shapes"), "b ["));
    }
}

TEST_CASE("fixed positions match the model's own") {
    for (const Positions kind : {Positions::sinusoidal, Positions::index, Positions::index_over_length}) {
        TransformerConfig c = small();
        c.positions = kind;
        Bench bench(c);
        REQUIRE(bench.draw("Positions"));
        const std::span<const float> code = bench.trace().values("hook_pos_embed");
        for (std::size_t p = 0; p < 6; ++p)
            for (std::size_t i = 0; i < 16; ++i)
                CHECK(bench.value("A/positions " + std::to_string(p) + " " + std::to_string(i)) ==
                      doctest::Approx(static_cast<double>(code[p * 16 + i])).epsilon(1e-6).scale(1));
        CHECK(bench.shows("A/positions 8 0") == (kind == Positions::sinusoidal));  // n_ctx rows, or one per word
        CHECK(bench.shows("A/beside sinusoidal") == (kind != Positions::sinusoidal));
        CHECK(bench.value("A/cosine 2 3") == bench.value("A/cosine 3 2"));
        if (kind != Positions::sinusoidal) CHECK(bench.value("A/cosine 1 4") == doctest::Approx(1));
    }
}

TEST_CASE("rotary positions show the angles by which the queries are rotated") {
    TransformerConfig c = small();
    c.positions = Positions::rotary;
    Bench bench(c);
    REQUIRE(bench.draw("Positions"));
    const std::span<const float> q = bench.trace().values("blocks.0.attn.hook_q"),
                                 turned = bench.trace().values("blocks.0.attn.hook_rot_q");
    for (std::size_t p = 0; p < 6; ++p)
        for (std::size_t pair = 0; pair < 4; ++pair) {
            const std::string cell = "A/positions " + std::to_string(p) + " ";
            const double cosine = bench.value(cell + std::to_string(2 * pair)),
                         sine = bench.value(cell + std::to_string(2 * pair + 1));
            const std::size_t at = p * 16 + 2 * pair;  // of head 0
            CHECK(static_cast<double>(q[at]) * cosine - static_cast<double>(q[at + 1]) * sine ==
                  doctest::Approx(static_cast<double>(turned[at])).epsilon(1e-5).scale(1));
        }
}

TEST_CASE("ALiBi shows what the model subtracts from its scores") {
    TransformerConfig c = small();
    c.positions = Positions::alibi;
    Bench bench(c);
    REQUIRE(bench.draw("Positions", "frames 2\nclick \"A/alibi 1 3\""));
    CHECK(bench.state.head == 1);
    const std::span<const float> before = bench.trace().values("blocks.0.attn.hook_attn_scores_scaled"),
                                 after = bench.trace().values("blocks.0.attn.hook_attn_scores_alibi");
    for (std::size_t head = 0; head < 2; ++head)
        for (std::size_t key = 0; key < 6; ++key) {
            const std::size_t at = (head * 6 + 2) * 6 + key, distance = key > 2 ? key - 2 : 2 - key;
            const double taken = bench.value("A/alibi " + std::to_string(head) + " " + std::to_string(distance));
            CHECK(static_cast<double>(after[at]) - static_cast<double>(before[at]) ==
                  doctest::Approx(taken).epsilon(1e-4).scale(1));
        }
    CHECK(bench.value("A/alibi distance 3") == bench.value("A/alibi 1 3"));
}
