#include <algorithm>
#include <map>
#include <unordered_map>

#include "core/base/error.h"
#include "core/base/mark_text.h"
#include "core/io/torch_file.h"
#include "core/text/shown_bytes.h"

namespace glassformer {

namespace {

/// A value made by the pickle. It refers to others by their index in the list of all values, so that even a list that
/// contains itself is harmless.
struct Value {
    enum class Kind { none, boolean, number, real, text, tuple, list, dict, callable, storage, tensor };
    Kind kind = Kind::none;
    std::int64_t number = 0;   // also the number of cells of a storage
    std::string text{};        // also the name of a callable or a storage
    std::vector<int> items{};  // for a dictionary: keys and values alternate
    FileDType dtype = FileDType::F32;
    PickledTensor tensor{};
};
using Kind = Value::Kind;

constexpr std::size_t most_values = std::size_t{1} << 22;
/// For a call's arguments and a tensor's axes: no tensor needs more, and they would be copied again and again.
constexpr std::size_t longest_tuple = 16;
constexpr int most_named = 20;
/// Limits of what is copied for each tensor: a few bytes of a pickle can name the same tensor, or text, once more.
constexpr std::size_t most_tensors = std::size_t{1} << 16, longest_name = 256;

const std::map<std::string, FileDType>& storage_types() {
    static const std::map<std::string, FileDType> all{
        {"torch FloatStorage", FileDType::F32},     {"torch HalfStorage", FileDType::F16},
        {"torch BFloat16Storage", FileDType::BF16}, {"torch DoubleStorage", FileDType::F64},
        {"torch LongStorage", FileDType::I64},      {"torch IntStorage", FileDType::I32},
        {"torch ShortStorage", FileDType::I16},     {"torch CharStorage", FileDType::I8},
        {"torch ByteStorage", FileDType::U8},       {"torch BoolStorage", FileDType::BOOL}};
    return all;
}

constexpr const char *ordered_dict = "collections OrderedDict", *rebuild_tensor = "torch._utils _rebuild_tensor_v2",
                     *rebuild_parameter = "torch._utils _rebuild_parameter";

std::string article_of(Kind kind) {
    constexpr const char* articles[] = {"None",        N_("a boolean"), N_("a number"), N_("a number"),
                                        N_("a text"),  N_("a list"),    N_("a list"),   N_("a dictionary"),
                                        N_("a class"), N_("a storage"), N_("a tensor")};
    return articles[static_cast<std::size_t>(kind)];
}

/// The virtual machine for pickles: a stack of values, marks in it, and a memo.
class Unpickler {
public:
    Unpickler(std::string_view bytes, const std::string& file) : bytes_(bytes), file_(file) {}

    std::vector<PickledTensor> tensors() {
        while (step()) {
        }
        const Value& root = pop(Kind::dict, N_("the whole"));
        if (root.items.size() / 2 > most_tensors)
            fail("has {1} tensors; at most {2} are read", root.items.size() / 2, most_tensors);
        std::vector<PickledTensor> found;
        std::string others;
        int count = 0;
        for (std::size_t i = 0; i + 1 < root.items.size(); i += 2) {
            const Value &key = value(root.items[i]), &content = value(root.items[i + 1]);
            if (key.kind != Kind::text) fail("has a name that is {1}", article_of(key.kind));
            if (content.kind != Kind::tensor) {
                if (++count <= most_named)
                    others += "\n  " + filled_with(N_("{1} is {2}, not a tensor"), in_quotes(key.text),
                                                   article_of(content.kind));
                continue;
            }
            require_short(key.text);
            found.push_back(content.tensor);
            found.back().name = key.text;
        }
        if (count > most_named) others += "\n  " + filled_with(N_("and {1} more"), count - most_named);
        if (count > 0) fail("contains more than tensors; save only the model's state_dict:{1}", others);
        return found;
    }

private:
    template <typename... Places>
    [[noreturn]] void fail(std::string_view pattern, const Places&... places) const {
        fail_in_file(file_, "its pickle {1}", filled_with(pattern, places...));
    }
    [[noreturn]] void fail_broken() const { fail("is broken at byte {1}", at_); }

    void require_short(const std::string& name) const {
        if (name.size() > longest_name)
            fail("has a name of {1} bytes; at most {2} are read", name.size(), longest_name);
    }

    std::string_view take(std::uint64_t count) {
        if (count > bytes_.size() - at_) fail("ends too early");
        const std::string_view taken = bytes_.substr(at_, count);
        at_ += static_cast<std::size_t>(count);
        return taken;
    }
    /// A little-endian integer of `count` bytes.
    std::uint64_t unsigned_of(std::size_t count) {
        std::uint64_t number = 0;
        const std::string_view taken = take(count);
        for (std::size_t i = 0; i < count; ++i)
            number |= std::uint64_t{static_cast<unsigned char>(taken[i])} << (8 * i);
        return number;
    }
    std::string line() {
        const std::size_t end = bytes_.find('\n', at_);
        if (end == std::string_view::npos) fail("ends too early");
        std::string text(take(end - at_));
        take(1);
        return text;
    }

    Value& value(int id) { return values_[id]; }
    int make(Value made) {
        if (values_.size() >= most_values) fail("makes more than {1} values", most_values);
        values_.push_back(std::move(made));
        return static_cast<int>(values_.size()) - 1;
    }
    void push(int id) { stack_.push_back(id); }
    void push(Value made) { push(make(std::move(made))); }
    void push_number(std::int64_t number) { push(Value{.kind = Kind::number, .number = number}); }
    void push_text(std::string_view text) { push(Value{.kind = Kind::text, .text = std::string(text)}); }
    int pop() {
        if (stack_.empty() || (!marks_.empty() && stack_.size() <= marks_.back())) fail_broken();
        const int id = stack_.back();
        stack_.pop_back();
        return id;
    }
    int top() const {
        if (stack_.empty()) fail_broken();
        return stack_.back();
    }
    /// Returns a copy, since creating more values may move the original.
    Value pop_tuple(const char* what) {
        const Value& popped = pop(Kind::tuple, what);
        if (popped.items.size() > longest_tuple) fail("has too many values for {1}", what);
        return popped;
    }
    const Value& pop(Kind kind, const char* what) {
        const Value& popped = value(pop());
        if (popped.kind != kind)
            fail("has {1} for {2}, which is {3} in what torch.save writes", article_of(popped.kind), what,
                 article_of(kind));
        return popped;
    }
    /// Pops the values above the last mark.
    std::vector<int> pop_to_mark() {
        if (marks_.empty()) fail_broken();
        std::vector<int> items(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
        stack_.resize(marks_.back());
        marks_.pop_back();
        return items;
    }
    void tuple_of(std::size_t count) {
        Value made{.kind = Kind::tuple, .items = std::vector<int>(count)};
        for (std::size_t i = count; i > 0; --i) made.items[i - 1] = pop();
        push(std::move(made));
    }
    void add_to(Kind kind, const std::vector<int>& items) {
        Value& target = value(top());
        if (target.kind != kind || (kind == Kind::dict && items.size() % 2 != 0)) fail_broken();
        target.items.insert(target.items.end(), items.begin(), items.end());
    }

    void push_global(const std::string& module, const std::string& name) {
        const std::string known = module + " " + name;
        const auto storage = storage_types().find(known);
        if (storage == storage_types().end() && known != ordered_dict && known != rebuild_tensor &&
            known != rebuild_parameter)
            fail("asks for {1}, which is not executed: only tensors are loaded", in_quotes(module + "." + name));
        push(Value{.kind = Kind::callable,
                   .text = known,
                   .dtype = storage == storage_types().end() ? FileDType::F32 : storage->second});
    }

    const Value& argument(const Value& tuple, std::size_t index, Kind kind, const std::string& of) {
        if (tuple.items.size() <= index) fail("calls {1} with too few values", of);
        const Value& found = value(tuple.items[index]);
        if (found.kind != kind) fail("calls {1} with {2} in place {3}", of, article_of(found.kind), index);
        return found;
    }
    std::vector<std::int64_t> numbers_of(const Value& tuple, const char* what) {
        std::vector<std::int64_t> numbers;
        if (tuple.items.size() > longest_tuple) fail("has a tensor whose {1} is too long", what);
        for (const int id : tuple.items) {
            if (value(id).kind != Kind::number || value(id).number < 0)
                fail("has a tensor whose {1} is not a list of whole numbers of at least 0", what);
            numbers.push_back(value(id).number);
        }
        return numbers;
    }

    /// (tuple: "storage", type, name, device, number of cells)
    void push_storage() {
        const Value tuple = pop_tuple(N_("a storage"));
        const std::string of = N_("for a storage");
        if (argument(tuple, 0, Kind::text, of).text != "storage") fail("asks for something that is not a storage");
        const Value& type = argument(tuple, 1, Kind::callable, of);
        if (!storage_types().contains(type.text)) fail("has a storage of an unknown type");
        require_short(argument(tuple, 2, Kind::text, of).text);
        push(Value{.kind = Kind::storage,
                   .number = argument(tuple, 4, Kind::number, of).number,
                   .text = argument(tuple, 2, Kind::text, of).text,
                   .dtype = type.dtype});
    }

    /// (tuple: storage, first cell, sizes, strides, …)
    Value tensor_of(const Value& arguments) {
        const Value &storage = argument(arguments, 0, Kind::storage, rebuild_tensor),
                    &first = argument(arguments, 1, Kind::number, rebuild_tensor);
        PickledTensor made{.dtype = storage.dtype,
                           .storage = storage.text,
                           .storage_cells = storage.number,
                           .first = first.number,
                           .strides = numbers_of(argument(arguments, 3, Kind::tuple, rebuild_tensor), N_("strides"))};
        const std::vector<std::int64_t> sizes =
            numbers_of(argument(arguments, 2, Kind::tuple, rebuild_tensor), N_("shape"));
        try {
            made.shape = Shape(sizes);
        } catch (const Error& e) {
            fail("has a tensor that cannot be held: {1}", e.what());
        }
        std::int64_t last = made.first;
        bool fits = made.first >= 0 && made.strides.size() == sizes.size();
        for (std::size_t axis = 0; fits && axis < sizes.size(); ++axis) {
            std::int64_t reach = 0;
            fits = !__builtin_mul_overflow(std::max<std::int64_t>(sizes[axis] - 1, 0), made.strides[axis], &reach) &&
                   !__builtin_add_overflow(last, reach, &last);
        }
        // A tensor that repeats one cell in many places is not a parameter.
        fits = fits && made.shape.elements() <= made.storage_cells;
        if (!fits || (made.shape.elements() > 0 && last >= made.storage_cells))
            fail("has a tensor of shape {1} that reaches out of its storage {2}", made.shape.to_string(),
                 in_quotes(made.storage));
        return {.kind = Kind::tensor, .tensor = std::move(made)};
    }

    void reduce() {
        const Value arguments = pop_tuple(N_("the values of a call"));
        const std::string called = pop(Kind::callable, N_("what is called")).text;
        if (called == ordered_dict) {
            push(Value{.kind = Kind::dict});
        } else if (called == rebuild_tensor) {
            push(tensor_of(arguments));
        } else if (called == rebuild_parameter) {
            push(Value(argument(arguments, 0, Kind::tensor, called)));
        } else {
            fail("calls {1}, which is a type of cells", called);
        }
    }

    void remember(std::uint64_t place) { memo_[place] = top(); }
    void recall(std::uint64_t place) {
        const auto found = memo_.find(place);
        if (found == memo_.end()) fail_broken();
        push(found->second);
    }

    void push_long(std::size_t length) {
        if (length > 8) fail("has a number of {1} bytes", length);
        std::uint64_t bits = unsigned_of(length);
        if (length > 0 && length < 8 && (bits >> (8 * length - 1)) != 0) bits |= ~std::uint64_t{0} << (8 * length);
        push_number(static_cast<std::int64_t>(bits));
    }

    /// Runs one opcode, by pickletools' codes; returns false at the end.
    bool step() {
        const char code = take(1)[0];
        switch (code) {
            case '\x80':  // PROTO
                if (const std::uint64_t version = unsigned_of(1); version < 2 || version > 5)
                    fail("is of protocol {1}; 2 to 5 are supported", version);
                return true;
            case '\x95':  // FRAME
                take(8);
                return true;
            case '.':  // STOP
                return false;
            case '(':  // MARK
                marks_.push_back(stack_.size());
                return true;
            case '0':  // POP
                pop();
                return true;
            case 'c': {  // GLOBAL
                const std::string module = line();
                push_global(module, line());
                return true;
            }
            case '\x93': {  // STACK_GLOBAL
                const std::string name = pop(Kind::text, N_("the name of a class")).text;
                push_global(pop(Kind::text, N_("the name of a module")).text, name);
                return true;
            }
            case 'Q':  // BINPERSID
                push_storage();
                return true;
            case 'R':  // REDUCE
                reduce();
                return true;
            case 'b':  // BUILD: a dictionary's extra state, such as its modules' versions
                pop();
                if (value(top()).kind != Kind::dict) fail("gives a state to {1}", article_of(value(top()).kind));
                return true;
            default:
                return step_data(code);
        }
    }

    /// The opcodes that only create and store data.
    bool step_data(char code) {
        switch (code) {
            case '}':  // EMPTY_DICT
                push(Value{.kind = Kind::dict});
                break;
            case ']':  // EMPTY_LIST
                push(Value{.kind = Kind::list});
                break;
            case ')':  // EMPTY_TUPLE
                push(Value{.kind = Kind::tuple});
                break;
            case 't':  // TUPLE
                push(Value{.kind = Kind::tuple, .items = pop_to_mark()});
                break;
            case '\x85':  // TUPLE1
            case '\x86':  // TUPLE2
            case '\x87':  // TUPLE3
                tuple_of(static_cast<unsigned char>(code) - std::size_t{0x84});
                break;
            case 's': {  // SETITEM
                const int content = pop(), key = pop();
                add_to(Kind::dict, {key, content});
                break;
            }
            case 'u':  // SETITEMS
                add_to(Kind::dict, pop_to_mark());
                break;
            case 'a':  // APPEND
                add_to(Kind::list, {pop()});
                break;
            case 'e':  // APPENDS
                add_to(Kind::list, pop_to_mark());
                break;
            case 'N':  // NONE
                push(Value{});
                break;
            case '\x88':                             // NEWTRUE
            case '\x89':                             // NEWFALSE
                push(Value{.kind = Kind::boolean});  // the value is never needed
                break;
            case 'K':  // BININT1
            case 'M':  // BININT2
                push_number(static_cast<std::int64_t>(unsigned_of(code == 'K' ? 1 : 2)));
                break;
            case 'J':  // BININT
                push_long(4);
                break;
            case '\x8a':  // LONG1
                push_long(static_cast<std::size_t>(unsigned_of(1)));
                break;
            case 'G':  // BINFLOAT
                take(8);
                push(Value{.kind = Kind::real});
                break;
            case 'X':  // BINUNICODE
                push_text(take(unsigned_of(4)));
                break;
            case '\x8c':  // SHORT_BINUNICODE
                push_text(take(unsigned_of(1)));
                break;
            case '\x8d':  // BINUNICODE8
                push_text(take(unsigned_of(8)));
                break;
            case 'q':  // BINPUT
            case 'r':  // LONG_BINPUT
                remember(unsigned_of(code == 'q' ? 1 : 4));
                break;
            case '\x94':  // MEMOIZE
                remember(memo_.size());
                break;
            case 'h':  // BINGET
            case 'j':  // LONG_BINGET
                recall(unsigned_of(code == 'h' ? 1 : 4));
                break;
            default:
                fail("has the opcode {1}, which no dictionary of tensors needs", static_cast<unsigned char>(code));
        }
        return true;
    }

    std::string_view bytes_;
    const std::string& file_;
    std::size_t at_ = 0;
    std::vector<Value> values_;
    std::vector<int> stack_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint64_t, int> memo_;
};

}  // namespace

std::vector<PickledTensor> read_torch_pickle(std::string_view bytes, const std::string& file) {
    return Unpickler(bytes, file).tensors();
}

}  // namespace glassformer
