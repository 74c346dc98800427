#include "core/trace/python.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "core/base/error.h"
#include "core/ops/python.h"

namespace glassformer {

namespace {

constexpr std::size_t longest_inside = 90;  // characters of a line that is written into the one that needs it

constexpr const char* load_with_numpy = R"py(
def load(file):  # safetensors: the length of the header, the header, the numbers
    with open(file, "rb") as f:
        header = json.loads(f.read(int.from_bytes(f.read(8), "little")))
        data = f.read()
    return {name: np.frombuffer(data[slice(*t["data_offsets"])], np.float32).reshape(t["shape"]).astype(float)
            for name, t in header.items() if name != "__metadata__"}
)py";

constexpr const char* load_with_torch = R"py(
def load(file):  # safetensors: the length of the header, the header, the numbers
    with open(file, "rb") as f:
        header = json.loads(f.read(int.from_bytes(f.read(8), "little")))
        data = bytearray(f.read())
    return {name: torch.frombuffer(data[slice(*t["data_offsets"])], dtype=torch.float32).reshape(t["shape"]).double()
            for name, t in header.items() if name != "__metadata__"}
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

/// Whether an operator stands in it outside of all brackets: within another expression it needs brackets of its own.
bool is_compound(const std::string& expression) {
    int depth = 0;
    for (const char c : expression) {
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (depth == 0 && c == ' ') return true;
    }
    return false;
}

/// Puts what stands for an input into the line of an op.
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

/// Numbers that the model is given, as nested lists of their shape.
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
            const std::size_t end = std::min(about.find('\n', from), about.size());
            text += "# " + about.substr(from, end - from) + "\n";
            from = end + 1;
        }
        text += needs_math_ ? "import json\nimport math\n" : "import json\n";
        text += torch() ? "\nimport torch\n\ntorch.set_default_dtype(torch.float64)\n" : "\nimport numpy as np\n";
        text += std::string("\n") + (torch() ? load_with_torch : load_with_numpy);
        for (const std::string& source : functions_) text += "\n" + source;
        text += "\n\nw = load(\"" + escaped(model_.file) + "\")";
        if (!model_.comment.empty()) text += "  # " + model_.comment;
        return text + "\n" + lines_ + "\nprint(" + value + index + (torch() && cell.offset >= 0 ? ".item())\n" : ")\n");
    }

private:
    bool torch() const { return library_ == ops::PythonLibrary::torch; }

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
        if (line.expression.empty()) throw Error(std::string(title_of(*info.op)) + " has no line of Python");
        return line;
    }

    /// How often each node is read on the way to this one, and which functions they call.
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
            if (found == model_.parameters.end()) throw Error("the model's file has no " + info.name);
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
    std::map<int, std::size_t> reads_;  // in the order of the graph
    std::map<int, std::string> said_;   // what stands for a node in the lines that read it
    std::set<std::string> taken_{"w", "np", "torch", "json", "math", "load", "print"};
    std::vector<std::string> functions_;
    std::string lines_;
    bool needs_math_ = false;
};

}  // namespace

std::string python_for(const Trace& trace, const Cell& cell, const PythonModel& model, const std::string& about,
                       ops::PythonLibrary library) {
    if (trace.intervened())
        throw Error("the model on screen is altered, and its file is not: take the changes back first");
    return Writer(trace, model, library).program(cell, about);
}

}  // namespace glassformer
