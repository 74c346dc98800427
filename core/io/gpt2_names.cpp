#include "core/io/gpt2_names.h"

#include <algorithm>
#include <functional>

#include "core/base/error.h"
#include "core/nn/transformer.h"

namespace glassformer {

namespace {

/// One tensor of the file and the parameters that lie side by side (by columns) in it.
struct Entry {
    std::string name;
    std::vector<std::string> parts;
};

std::vector<Entry> entries(const TransformerConfig& config) {
    std::vector<Entry> list{{"transformer.wte.weight", {"embed.W_E"}}, {"transformer.wpe.weight", {"pos_embed.W_pos"}}};
    for (int layer = 0; layer < config.n_layers; ++layer) {
        const std::string theirs = "transformer.h." + std::to_string(layer), ours = "blocks." + std::to_string(layer);
        const auto both = [&](const std::string& name, const std::vector<std::string>& weights,
                              const std::vector<std::string>& biases) {
            list.push_back({theirs + name + ".weight", weights});
            list.push_back({theirs + name + ".bias", biases});
        };
        both(".ln_1", {ours + ".ln1.w"}, {ours + ".ln1.b"});
        both(".attn.c_attn", {ours + ".attn.W_Q", ours + ".attn.W_K", ours + ".attn.W_V"},
             {ours + ".attn.b_Q", ours + ".attn.b_K", ours + ".attn.b_V"});
        both(".attn.c_proj", {ours + ".attn.W_O"}, {ours + ".attn.b_O"});
        both(".ln_2", {ours + ".ln2.w"}, {ours + ".ln2.b"});
        both(".mlp.c_fc", {ours + ".mlp.W_in"}, {ours + ".mlp.b_in"});
        both(".mlp.c_proj", {ours + ".mlp.W_out"}, {ours + ".mlp.b_out"});
    }
    list.push_back({"transformer.ln_f.weight", {"ln_final.w"}});
    list.push_back({"transformer.ln_f.bias", {"ln_final.b"}});
    return list;
}

/// Shape of the file's tensor: the parts' columns added up.
Shape joined_shape(const Graph& graph, const Entry& entry) {
    const Shape& first = graph[graph.at(entry.parts[0])].shape;
    const auto parts = static_cast<std::int64_t>(entry.parts.size());
    return first.rank() == 1 ? Shape{first[0] * parts} : Shape{first[0], first[1] * parts};
}

/// Calls copy(parameter offset, tensor offset, count) for every row of every part.
void for_each_row(const Graph& graph, const Entry& entry,
                  const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& copy) {
    std::int64_t column = 0;
    const std::int64_t row_width = joined_shape(graph, entry).back();
    for (const std::string& part : entry.parts) {
        const NodeInfo& info = graph[graph.at(part)];
        const std::int64_t width = info.shape.back();
        for (std::int64_t row = 0; row < info.shape.elements() / width; ++row)
            copy(info.offset + row * width, row * row_width + column, width);
        column += width;
    }
}

}  // namespace

Safetensors to_gpt2(const TransformerConfig& config, std::span<const float> parameters) {
    const TransformerGraph model = build_transformer(config, {1, 1});
    Safetensors file;
    file.metadata["format"] = "pt";
    for (const Entry& entry : entries(config)) {
        Tensor tensor(joined_shape(*model.graph, entry));
        for_each_row(*model.graph, entry, [&](std::int64_t from, std::int64_t to, std::int64_t count) {
            std::copy_n(parameters.data() + from, count, tensor.data() + to);
        });
        file.tensors.push_back({entry.name, std::move(tensor)});
    }
    return file;
}

std::vector<float> from_gpt2(const TransformerConfig& config, const Safetensors& tensors, const std::string& file) {
    const TransformerGraph model = build_transformer(config, {1, 1});
    std::string wrong;
    const std::vector<Entry> expected = entries(config);
    for (const Entry& entry : expected) {
        const Tensor* tensor = tensors.find(entry.name);
        const Shape shape = joined_shape(*model.graph, entry);
        if (!tensor)
            wrong += "\n  " + entry.name + " is missing";
        else if (tensor->shape() != shape)
            wrong += "\n  " + entry.name + " has shape " + tensor->shape().to_string() + "; config.json asks for " +
                     shape.to_string();
    }
    for (const NamedTensor& tensor : tensors.tensors)
        if (std::ranges::none_of(expected, [&](const Entry& e) { return e.name == tensor.name; }))
            wrong += "\n  " + tensor.name + " is not a tensor of this model";
    if (!wrong.empty()) throw Error(file + " does not fit its config.json:" + wrong);

    // Only now is it known that the sizes in config.json are backed by a file of that size.
    std::vector<float> parameters(static_cast<std::size_t>(model.graph->parameter_count()));
    for (const Entry& entry : expected) {
        const float* from = tensors.find(entry.name)->data();
        for_each_row(*model.graph, entry, [&](std::int64_t to, std::int64_t at, std::int64_t count) {
            std::copy_n(from + at, count, parameters.data() + to);
        });
    }
    return parameters;
}

}  // namespace glassformer
