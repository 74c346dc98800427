#include "core/io/tensor_layout.h"

#include <algorithm>
#include <new>
#include <unordered_map>

#include "core/base/error.h"

namespace glassformer {

namespace {

/// Shape of the file's tensor: the parts' columns added up.
Shape stored_shape(const Graph& graph, const StoredTensor& stored) {
    const Shape& first = graph[graph.at(stored.parts[0])].shape;
    if (stored.transposed) return {first[1], first[0]};
    if (stored.parts.size() == 1) return first;
    const auto parts = static_cast<std::int64_t>(stored.parts.size());
    return first.rank() == 1 ? Shape{first[0] * parts} : Shape{first[0], first[1] * parts};
}

/// Calls copy(parameter offset, tensor offset, count) for every stretch that is contiguous in both.
template <class Copy>
void for_each_stretch(const Graph& graph, const StoredTensor& stored, const Copy& copy) {
    const std::int64_t row_width = stored.parts.size() == 1 ? 0 : stored_shape(graph, stored).back();
    std::int64_t column = 0;
    for (const std::string& part : stored.parts) {
        const NodeInfo& info = graph[graph.at(part)];
        const std::int64_t cells = info.shape.elements();
        if (stored.transposed) {
            const std::int64_t rows = info.shape[0], columns = info.shape[1];
            for (std::int64_t c = 0; c < columns; ++c)
                for (std::int64_t r = 0; r < rows; ++r) copy(info.offset + r * columns + c, c * rows + r, 1);
        } else if (stored.parts.size() == 1) {
            copy(info.offset, 0, cells);
        } else {
            const std::int64_t width = info.shape.back();
            for (std::int64_t row = 0; row < cells / width; ++row)
                copy(info.offset + row * width, row * row_width + column, width);
            column += width;
        }
    }
}

/// The tensors of a file by the layout's names.
using Found = std::unordered_map<std::string, ModelTensors::Entry>;

/// Looks every tensor up; what is wrong with them goes into `wrong`, a line each.
Found match(const Graph& graph, const TensorLayout& layout, const ModelTensors& tensors, const TensorNaming& naming,
            std::string& wrong) {
    std::unordered_map<std::string, Shape> wanted;
    for (const StoredTensor& stored : layout) wanted.emplace(stored.name, stored_shape(graph, stored));
    Found found;
    for (const ModelTensors::Entry& entry : tensors.entries()) {
        const std::string name = naming(entry.name());
        if (name.empty()) continue;
        const auto shape = wanted.find(name);
        if (shape == wanted.end())
            wrong += "\n  " + entry.name() + " is not a tensor of this model";
        else if (const auto [first, fresh] = found.emplace(name, entry); !fresh)
            wrong += "\n  " + entry.name() + " is there already, as " + first->second.name();
        else if (entry.shape() != shape->second)
            wrong += "\n  " + entry.name() + " has shape " + entry.shape().to_string() + "; config.json asks for " +
                     shape->second.to_string();
    }
    for (const StoredTensor& stored : layout)
        if (!stored.repeated && !found.contains(stored.name)) wrong += "\n  " + stored.name + " is missing";
    return found;
}

void require_same(const Graph& graph, const StoredTensor& stored, const ModelTensors::Entry& entry,
                  const std::vector<float>& parameters) {
    const Tensor tensor = entry.read();
    bool same = true;
    for_each_stretch(graph, stored, [&](std::int64_t at, std::int64_t from, std::int64_t count) {
        same = same && std::equal(tensor.data() + from, tensor.data() + from + count, parameters.data() + at);
    });
    if (!same)
        throw Error(entry.file->name() + ": " + entry.name() + " is not the same as " + stored.parts[0] +
                    ", though config.json says that the two are tied");
}

}  // namespace

TensorLayout own_layout(const Graph& graph) {
    TensorLayout layout;
    for (const int id : graph.parameters()) layout.push_back({graph[id].name, {graph[id].name}, false, false});
    return layout;
}

Safetensors store(const Graph& graph, const TensorLayout& layout, std::span<const float> parameters) {
    Safetensors file;
    for (const StoredTensor& stored : layout) {
        if (stored.repeated) continue;
        Tensor tensor(stored_shape(graph, stored));
        for_each_stretch(graph, stored, [&](std::int64_t from, std::int64_t to, std::int64_t count) {
            std::copy_n(parameters.data() + from, count, tensor.data() + to);
        });
        file.tensors.push_back({stored.name, std::move(tensor)});
    }
    return file;
}

std::vector<float> restore(const Graph& graph, const TensorLayout& layout, const ModelTensors& tensors,
                           const TensorNaming& naming) {
    std::string wrong;
    const Found found = match(graph, layout, tensors, naming, wrong);
    if (!wrong.empty()) throw Error(tensors.name() + " does not fit its config.json:" + wrong);
    try {
        // Only now is it known that the sizes in config.json are backed by files of that size.
        std::vector<float> parameters(static_cast<std::size_t>(graph.parameter_count()));
        for (const StoredTensor& stored : layout) {
            if (stored.repeated) continue;
            const Tensor tensor = found.at(stored.name).read();
            for_each_stretch(graph, stored, [&](std::int64_t to, std::int64_t from, std::int64_t count) {
                std::copy_n(tensor.data() + from, count, parameters.data() + to);
            });
        }
        for (const StoredTensor& stored : layout)
            if (stored.repeated && found.contains(stored.name))
                require_same(graph, stored, found.at(stored.name), parameters);
        return parameters;
    } catch (const std::bad_alloc&) {
        throw Error(tensors.name() + ": there is not enough memory to hold the model");
    }
}

}  // namespace glassformer
