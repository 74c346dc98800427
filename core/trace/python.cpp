#include "core/trace/python.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include "core/base/error.h"

namespace glassformer {

namespace {

constexpr const char* ends_line = "\n\r";   // in Python: what follows must not become code
constexpr std::size_t longest_inside = 90;  // characters; longer expressions get a line of their own

/// Python code that locates the tensors in safetensors files; each is read only when it is used.
constexpr const char* find_tensors = R"py(
class Weights:  # safetensors: the length of the header, the header, the numbers
    def __init__(self, *files):
        self.places = {}
        for file in files:
            with open(file, "rb") as f:
                size = int.from_bytes(f.read(8), "little")
                for name, tensor in json.loads(f.read(size)).items():
                    self.places[name] = file, 8 + size, tensor

    def __getitem__(self, name):
        file, start, tensor = self.places[name]
        begin, end = tensor["data_offsets"]
        with open(file, "rb") as f:
            f.seek(start + begin)
            data = f.read(end - begin)
)py";

constexpr const char* read_with_numpy = R"py(
        if tensor["dtype"] == "BF16":  # the upper half of a float32
            x = (np.frombuffer(data, np.uint16).astype(np.uint32) << 16).view(np.float32)
        else:
            x = np.frombuffer(data, np.float16 if tensor["dtype"] == "F16" else np.float32)
        return x.reshape(tensor["shape"]).astype(float)
)py";

constexpr const char* read_with_torch = R"py(
        dtype = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}[tensor["dtype"]]
        return torch.frombuffer(bytearray(data), dtype=dtype).reshape(tensor["shape"]).double()
)py";

/// Python code that reads a file written by torch.save, without PyTorch.
constexpr const char* bin_with_numpy = R"py(
class Reader(pickle.Unpickler):  # what torch.save writes names the tensors, and for each a file with its numbers
    def persistent_load(self, storage):  # ("storage", its type, its file, a device, how many numbers)
        return storage[1:3]

    def find_class(self, module, name):
        if name == "OrderedDict":
            return collections.OrderedDict
        if name == "_rebuild_tensor_v2":
            return lambda storage, offset, shape, strides, *rest: (*storage, offset, shape, strides)
        return (lambda tensor, *rest: tensor) if name == "_rebuild_parameter" else name

class Weights:
    def __init__(self, *files):
        self.places = {}
        for file in files:
            archive = zipfile.ZipFile(file)
            names = next(name for name in archive.namelist() if name.endswith("data.pkl"))
            for name, tensor in Reader(io.BytesIO(archive.read(names))).load().items():
                self.places[name] = archive, names.replace("data.pkl", "data/"), tensor

    def __getitem__(self, name):
        archive, folder, (kind, file, offset, shape, strides) = self.places[name]
        data = archive.read(folder + file)
        if kind == "BFloat16Storage":  # the upper half of a float32
            x = (np.frombuffer(data, np.uint16).astype(np.uint32) << 16).view(np.float32)
        else:
            x = np.frombuffer(data, np.float16 if kind == "HalfStorage" else np.float32)
        return np.lib.stride_tricks.as_strided(x[offset:], shape, [x.itemsize * step for step in strides]).astype(float)
)py";

constexpr const char* bin_with_torch = R"py(
class Weights:
    def __init__(self, *files):
        self.tensors = {}
        for file in files:
            self.tensors.update(torch.load(file, map_location="cpu", weights_only=True))

    def __getitem__(self, name):
        return self.tensors[name].double()
)py";

/// "blocks.0.attn.hook_q" → q_0, "encoder.blocks.1.ln1.hook_mean" → encoder_ln1_mean_1.
std::string variable_of(const std::string& node) {
    std::string name, block;
    for (std::size_t from = 0; from <= node.size();) {
        const std::size_t end = std::min(node.find('.', from), node.size());
        std::string part = node.substr(from, end - from);
        from = end + 1;
        if (part == "blocks") {
            const std::size_t stop = std::min(node.find('.', from), node.size());
            block = "_" + node.substr(from, stop - from);
            from = stop + 1;
            continue;
        }
        if (part == "attn") continue;
        if (part.starts_with("hook_")) part.erase(0, std::strlen("hook_"));
        name += (name.empty() ? "" : "_") + part;
    }
    name += block;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
}

/// True if an expression has an operator outside all brackets, so that it needs brackets inside another expression.
bool is_compound(const std::string& expression) {
    int depth = 0;
    for (const char c : expression) {
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (depth == 0 && c == ' ') return true;
    }
    return false;
}

/// Inserts the expression of an input into the line of an op.
std::string fill(std::string line, int input, const std::string& with) {
    const std::string place = "{" + std::to_string(input) + "}";
    for (std::size_t at = line.find(place); at != std::string::npos; at = line.find(place, at)) {
        const char before = at > 0 ? line[at - 1] : ' ',
                   after = at + place.size() < line.size() ? line[at + place.size()] : ' ';
        const bool whole = line.size() == place.size();
        const bool argument = (before == '(' || line.compare(at - std::min<std::size_t>(at, 2), 2, ", ") == 0) &&
                              (after == ',' || after == ')') && line[0] != '(';
        const std::string text = is_compound(with) && !whole && !argument ? "(" + with + ")" : with;
        line.replace(at, place.size(), text);
        at += text.size();
    }
    return line;
}

bool uses(const std::string& line, std::size_t input) {
    return line.find("{" + std::to_string(input) + "}") != std::string::npos;
}

/// The numbers of a model input, as nested lists in their shape.
std::string literal(std::span<const float> values, const Shape& shape) {
    if (std::ranges::all_of(values, [](float v) { return v == 1.0f; }))
        return shape.rank() == 1
                   ? "np.ones(" + std::to_string(shape[0]) + ")"
                   : std::string("np.ones((") + std::to_string(shape[0]) + ", " + std::to_string(shape.back()) + "))";
    const std::int64_t width = shape.rank() > 1 ? shape.back() : static_cast<std::int64_t>(values.size());
    std::string text = shape.rank() > 1 ? "np.array([" : "[";
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool begins = shape.rank() > 1 && static_cast<std::int64_t>(i) % width == 0;
        text += std::string(i ? ", " : "") + (begins ? "[" : "") + ops::python_number(values[i]);
        if (shape.rank() > 1 && static_cast<std::int64_t>(i + 1) % width == 0) text += "]";
    }
    return text + (shape.rank() > 1 ? "], dtype=float)" : "]");
}

class Writer {
public:
    Writer(const Trace& trace, const PythonModel& model, ops::PythonLibrary library)
        : trace_(trace), model_(model), library_(library) {}

    std::string program(const Cell& cell, const std::string& about) {
        count(cell.node);
        for (const auto& [id, times] : reads_) write(id, id == cell.node);
        const std::string index = index_of_cell(cell);
        const std::string& said = said_[cell.node];
        const std::string value = is_compound(said) && !index.empty() ? "(" + said + ")" : said;
        std::string text;
        for (std::size_t from = 0; from <= about.size();) {
            const std::size_t end = std::min(about.find_first_of(ends_line, from), about.size());
            text += "# " + about.substr(from, end - from) + "\n";
            from = end + 1;
        }
        for (const char* module : modules()) text += std::string("import ") + module + "\n";
        text += torch() ? "\nimport torch\n\ntorch.set_default_dtype(torch.float64)\n" : "\nimport numpy as np\n";
        text += "\n" + reader();
        for (const std::string& source : functions_) text += "\n" + source;
        text += "\n\nw = Weights(" + files() + ")";
        if (!model_.comment.empty()) text += "  # " + model_.comment;
        return text + "\n" + lines_ + "\nprint(" + value + index + (torch() && cell.offset >= 0 ? ".item())\n" : ")\n");
    }

private:
    bool torch() const { return library_ == ops::PythonLibrary::torch; }

    bool torch_saved() const { return !model_.files.empty() && model_.files[0].ends_with(".bin"); }

    std::vector<const char*> modules() const {
        std::vector<const char*> names;
        if (!torch_saved())
            names = {"json"};
        else if (!torch())
            names = {"collections", "io", "pickle", "zipfile"};
        if (needs_math_) names.push_back("math");
        std::ranges::sort(names, {}, [](const char* name) { return std::string_view(name); });
        return names;
    }

    std::string reader() const {
        if (torch_saved()) return torch() ? bin_with_torch : bin_with_numpy;
        const char* const read = torch() ? read_with_torch : read_with_numpy;
        return find_tensors + std::string(read + 1);  // continues on the next line
    }

    std::string files() const {
        std::string list;
        for (const std::string& file : model_.files) list += (list.empty() ? "\"" : ", \"") + escaped(file) + "\"";
        return list;
    }

    static std::string escaped(const std::string& path) {
        std::string text;
        for (const char c : path) text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
        return text;
    }

    std::string index_of_cell(const Cell& cell) const {
        if (cell.offset < 0) return {};
        const std::string address = trace_.address(cell);
        const std::size_t bracket = address.rfind('[');
        return bracket == std::string::npos ? std::string() : address.substr(bracket);
    }

    ops::PythonLine line_of(int node) const {
        const NodeInfo& info = trace_.graph()[node];
        ops::PythonLine line = ops::python_line(*info.op, info.inputs.size(), trace_.shape(node), library_);
        if (line.expression.empty()) throw Error("{1} has no line of Python", title_of(*info.op));
        return line;
    }

    /// Counts how often each node is read on the way to this one, and collects the functions that they call.
    void count(int node) {
        if (std::size_t times = reads_[node]++; times > 0) return;
        const NodeInfo& info = trace_.graph()[node];
        if (info.kind != NodeInfo::Kind::op) return;
        const ops::PythonLine line = line_of(node);
        if (!line.function.empty() && std::ranges::count(functions_, line.function) == 0) {
            functions_.push_back(line.function);
            needs_math_ = needs_math_ || line.function.find("math.") != std::string::npos;
            const std::size_t name = line.function.find("def ") + std::strlen("def ");
            taken_.emplace(line.function.substr(name, line.function.find('(') - name));
        }
        for (std::size_t i = 0; i < info.inputs.size(); ++i)
            if (uses(line.expression, i)) count(info.inputs[i]);
    }

    void write(int node, bool last) {
        const NodeInfo& info = trace_.graph()[node];
        if (info.kind == NodeInfo::Kind::parameter) {
            const auto found = model_.parameters.find(info.name);
            if (found == model_.parameters.end()) throw Error("the model's file has no {1}", info.name);
            said_[node] = found->second;
            return;
        }
        std::string text;
        if (info.kind == NodeInfo::Kind::input) {
            text = ops::in_library(literal(trace_.values(node), trace_.shape(node)), library_);
        } else {
            const ops::PythonLine line = line_of(node);
            text = line.expression;
            for (std::size_t i = 0; i < info.inputs.size(); ++i)
                if (uses(line.expression, i)) text = fill(text, static_cast<int>(i), said_[info.inputs[i]]);
            const bool nothing_new = line.expression == "{0}" || line.expression == "{1}";
            const bool unnamed = info.name.find('#') != std::string::npos;
            if (nothing_new || (unnamed && !last && reads_[node] == 1 && text.size() <= longest_inside)) {
                said_[node] = text;
                return;
            }
        }
        const std::string name = free_name(variable_of(info.name));
        lines_ += name + " = " + text + "\n";
        said_[node] = name;
    }

    std::string free_name(std::string name) {
        while (taken_.contains(name)) name += "_";
        taken_.insert(name);
        return name;
    }

    const Trace& trace_;
    const PythonModel& model_;
    ops::PythonLibrary library_;
    std::map<int, std::size_t> reads_;  // in graph order
    std::map<int, std::string> said_;   // the expression for each node in the lines that read it
    std::set<std::string> taken_{"w",      "np",    "torch",       "json", "math",   "Weights",
                                 "Reader", "print", "collections", "io",   "pickle", "zipfile"};
    std::vector<std::string> functions_;
    std::string lines_;
    bool needs_math_ = false;
};

}  // namespace

std::string python_for(const Trace& trace, const Cell& cell, const PythonModel& model, const std::string& about,
                       ops::PythonLibrary library) {
    if (trace.intervened())
        throw Error("the model on screen is altered, and its file is not: undo the changes first (R)");
    return Writer(trace, model, library).program(cell, about);
}

}  // namespace glassformer
