// The lines of Python that a user can copy from the screen run, and print what the trace says.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/rng.h"
#include "core/io/checkpoint.h"
#include "core/io/model_files.h"
#include "core/io/safetensors.h"
#include "core/trace/python.h"
#include "core/trace/tracer.h"
#include "tests/core/temporary_folder.h"
#include "tests/ops/variants.h"

using namespace glassformer;

namespace {

/// Runs many programs in one Python, and prints the output of each in a line.
constexpr const char* runner = R"py(
import contextlib, io, sys
for program in open(sys.argv[1]).read().split("\n#----\n")[:-1]:
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(program, "copied", "exec"), {})
        print(out.getvalue().strip().replace("\n", " "))
    except Exception as e:
        print("error", repr(e), repr(program.splitlines()[0]))
)py";

using ops::PythonLibrary;

/// Whether this machine's Python has the library; reports it if not.
bool have(PythonLibrary library) {
    const std::string name = library == PythonLibrary::torch ? "torch" : "numpy";
    if (std::system(("/usr/bin/python3 -c 'import " + name + "' 2>/dev/null").c_str()) == 0) return true;
    MESSAGE("skipped: Python has no " << name << " here (Debian: apt install python3-" << name << ")");
    return false;
}

struct Asked {
    std::string what;
    double traced, size;  // the largest number of its node
};

/// Programs for every node except inputs and the loss, each for some of its cells.
class Programs {
public:
    Programs(const std::filesystem::path& folder, PythonLibrary library)
        : folder_(folder), library_(library), list_(folder / "programs") {}

    void add(const std::string& name, const Trace& trace, const PythonModel& model, int cells) {
        const Graph& graph = trace.graph();
        for (int node = 0; node < static_cast<int>(graph.nodes().size()); ++node) {
            if (graph.role(node) == OpRole::loss || graph[node].name.starts_with("loss")) continue;
            if (graph[node].kind == NodeInfo::Kind::input) continue;
            const std::span<const float> values = trace.values(node);
            double size = 1;
            for (const float v : values)
                if (std::isfinite(v)) size = std::max(size, std::abs(static_cast<double>(v)));
            for (int i = 0; i < cells; ++i) {
                const auto offset = static_cast<std::int64_t>(rng_.below(static_cast<std::uint32_t>(values.size())));
                list_ << python_for(trace, {node, offset}, model, graph[node].name, library_) << "\n#----\n";
                asked_.push_back(
                    {name + ": " + trace.address({node, offset}), static_cast<double>(values[offset]), size});
            }
        }
    }

    /// Returns "" or the first five differences.
    std::string run() {
        list_.close();
        const std::string script = (folder_ / "run.py").string();
        std::ofstream(script) << runner;
        const std::string command = "/usr/bin/python3 " + script + " " + (folder_ / "programs").string();
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(popen(command.c_str(), "r"), pclose);
        char line[4096];
        std::string wrong;
        std::size_t i = 0, found = 0;
        for (; out && std::fgets(line, sizeof line, out.get()) && i < asked_.size(); ++i) {
            const Asked& asked = asked_[i];
            char* end = nullptr;
            const double said = std::strtod(line, &end);
            const bool same =
                end != line && (said == asked.traced || std::abs(said - asked.traced) <= 1e-5 * asked.size);
            if (!same && ++found <= 5)
                wrong += asked.what + " is " + std::to_string(asked.traced) + ", Python says " + line;
        }
        if (i != asked_.size()) wrong += std::to_string(asked_.size() - i) + " programs printed nothing";
        return wrong;
    }
    std::size_t count() const { return asked_.size(); }

private:
    std::filesystem::path folder_;
    PythonLibrary library_;
    std::ofstream list_;
    std::vector<Asked> asked_;
    Rng rng_{5};
};

/// Describes the folder's own files and tensor names.
PythonModel of_folder(const std::filesystem::path& folder, const Graph& graph) {
    const FolderLayout found = layout_in(folder, graph);
    return {found.files, "", parameters_in_python(graph, found.layout)};
}

}  // namespace

TEST_CASE("the Python of every node of every architecture computes the trace's values") {
    PythonLibrary library = PythonLibrary::numpy;
    SUBCASE("with NumPy") {}
    SUBCASE("with PyTorch") { library = PythonLibrary::torch; }
    if (!have(library)) return;
    const TemporaryFolder folder;
    Programs programs(folder.path(), library);
    CpuBackend backend(1);
    for (const testing::Variant& variant : testing::variants()) {
        const bool translates = variant.config.family == Family::encoder_decoder;
        const auto model = build_transformer(variant.config, {1, 1, translates ? 1 : 0});
        std::vector<float> values = initial_parameters(*model.graph, 3);
        Rng rng(8);
        for (float& value : values) value += static_cast<float>(0.15 * rng.normal());
        const auto parameters = std::make_shared<ParameterValues>(std::move(values));
        TraceInput input;
        if (variant.config.d_input > 0)
            for (int i = 0; i < 5 * variant.config.d_input; ++i)
                input.values.push_back(static_cast<float>(rng.normal()));
        else
            input.tokens = {1, 3, 2, 3, 4};
        if (translates) input.source_tokens = {2, 1, 3, 1};
        Tracer tracer(backend, variant.config);
        const auto trace = tracer.trace(input, parameters);
        const std::string file = (folder / (variant.name + ".safetensors")).string();
        const TensorLayout layout = saved_layout(variant.config, false, trace->graph());
        write_safetensors(file, store(*model.graph, layout, *parameters));
        programs.add(variant.name, *trace, {{file}, "", parameters_in_python(trace->graph(), layout)}, 1);
    }
    CHECK(programs.count() > 1000);
    CHECK(programs.run() == "");
}

TEST_CASE("the Python of the shipped and hand-made models computes their traces, from their files") {
    PythonLibrary library = PythonLibrary::numpy;
    SUBCASE("with NumPy") {}
    SUBCASE("with PyTorch") { library = PythonLibrary::torch; }
    if (!have(library)) return;
    const TemporaryFolder folder;
    Programs programs(folder.path(), library);
    CpuBackend backend(1);
    for (const char* name : {"homonyms", "order", "translation", "induction", "regression", "next_word", "by_hand",
                             "by_hand_search", "by_hand_wide"}) {
        CAPTURE(name);
        const std::filesystem::path place = std::string(GLASSFORMER_SOURCE_DIR "/assets/models/") + name;
        const Checkpoint checkpoint = load_checkpoint(place);
        TraceInput input;
        if (checkpoint.config.d_input > 0)
            for (int i = 0; i < 4 * checkpoint.config.d_input; ++i)
                input.values.push_back(0.3f * static_cast<float>(i % 7) - 1);
        else
            input.tokens = {1, 3, 2};
        if (checkpoint.config.family == Family::encoder_decoder) input.source_tokens = {2, 4, 3, 5};
        Tracer tracer(backend, checkpoint.config);
        const auto trace = tracer.trace(input, checkpoint.parameters);
        programs.add(name, *trace, of_folder(place, trace->graph()), 3);
    }
    CHECK(programs.count() > 500);
    CHECK(programs.run() == "");
}

TEST_CASE("the Python of published folders computes their traces, from the folders' own files") {
    PythonLibrary library = PythonLibrary::numpy;
    SUBCASE("with NumPy") {}
    SUBCASE("with PyTorch") { library = PythonLibrary::torch; }
    if (!have(library)) return;
    const TemporaryFolder folder;
    Programs programs(folder.path(), library);
    CpuBackend backend(1);
    const auto add = [&](const std::string& name, const std::filesystem::path& place) {
        CAPTURE(name);
        const Checkpoint checkpoint = load_checkpoint(place);
        TraceInput input{{1, 3, 2, 5, 3}};
        if (checkpoint.config.d_token_types > 1) input.token_types = {0, 0, 0, 1, 1};
        Tracer tracer(backend, checkpoint.config);
        const auto trace = tracer.trace(input, checkpoint.parameters);
        programs.add(name, *trace, of_folder(place, trace->graph()), 2);
    };
    const std::filesystem::path golden = GLASSFORMER_SOURCE_DIR "/tests/golden";
    int folders = 0;
    for (const auto& entry : std::filesystem::directory_iterator(golden / "hugging_face"))
        add(entry.path().filename().string(), entry.path()), ++folders;
    CHECK(folders >= 14);
    for (const char* name : {"gpt2_tiny", "gpt2_tiny_untied", "torch_file"}) add(name, golden / name);

    // In shards, and without the prefix that most folders have.
    const Safetensors whole = read_safetensors(golden / "gpt2_tiny" / "model.safetensors");
    const std::filesystem::path shards = folder / "shards";
    std::filesystem::create_directory(shards);
    std::filesystem::copy(golden / "gpt2_tiny" / "config.json", shards / "config.json");
    std::string index;
    for (const std::size_t which : {0u, 1u}) {
        Safetensors part;
        const std::string file = "model-0000" + std::to_string(which + 1) + "-of-00002.safetensors";
        for (std::size_t i = which; i < whole.tensors.size(); i += 2) {
            part.tensors.push_back(whole.tensors[i]);
            std::string& name = part.tensors.back().name;
            if (name.starts_with("transformer.")) name.erase(0, std::strlen("transformer."));
            index += (index.empty() ? "" : ", ") + ("\"" + name + "\": \"" + file + "\"");
        }
        write_safetensors(shards / file, part);
    }
    std::ofstream(shards / "model.safetensors.index.json") << "{\"weight_map\": {" << index << "}}";
    add("shards", shards);
    CHECK(programs.count() > 1000);
    CHECK(programs.run() == "");
}

namespace {

/// The first Gemma as its paper and its published definition describe it (arXiv:2403.08295), written separately from
/// ours: norms with 1 + γ, keys and values shared by all heads, GELU by tanh as a gate, an embedding × √d.
constexpr const char* gemma_in_numpy = R"py(
import json, sys
import numpy as np

folder = sys.argv[1]
c = json.load(open(folder + "/config.json"))
with open(folder + "/model.safetensors", "rb") as f:
    header = json.loads(f.read(int.from_bytes(f.read(8), "little")))
    data = f.read()
w = {n: np.frombuffer(data[slice(*t["data_offsets"])], np.float32).reshape(t["shape"]).astype(float)
     for n, t in header.items() if n != "__metadata__"}
heads, width, tokens = c["num_attention_heads"], c["head_dim"], [1, 3, 2, 5, 3]

def norm(x, name):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + c["rms_norm_eps"]) * (1 + w[name])

def turn(x):  # [position, head, width]
    half = width // 2
    angle = np.arange(len(x))[:, None] / c["rope_theta"] ** (np.arange(half) * 2 / width)
    cos, sin = (np.tile(f(angle), 2)[:, None, :] for f in (np.cos, np.sin))
    return x * cos + np.concatenate([-x[..., half:], x[..., :half]], -1) * sin

x = w["model.embed_tokens.weight"][tokens] * c["hidden_size"] ** 0.5
for layer in range(c["num_hidden_layers"]):
    p = f"model.layers.{layer}."
    y = norm(x, p + "input_layernorm.weight")
    q = turn((y @ w[p + "self_attn.q_proj.weight"].T).reshape(len(x), heads, width))
    k = turn((y @ w[p + "self_attn.k_proj.weight"].T).reshape(len(x), 1, width))
    v = (y @ w[p + "self_attn.v_proj.weight"].T).reshape(len(x), 1, width)
    z = np.zeros_like(q)
    for i in range(len(x)):
        for h in range(heads):
            s = k[: i + 1, 0] @ q[i, h] / width**0.5
            e = np.exp(s - s.max())
            z[i, h] = e / e.sum() @ v[: i + 1, 0]
    x = x + z.reshape(len(x), -1) @ w[p + "self_attn.o_proj.weight"].T
    y = norm(x, p + "post_attention_layernorm.weight")
    g = y @ w[p + "mlp.gate_proj.weight"].T
    g = 0.5 * g * (1 + np.tanh((2 / np.pi) ** 0.5 * (g + 0.044715 * g**3)))
    x = x + (g * (y @ w[p + "mlp.up_proj.weight"].T)) @ w[p + "mlp.down_proj.weight"].T
for logit in (norm(x, "model.norm.weight") @ w["model.embed_tokens.weight"].T).ravel():
    print(logit)
)py";

/// Writes a folder of the first Gemma with random weights.
void write_gemma(const std::filesystem::path& folder) {
    std::ofstream(folder / "config.json") << R"({"model_type": "gemma", "vocab_size": 13, "hidden_size": 12,
        "intermediate_size": 10, "num_hidden_layers": 2, "num_attention_heads": 3, "num_key_value_heads": 1,
        "head_dim": 6, "max_position_embeddings": 16, "rms_norm_eps": 1e-06, "rope_theta": 10000.0,
        "hidden_act": "gelu", "torch_dtype": "float32"})";
    Safetensors file;
    Rng rng(4);
    const auto add = [&](const std::string& name, const Shape& shape) {
        file.tensors.push_back({"model." + name, Tensor(shape)});
        for (float& value : file.tensors.back().tensor.values()) value = static_cast<float>(0.5 * rng.normal());
    };
    add("embed_tokens.weight", {13, 12});
    for (const std::string layer : {"layers.0.", "layers.1."}) {
        add(layer + "input_layernorm.weight", {12});
        add(layer + "self_attn.q_proj.weight", {18, 12});
        add(layer + "self_attn.k_proj.weight", {6, 12});
        add(layer + "self_attn.v_proj.weight", {6, 12});
        add(layer + "self_attn.o_proj.weight", {12, 18});
        add(layer + "post_attention_layernorm.weight", {12});
        add(layer + "mlp.gate_proj.weight", {10, 12});
        add(layer + "mlp.up_proj.weight", {10, 12});
        add(layer + "mlp.down_proj.weight", {12, 10});
    }
    add("norm.weight", {12});
    write_safetensors(folder / "model.safetensors", file);
}

}  // namespace

TEST_CASE("the first Gemma's folders give the logits of an independent NumPy program") {
    if (!have(PythonLibrary::numpy)) return;
    const TemporaryFolder folder;
    write_gemma(folder.path());
    const std::string script = (folder / "gemma.py").string();
    std::ofstream(script) << gemma_in_numpy;
    const std::string command = "/usr/bin/python3 " + script + " " + folder.path().string();
    const Checkpoint checkpoint = load_checkpoint(folder.path());
    CpuBackend backend(1);
    Tracer tracer(backend, checkpoint.config);
    const auto trace = tracer.trace(TraceInput{{1, 3, 2, 5, 3}}, checkpoint.parameters);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(popen(command.c_str(), "r"), pclose);
    REQUIRE(out);
    char line[256];
    for (const float logit : trace->values("logits")) {
        REQUIRE(std::fgets(line, sizeof line, out.get()));
        CHECK(std::strtod(line, nullptr) == doctest::Approx(logit).epsilon(1e-4));
    }
}
