#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

// An op itself says what it is (OpTraits, TermReading in core/ops/op.h). Code that tests its name instead has to be
// edited for every new op, and nothing reports it when somebody forgets.

namespace {

const std::string source = GLASSFORMER_SOURCE_DIR;

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Returns the names of all ops, each read from where the op states its own.
std::set<std::string> op_names() {
    const std::regex own(R"re(name\(\) const override \{ return "(\w+)"; \})re");
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(source + "/core/ops")) {
        const std::string text = text_of(entry.path());
        for (std::sregex_iterator i(text.begin(), text.end(), own), end; i != end; ++i) names.insert((*i)[1]);
    }
    return names;
}

/// Returns the prefixes that at least two names share, in whole words, such as "layer_norm_".
std::set<std::string> families(const std::set<std::string>& names) {
    std::set<std::string> found;
    for (const std::string& name : names)
        for (std::size_t i = name.find('_'); i != std::string::npos; i = name.find('_', i + 1)) {
            const std::string start = name.substr(0, i + 1);
            const auto begins = [&](const std::string& other) { return other.starts_with(start); };
            if (std::ranges::count_if(names, begins) > 1) found.insert(start);
        }
    return found;
}

/// True for an op's name that means something else in this file: a node of the graph, a value in config.json.
bool means_something_else(const fs::path& file, const std::string& literal) {
    const std::string name = file.filename().string();
    return (literal == "position_index" && name == "transformer.cpp") ||
           (literal == "gelu_tanh" && name == "config.h") || (literal == "dropout" && name == "experiment_knobs.cpp");
}

/// Whether the line uses the literal as an op's name. One with an underscore can mean little else. A plain word
/// ("scale", "mask") also occurs on the screen and in files, so it counts only if it is compared or stands beside an
/// op.
bool names_an_op(const std::string& line, const std::string& literal) {
    if (literal.find('_') != std::string::npos) return true;
    static const std::regex beside(R"re(\bop\b|\bop_name\b|op->name\(\)|\btraits\b)re");
    for (const std::string& form : {"== \"" + literal + "\"", "!= \"" + literal + "\"",
                                    "\"" + literal + "\" ==", "\"" + literal + "\" !=", "_with(\"" + literal + "\""})
        if (line.find(form) != std::string::npos) return true;
    return std::regex_search(line, beside);
}

std::vector<std::string> complaints(const std::string& file_name, const std::string& text,
                                    const std::set<std::string>& names) {
    static const std::regex literal(R"re("(\w+)")re");
    std::vector<std::string> found;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::string code = line.substr(0, line.find("//"));
        for (std::sregex_iterator i(code.begin(), code.end(), literal), end; i != end; ++i) {
            const std::string word = (*i)[1];
            if (names.contains(word) && names_an_op(code, word) && !means_something_else(file_name, word))
                found.push_back(file_name + ":" + std::to_string(number) + " names the op \"" + word +
                                "\": ask its traits (core/ops/op.h) instead");
        }
    }
    return found;
}

}  // namespace

TEST_CASE("only an op's own code names it") {
    std::set<std::string> names = op_names();
    REQUIRE(names.size() >= 40);
    names.merge(families(names));
    REQUIRE(names.contains("layer_norm_"));
    int files = 0;
    for (const char* room : {"/core", "/app"})
        for (const auto& entry : fs::recursive_directory_iterator(source + room)) {
            const std::string path = entry.path().lexically_relative(source).generic_string();
            const bool code = path.ends_with(".cpp") || path.ends_with(".h");
            if (!code || path.starts_with("core/ops/") || path.starts_with("core/backend/gl/ops/")) continue;
            ++files;
            for (const std::string& complaint : complaints(path, text_of(entry.path()), names))
                CHECK_MESSAGE(false, complaint);
        }
    CHECK(files > 300);
}

TEST_CASE("the search for op names finds comparisons with a name, and nothing else") {
    const std::set<std::string> names = op_names();
    const auto count = [&](const std::string& code) { return complaints("some_file.cpp", code, names).size(); };
    CHECK(count(R"(if (op(node) == "add" || op(node) == "dropout") return;)") == 2);
    CHECK(count(R"(    return is_one_of(e.op, {"softmax", "hardmax"});)") == 2);
    CHECK(count(R"(for (auto name : {"layer_norm_scale", "rms_norm_scale"}))") == 2);
    CHECK(count(R"(draw::text(ui, at, "softmax");  // not e.op == "softmax")") == 0);
    CHECK(count(R"(visit("dropout", dropout);)") == 0);
}
