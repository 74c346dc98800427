// The lines of Python that are copied from the screen are run, and print what the trace says.
#include "core/trace/python.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/rng.h"
#include "core/io/checkpoint.h"
#include "core/io/safetensors.h"
#include "core/io/saved_layout.h"
#include "core/trace/tracer.h"
#include "tests/core/temporary_folder.h"
#include "tests/ops/variants.h"

using namespace glassformer;

namespace {

/// Runs many programs in one Python, and gives what each printed, a line each.
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

/// Whether this machine's Python has the library; says so where it has not.
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

/// Every node on the way to the model's answer, each with some of its cells.
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
                asked_.push_back({name + ": " + trace.address({node, offset}),
                                  static_cast<double>(values[static_cast<std::size_t>(offset)]), size});
            }
        }
    }

    /// "" or the first that differ.
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

}  // namespace

TEST_CASE("the Python of every node of every architecture computes what the trace has") {
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
        CHECK(holds_layout(file, layout));
        programs.add(variant.name, *trace, {file, "", parameters_in_python(trace->graph(), layout)}, 1);
    }
    CHECK(programs.count() > 1000);
    CHECK(programs.run() == "");
}

TEST_CASE("the Python of the shipped models and those made by hand computes what their traces have, from their files") {
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
        const TensorLayout layout = saved_layout(checkpoint.config, checkpoint.words() != nullptr, trace->graph());
        const std::string file = (place / "model.safetensors").string();
        REQUIRE(holds_layout(file, layout));
        programs.add(name, *trace, {file, "", parameters_in_python(trace->graph(), layout)}, 3);
    }
    CHECK(programs.count() > 500);
    CHECK(programs.run() == "");
}
