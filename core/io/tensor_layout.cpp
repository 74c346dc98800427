#include "core/io/tensor_layout.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <unordered_map>

#include "core/base/error.h"
#include "core/base/mark_text.h"

namespace glassformer {

namespace {

/// The shape of a file's tensor: the columns of all parts together.
Shape stored_shape(const Graph& graph, const StoredTensor& stored) {
    const Shape& first = graph[graph.at(stored.parts[0])].shape;
    std::int64_t columns = 0;
    for (const std::string& part : stored.parts) columns += graph[graph.at(part)].shape.back();
    if (first.rank() == 1) return {columns};
    if (stored.transposed) return {columns, first[0]};
    return {first[0] + stored.unused_rows, columns};
}

/// Maps a part's columns to the tensor's columns.
struct Columns {
    std::int64_t parts, before, width, heads;  // `before`: columns of the parts before this one
    std::int64_t paired_heads = 0;

    std::int64_t in_tensor(std::int64_t column, std::int64_t part) const {
        if (paired_heads > 0) {
            const std::int64_t each = width / paired_heads, half = each / 2, in_head = column % each;
            return before + column - in_head + (in_head < half ? 2 * in_head : 2 * (in_head - half) + 1);
        }
        if (heads == 0) return before + column;
        const std::int64_t each = width / heads;
        return (column / each * parts + part) * each + column % each;
    }
    /// How many columns, starting at this one, are contiguous in the tensor.
    std::int64_t together(std::int64_t column) const {
        if (paired_heads > 0) return 1;
        return heads == 0 ? width - column : width / heads - column % (width / heads);
    }
};

/// For a matrix stored by columns. Works on a few columns at a time, so that both sides are accessed along their rows.
template <class Copy>
void for_each_transposed_cell(const NodeInfo& info, const Columns& columns, std::int64_t part, const Copy& copy) {
    constexpr std::int64_t at_once = 16;
    const std::int64_t rows = info.shape[0], width = info.shape[1];
    for (std::int64_t first = 0; first < width; first += at_once)
        for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = first; c < std::min(width, first + at_once); ++c)
                copy(info.offset + r * width + c, columns.in_tensor(c, part) * rows + r, 1);
}

/// Calls copy(parameter offset, tensor offset, count) for every run that is contiguous in both.
template <class Copy>
void for_each_stretch(const Graph& graph, const StoredTensor& stored, const Copy& copy) {
    const std::int64_t row_width = stored_shape(graph, stored).back();
    Columns columns{static_cast<std::int64_t>(stored.parts.size()), 0, 0, stored.heads, stored.paired_heads};
    for (std::int64_t part = 0; part < columns.parts; ++part) {
        const NodeInfo& info = graph[graph.at(stored.parts[part])];
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

/// A file's tensors, by the layout's names.
using Found = std::unordered_map<std::string, ModelTensors::Entry>;

/// The tensor that contains the parameters of `stored`: itself or, if the file lacks it, its duplicate (a tied model
/// whose file has only lm_head); null if there is neither.
const StoredTensor* holder_of(const StoredTensor& stored, const TensorLayout& layout, const Found& found) {
    if (found.contains(stored.name)) return &stored;
    const auto again = std::ranges::find_if(layout, [&](const StoredTensor& other) {
        return other.repeated && other.parts == stored.parts && found.contains(other.name);
    });
    return again == layout.end() ? nullptr : &*again;
}

/// Problems with tensors, one per line; of many with the same reason, the first ones and how many more there are.
class Problems {
public:
    /// {1} is the tensor; of problems with the same pattern and other arguments, at most `most` are listed.
    template <typename... Places>
    void add(std::size_t most, const std::string& tensor, const char* pattern, const Places&... places) {
        const std::string reason = filled_with(pattern, "", places...);
        const auto known = std::ranges::find(reasons_, reason, &Reason::text);
        Reason& here = known == reasons_.end() ? reasons_.emplace_back(Reason{reason, most, {}}) : *known;
        here.lines.push_back(filled_with(pattern, tensor, places...));
    }
    void throw_any(const ModelTensors& files) const {
        if (reasons_.empty()) return;
        std::string all;
        for (const auto& [text, most, lines] : reasons_) {
            for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) all += "\n  " + lines[i];
            if (lines.size() > most)
                all += "\n  " + filled_with(N_("… and {1} more tensors with the same problem"), lines.size() - most);
        }
        throw Error("{1} does not fit its {2}:{3}", files.name(), files.described_by(), all);
    }

    static constexpr std::size_t of_a_block = 12;  // tensors in a block of GPT-2

private:
    struct Reason {
        std::string text;
        std::size_t most;  // lines to show
        std::vector<std::string> lines;
    };
    std::vector<Reason> reasons_;
};

/// Looks up every tensor. Throws Error listing all problems, one per line.
Found match(const Graph& graph, const TensorLayout& layout, const ModelTensors& tensors, const TensorNaming& naming) {
    std::unordered_map<std::string, Shape> wanted;
    for (const StoredTensor& stored : layout) wanted.emplace(stored.name, stored_shape(graph, stored));
    Found found;
    Problems problems;
    constexpr std::size_t most = Problems::of_a_block;
    for (const ModelTensors::Entry& entry : tensors.entries()) {
        const std::string name = naming(entry.name());
        if (name.empty()) continue;
        const auto shape = wanted.find(name);
        if (shape == wanted.end())
            problems.add(most, entry.name(), N_("{1} is not a tensor of this model"));
        else if (const auto [first, fresh] = found.emplace(name, entry); !fresh)
            problems.add(most, entry.name(), N_("{1} already exists, as {2}"), first->second.name());
        else if (!is_read(entry.where->dtype))
            problems.add(1, entry.name(), N_("{1} has dtype {2}; only F32, F16 and BF16 are supported"),
                         name_of(entry.where->dtype));
        else if (entry.shape() != shape->second)
            problems.add(most, entry.name(), N_("{1} has shape {2}; {3} asks for {4}"), entry.shape().to_string(),
                         tensors.described_by(), shape->second.to_string());
    }
    for (const StoredTensor& stored : layout)
        if (!stored.repeated && !holder_of(stored, layout, found))
            problems.add(most, stored.name, N_("{1} is missing"));
    problems.throw_any(tensors);
    return found;
}

void require_same(const Graph& graph, const StoredTensor& stored, const ModelTensors::Entry& entry,
                  const ParameterValues& parameters) {
    const Tensor tensor = entry.read();
    std::vector<float> ours;
    bool same = true;
    for_each_stretch(graph, stored, [&](std::int64_t at, std::int64_t from, std::int64_t count) {
        ours.resize(count);
        parameters.copy(at, ours);
        for (std::int64_t i = 0; i < count; ++i) same = same && ours[i] == tensor.data()[from + i] + stored.added;
    });
    if (!same)
        throw Error("{1}: {2} is not the same as {3}, though config.json says that the two are tied",
                    entry.file->name(), entry.name(), stored.parts[0]);
}

/// Cells rearranged into a parameter's order.
struct Rearranged final : StoredCells {
    std::vector<std::byte> bytes;
};

/// Collects the values of a graph's parameters, tensor by tensor.
class Restoring {
public:
    explicit Restoring(const Graph& graph) : graph_(graph) {
        for (const int id : graph.parameters()) {
            part_of_[graph[id].name] = parts_.size();
            parts_.push_back({graph[id].offset, graph[id].shape.elements()});
        }
    }

    void take(const StoredTensor& stored, const ModelTensors::Entry& entry) {
        if (stays_stored(stored, entry))
            if (const std::optional<CellsInFile> cells = entry.cells()) return keep(stored, entry.shape(), *cells);
        const Tensor tensor = entry.read();
        for (const std::string& name : stored.parts) {
            ParameterValues::Part& part = parts_[part_of_.at(name)];
            part.floats.resize(part.count);
        }
        for_each_stretch(graph_, stored, [&](std::int64_t to, std::int64_t from, std::int64_t count) {
            ParameterValues::Part& part = part_at(to);
            float* const cells = part.floats.data() + (to - part.offset);
            std::copy_n(tensor.data() + from, count, cells);
            if (stored.added != 0.0f)
                for (std::int64_t i = 0; i < count; ++i) cells[i] += stored.added;
        });
    }

    Parameters done() { return std::make_shared<const ParameterValues>(std::move(parts_), std::move(owners_)); }

private:
    /// True for matrices with half-size cells, and for large ones that need no copy.
    static bool stays_stored(const StoredTensor& stored, const ModelTensors::Entry& entry) {
        constexpr std::int64_t large = 1 << 18;
        return entry.shape().rank() == 2 && stored.added == 0.0f &&
               (stored.transposed || (stored.heads == 0 && stored.paired_heads == 0)) &&
               (entry.where->dtype != FileDType::F32 || entry.shape().elements() >= large);
    }

    void keep(const StoredTensor& stored, const Shape& shape, const CellsInFile& cells) {
        if (stored.heads > 0 || stored.paired_heads > 0) return keep_rearranged(stored, cells);
        if (std::ranges::find(owners_, cells.owner) == owners_.end()) owners_.push_back(cells.owner);
        std::int64_t before = 0;
        for (const std::string& name : stored.parts) {
            const Shape& part = graph_[graph_.at(name)].shape;
            const TypedMatrix all{cells.data, cells.type, shape[0], shape[1], shape[1], 1};
            parts_[part_of_.at(name)].matrix =
                stored.transposed ? all.middle_rows(before, part[1]).transposed()
                                  : all.middle_rows(stored.unused_rows, part[0]).middle_columns(before, part[1]);
            before += part[1];
        }
    }

    /// Products need each part's heads to be contiguous, so the columns of such parts are reordered once.
    void keep_rearranged(const StoredTensor& stored, const CellsInFile& cells) {
        Columns columns{std::ssize(stored.parts), 0, 0, stored.heads, stored.paired_heads};
        for (std::int64_t i = 0; i < columns.parts; ++i) {
            ParameterValues::Part& part = parts_[part_of_.at(stored.parts[i])];
            const Shape& shape = graph_[graph_.at(stored.parts[i])].shape;
            columns.width = shape[1];
            const auto line = static_cast<std::size_t>(bytes_of(cells.type, shape[0]));
            const auto ordered = std::make_shared<Rearranged>();
            ordered->bytes.resize(static_cast<std::size_t>(shape[1]) * line);
            for (std::int64_t c = 0; c < shape[1]; ++c)
                std::memcpy(ordered->bytes.data() + static_cast<std::size_t>(c) * line,
                            cells.data + static_cast<std::size_t>(columns.in_tensor(c, i)) * line, line);
            part.matrix = TypedMatrix{ordered->bytes.data(), cells.type, shape[1], shape[0], shape[0], 1}.transposed();
            owners_.push_back(ordered);
            columns.before += shape[1];
        }
    }

    ParameterValues::Part& part_at(std::int64_t offset) {
        return *std::prev(std::ranges::upper_bound(parts_, offset, {}, &ParameterValues::Part::offset));
    }

    const Graph& graph_;
    std::vector<ParameterValues::Part> parts_;
    std::unordered_map<std::string, std::size_t> part_of_;
    std::vector<std::shared_ptr<const StoredCells>> owners_;
};

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

TensorLayout layout_by_file(const Graph& graph, const TensorLayout& layout, const ModelTensors& tensors,
                            const TensorNaming& naming) {
    const Found found = match(graph, layout, tensors, naming);
    TensorLayout by_file;
    for (const StoredTensor& stored : layout) {
        if (stored.repeated) continue;
        by_file.push_back(*holder_of(stored, layout, found));
        by_file.back().name = found.at(by_file.back().name).name();
        by_file.back().repeated = false;
    }
    return by_file;
}

Parameters restore(const Graph& graph, const TensorLayout& layout, const ModelTensors& tensors,
                   const TensorNaming& naming) {
    const Found found = match(graph, layout, tensors, naming);
    try {
        // Only now is it certain that files of that size back the sizes in config.json.
        Restoring restoring(graph);
        for (const StoredTensor& stored : layout)
            if (!stored.repeated) {
                const StoredTensor& holder = *holder_of(stored, layout, found);
                restoring.take(holder, found.at(holder.name));
            }
        Parameters parameters = restoring.done();
        for (const StoredTensor& stored : layout)
            if (stored.repeated && found.contains(stored.name))
                require_same(graph, stored, found.at(stored.name), *parameters);
        return parameters;
    } catch (const std::bad_alloc&) {
        throw Error("{1}: there is not enough memory to hold the model", tensors.name());
    }
}

}  // namespace glassformer
