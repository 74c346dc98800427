#include "app/session/resident_traces.h"

#include <algorithm>

#include "core/backend/gl/gl_backend.h"
#include "core/graph/hook_names.h"

namespace glassformer::app {

namespace {

constexpr int fewest_positions = 17;  // fewer are drawn cell by cell
constexpr std::int64_t most_bytes = std::int64_t{1} << 30, most_bytes_in_software = std::int64_t{1} << 28;

/// The ops with a hook name; if they do not fit, only the attention patterns and scores; otherwise nothing.
std::vector<int> nodes_to_keep(const Graph& graph, std::int64_t most) {
    std::vector<int> all, patterns;
    std::int64_t bytes = 0, of_patterns = 0;
    for (int id = 0; id < static_cast<int>(graph.nodes().size()); ++id) {
        const NodeInfo& node = graph[id];
        if (node.kind != NodeInfo::Kind::op || node.name.find("hook_") == std::string::npos) continue;
        const std::int64_t cells = node.shape.elements() * 4;
        all.push_back(id), bytes += cells;
        const NodePlace place = node_place(node.name);
        if (place.is_pattern() || place.quantity == "hook_attn_scores") patterns.push_back(id), of_patterns += cells;
    }
    if (bytes <= most) return all;
    return of_patterns <= most ? patterns : std::vector<int>();
}

void feed(Execution& run, const Trace& trace) {
    for (int id = 0; id < static_cast<int>(trace.graph().nodes().size()); ++id)
        if (trace.graph()[id].kind == NodeInfo::Kind::input) run.set_input(id, trace.values(id));
}

/// Where the kept values are; the memory of all others is shared between nodes.
std::vector<ResidentTrace::Node> places(const Graph& graph, const std::vector<int>& kept, const Execution& run) {
    std::vector<ResidentTrace::Node> nodes(graph.nodes().size());
    for (const int id : kept) {
        const NodeInfo& node = graph[id];
        const GlPlace place = gl_place(run, id);
        nodes[id].values = {place.buffer, place.first};
        if (!node_place(node.name).is_pattern()) continue;
        const std::string name = node.name.substr(0, node.name.size() - std::string("hook_pattern").size());
        nodes[id].scores = graph.find(name + "hook_attn_scores").value_or(-1);
    }
    return nodes;
}

}  // namespace

std::shared_ptr<const ResidentTrace> ResidentTraces::resident(Slot& slot, const Trace& trace, GlBackend& gl) {
    const std::shared_ptr<const Graph>& graph = trace.model().graph;
    const auto fits = [&](const Prepared& p) { return p.graph == graph && p.run.use_count() == 1; };
    auto prepared = std::ranges::find_if(slot.prepared, fits);
    if (prepared == slot.prepared.end()) {
        const std::vector<int> keep = nodes_to_keep(*graph, gl.software() ? most_bytes_in_software : most_bytes);
        if (keep.empty()) return nullptr;
        std::swap(slot.prepared[0], slot.prepared[1]);
        prepared = slot.prepared.begin();
        *prepared = {graph, keep, std::shared_ptr<Execution>(gl.prepare(graph, {keep, -1}))};
    }
    feed(*prepared->run, trace);
    gl_run(*prepared->run, *trace.parameters());
    return std::make_shared<const ResidentTrace>(places(*graph, prepared->kept, *prepared->run), prepared->run);
}

void ResidentTraces::look(std::array<WatchedSentence, 2>& sentences, GlBackend* gl) {
    if (!gl) return clear();
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        WatchedSentence& sentence = sentences[i];
        Slot& slot = slots_[i];
        if (!sentence.trace || sentence.trace->intervened() || sentence.trace->positions() < fewest_positions) continue;
        if (!slot.resident || slot.of.lock() != sentence.trace) {
            slot.resident = nullptr;
            slot.resident = resident(slot, *sentence.trace, *gl);
            slot.of = sentence.trace;
        }
        sentence.resident = slot.resident;
    }
}

}  // namespace glassformer::app
