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
    std::int64_t columns = 0;
    for (const std::string& part : stored.parts) columns += graph[graph.at(part)].shape.back();
    if (first.rank() == 1) return {columns};
    if (stored.transposed) return {columns, first[0]};
    return {first[0] + stored.unused_rows, columns};
}

/// Where the parts' columns lie among those of the tensor.
struct Columns {
    std::int64_t parts, before, width, heads;  // `before`: columns of the parts before this one

    std::int64_t in_tensor(std::int64_t column, std::int64_t part) const {
        if (heads == 0) return before + column;
        const std::int64_t each = width / heads;
        return (column / each * parts + part) * each + column % each;
    }
    /// How many columns from this one on lie side by side in the tensor.
    std::int64_t together(std::int64_t column) const {
        return heads == 0 ? width - column : width / heads - column % (width / heads);
    }
};

/// A matrix that is stored by its columns. A few at a time, so that both sides are read along their rows.
template <class Copy>
void for_each_transposed_cell(const NodeInfo& info, const Columns& columns, std::int64_t part, const Copy& copy) {
    constexpr std::int64_t at_once = 16;
    const std::int64_t rows = info.shape[0], width = info.shape[1];
    for (std::int64_t first = 0; first < width; first += at_once)
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = first; c < std::min(width, first + at_once); ++c)
                copy(info.offset + r * width + c, columns.in_tensor(c, part) * rows + r, 1);
}

/// Calls copy(parameter offset, tensor offset, count) for every stretch that is contiguous in both.
template <class Copy>
void for_each_stretch(const Graph& graph, const StoredTensor& stored, const Copy& copy) {
    const std::int64_t row_width = stored_shape(graph, stored).back();
    Columns columns{static_cast<std::int64_t>(stored.parts.size()), 0, 0, stored.heads};
    for (std::int64_t part = 0; part < columns.parts; ++part) {
        const NodeInfo& info = graph[graph.at(stored.parts[static_cast<std::size_t>(part)])];
        columns.width = info.shape.back();
        if (stored.transposed && info.shape.rank() == 2) {
            for_each_transposed_cell(info, columns, part, copy);
        } else {
            const std::int64_t rows = info.shape.elements() / columns.width;
            for (std::int64_t row = 0; row < rows; ++row)
                for (std::int64_t c = 0, count = 0; c < columns.width; c += count) {
                    count = columns.together(c);
                    copy(info.offset + row * columns.width + c,
                         (row + stored.unused_rows) * row_width + columns.in_tensor(c, part), count);
                }
        }
        columns.before += columns.width;
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
        else if (!is_read(entry.where->dtype))
            wrong += "\n  " + entry.name() + " " + refusal_of(entry.where->dtype);
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
        for (std::int64_t i = 0; i < count; ++i)
            same = same && parameters[static_cast<std::size_t>(at + i)] == tensor.data()[from + i] + stored.added;
    });
    if (!same)
        throw Error(entry.file->name() + ": " + entry.name() + " is not the same as " + stored.parts[0] +
                    ", though config.json says that the two are tied");
}

}  // namespace

TensorLayout own_layout(const Graph& graph) {
    TensorLayout layout;
    for (const int id : graph.parameters()) layout.push_back({.name = graph[id].name, .parts = {graph[id].name}});
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
                float* cells = parameters.data() + to;
                std::copy_n(tensor.data() + from, count, cells);
                if (stored.added != 0.0f)
                    for (std::int64_t i = 0; i < count; ++i) cells[i] += stored.added;
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
