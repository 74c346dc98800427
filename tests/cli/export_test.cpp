#include <map>

#include "tests/cli/program.h"

using namespace glassformer;

namespace {

/// Other programs open the files that ours wrote. If one is not installed, as on Windows, its part of the test is
/// skipped.
bool have(const std::string& command) {
    return !on_windows && std::system(("(" + command + ") >/dev/null 2>&1").c_str()) == 0;
}

std::string printed_by(const std::string& command) {
    const TemporaryFolder folder;
    const std::string out = (folder / "out").string();
    CHECK(std::system(("(" + command + ") >" + in_quotes(out)).c_str()) == 0);
    return contents(out);
}

const std::string numpy = "/usr/bin/python3 -c 'import numpy'";

/// Label and value of each row.
std::map<std::string, std::string> rows_of(const std::string& table) {
    std::map<std::string, std::string> rows;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t comma = line.starts_with('"') ? line.find("\",") + 1 : line.find(',');
        const std::size_t end = line.find(',', comma + 1);
        if (end != std::string::npos) rows[line.substr(0, comma)] = line.substr(comma + 1, end - comma - 1);
    }
    return rows;
}

}  // namespace

TEST_CASE("a panel is written as SVG, PDF, CSV and NPZ, with the same words and numbers in each") {
    const TemporaryFolder folder;
    write(folder / "look.script", "click \"view/Attention\"\nframes 3\nprint \"A/weight 7\"\n");
    const auto shot = [&](const std::string& file) {
        const Ran ran = run({"shot", (folder / file).string(), "--panel", "window", "--caption", "--script",
                             (folder / "look.script").string()});
        CAPTURE(ran.err);
        REQUIRE(ran.code == 0);
        return ran.out;
    };
    const std::string said = shot("x.svg");
    const std::string svg = contents(folder / "x.svg");
    for (const char* part :
         {">foul</text>", "Words with two meanings", "A · block 1, head 2: He swung the bat and hit a foul.", "<path "})
        CHECK(contains(svg, part));
    if (have("command -v rsvg-convert"))
        CHECK(have("rsvg-convert " + in_quotes((folder / "x.svg").string()) + " -o " +
                   in_quotes((folder / "svg.png").string())));
    shot("x.pdf");
    CHECK(contents(folder / "x.pdf").starts_with("%PDF"));
    if (have("command -v pdftotext")) {
        const std::string text = printed_by("pdftotext " + in_quotes((folder / "x.pdf").string()) + " -");
        CHECK(contains(text, "foul"));
        CHECK(contains(text, "A · block 1, head 2: He swung the bat and hit a foul."));
    }
    shot("x.csv");
    const auto rows = rows_of(contents(folder / "x.csv"));
    REQUIRE(rows.contains("A/weight 7"));
    // The page and the picture contain the number as the screen rounds it.
    char shown[16];
    std::snprintf(shown, sizeof shown, "%.2f", std::stod(rows.at("A/weight 7")));
    CHECK(contains(svg, std::string(">") + shown + "</text>"));
    if (have("command -v pdftotext"))
        CHECK(contains(printed_by("pdftotext " + in_quotes((folder / "x.pdf").string()) + " -"), shown));
    CHECK(contains(said, "A/weight 7 = " + rows.at("A/weight 7").substr(0, 6)));
    shot("x.npz");
    if (have(numpy)) {
        const std::string value =
            printed_by("/usr/bin/python3 -c 'import numpy, sys; print(numpy.load(sys.argv[1])[\"A/weight\"][7])' " +
                       in_quotes((folder / "x.npz").string()));
        CHECK(std::stof(value) == std::stof(rows.at("A/weight 7")));
    }
}

TEST_CASE("a panel's table and arrays name the model, step, changes and sentences of their numbers") {
    const TemporaryFolder folder;
    write(folder / "look.script", "click \"view/Attention\"\nframes 3\nkey X\nwait altered\nframes 3\n");
    const auto written = [&](const std::string& file) {
        const Ran ran = run(
            {"shot", (folder / file).string(), "--panel", "A/pattern", "--script", (folder / "look.script").string()});
        CAPTURE(ran.err);
        REQUIRE(ran.code == 0);
        return contents(folder / file);
    };
    const std::string table = written("x.csv");
    std::istringstream lines(table);
    std::string line;
    REQUIRE(std::getline(lines, line));
    CHECK(line == "name,value,of");
    int rows = 0;
    for (; std::getline(lines, line); ++rows)
        for (const char* part :
             {"Words with two meanings · step 1200", "altered: block ", "A · block 1, head 2: He swung the bat"}) {
            CAPTURE(part);
            CHECK(contains(line, part));
        }
    CHECK(rows >= 81);  // each of nine words attends to nine
    written("x.npz");
    if (have(numpy)) {
        const std::string of =
            printed_by("/usr/bin/python3 -c 'import numpy, sys; print(str(numpy.load(sys.argv[1])[\"of\"]))' " +
                       in_quotes((folder / "x.npz").string()));
        for (const char* part :
             {"Words with two meanings · step 1200\naltered: block ", "A · block 1, head 2: He swung the bat"})
            CHECK(contains(of, part));
    }
}

TEST_CASE("one item is drawn at four times its size, and what cannot be written is reported") {
    const TemporaryFolder folder;
    const std::string png = (folder / "x.png").string();
    write(folder / "look.script", "click \"view/Attention\"\nframes 3\n");
    const Ran ran =
        run({"shot", png, "--panel", "A/pattern", "--times", "4", "--script", (folder / "look.script").string()});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    const std::string bytes = contents(png);
    REQUIRE(bytes.starts_with("\x89PNG"));
    const auto side = [&](std::size_t at) {
        return static_cast<unsigned char>(bytes[at + 2]) * 256 + static_cast<unsigned char>(bytes[at + 3]);
    };
    CHECK(side(16) > 600);
    const auto fails = [&](const std::vector<std::string>& arguments, int code, const std::string& part) {
        const Ran refused = run(arguments);
        CAPTURE(refused.err);
        CHECK(refused.code == code);
        CHECK(refused.one_line());
        CHECK(refused.says(part));
    };
    // From a view that is not the initial one.
    for (const char* item : {"A/pattern", "B/pattern"}) {
        const Ran found = run({"shot", (folder / "found.csv").string(), "--panel", item});
        CAPTURE(found.err);
        CHECK(found.code == 0);
        CHECK(contains(contents(folder / "found.csv"), std::string(item).substr(0, 2)));
    }
    // An item below the visible part is scrolled to; what covers that place is not mistaken for it.
    const std::string small = (folder / "small.csv").string();
    CHECK(run({"shot", small, "--panel", "A/pattern", "--size", "1280x720"}).code == 0);
    CHECK(contains(contents(small), "A/pattern 8 8"));
    CHECK(contains(contents(small), "\nA/pattern 0 0"));
    fails({"shot", png, "--panel", "no such item"}, 1, "there is no item \"no such item\"");
    fails({"shot", (folder / "x.bmp").string(), "--panel", "window"}, 1, ".png, .svg, .pdf, .csv or .npz");
    fails({"shot", (folder / "x.svg").string()}, 1, "--panel");
    fails({"shot", png, "--times", "2"}, 2, "--panel");
}

TEST_CASE("trace writes arrays that NumPy reads, with the same numbers as the safetensors file") {
    const TemporaryFolder folder;
    for (const char* file : {"t.npz", "t.safetensors"})
        REQUIRE(run({"trace", "--model", shipped_model.string(), "--text", "a bat flew", "--gradients", "logit:bat",
                     "--out", (folder / file).string()})
                    .code == 0);
    CHECK(contents(folder / "t.npz").starts_with("PK"));
    if (!have(numpy)) return;
    const std::string same = printed_by(
        "/usr/bin/python3 -c 'import numpy, json, struct, sys\n"
        "f = open(sys.argv[2], \"rb\"); n = struct.unpack(\"<Q\", f.read(8))[0]; head = json.loads(f.read(n)); data = "
        "f.read()\n"
        "arrays = numpy.load(sys.argv[1]); about = head.pop(\"__metadata__\")\n"
        "assert about == {\"text\": \"a bat flew\", \"with_gradients_of\": \"logit:bat\"}\n"
        "assert set(arrays) == set(head) | set(about)\n"
        "assert all(str(arrays[name]) == text for name, text in about.items())\n"
        "for name, h in head.items():\n"
        "    a, b = h[\"data_offsets\"]\n"
        "    assert arrays[name].shape == tuple(h[\"shape\"]) and arrays[name].tobytes() == data[a:b], name\n"
        "print(len(head))' " +
        in_quotes((folder / "t.npz").string()) + " " + in_quotes((folder / "t.safetensors").string()));
    CHECK(std::stoi(same) > 20);
}

TEST_CASE("train builds the model that its options describe, and resumes it") {
    const TemporaryFolder folder;
    const std::string run_folder = (folder / "run").string();
    const Ran ran = run({"train",
                         "--world",
                         "homonyms",
                         "--steps",
                         "2",
                         "--threads",
                         "1",
                         "--run",
                         run_folder,
                         "--out",
                         (folder / "model").string(),
                         "--layers",
                         "3",
                         "--d-model",
                         "24",
                         "--heads",
                         "2",
                         "--positions",
                         "rotary",
                         "--norm",
                         "rms_norm",
                         "--untied"});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    const std::string config = contents(folder / "model" / "config.json");
    for (const char* part : {"rotary", "rms_norm"}) CHECK(contains(config, part));
    const Ran more = run({"train", "--resume", run_folder, "--threads", "1"});
    CAPTURE(more.err);
    CHECK(more.code == 0);
    const Ran refused = run({"train", "--world", "homonyms", "--steps", "1", "--heads", "5"});
    CHECK(refused.code == 1);
    CHECK(refused.one_line());
    CHECK(run({"train", "--world", "homonyms", "--norm", "nothing"}).code == 2);
    CHECK(run({"train", "--resume", run_folder, "--layers", "2"}).code == 2);
}

TEST_CASE("train builds shared key heads, windows, q/k norm, parallel blocks and partial rotary positions") {
    const TemporaryFolder folder;
    const std::string model = (folder / "model").string();
    const Ran ran = run({"train",      "--world",     "homonyms", "--steps",        "2",  "--threads", "1", "--out",
                         model,        "--heads",     "4",        "--key-heads",    "2",  "--window",  "3", "--qk-norm",
                         "--parallel", "--positions", "rotary",   "--rotary-share", "0.5"});
    CAPTURE(ran.err);
    REQUIRE(ran.code == 0);
    const std::string config = contents(folder / "model" / "config.json");
    for (const char* part : {"\"n_key_value_heads\": 2", "\"window\": 3", "\"qk_norm\": true", "\"parallel\": true",
                             "\"rotary_pct\": 0.5"}) {
        CAPTURE(part);
        CHECK(contains(config, part));
    }
    CHECK(run({"check", "--model", model, "--words", "8", "--threads", "1", "--backend", "cpu"}).code == 0);
    CHECK(run({"train", "--world", "homonyms", "--rotary-share", "0"}).code == 2);
}

/// True if the help says "TYPE=default"; newer versions of CLI11 write "TYPE [default]".
bool tells(const std::string& help, const std::string& option) {
    const std::size_t equals = option.rfind('=');
    const std::string newer = option.substr(0, equals) + " [" + option.substr(equals + 1) + "]";
    return contains(help, option) || contains(help, newer);
}

TEST_CASE("--help shows the defaults") {
    CHECK(tells(run({"shot", "--help"}).out, "=1600x1000"));
    CHECK(tells(run({"generate", "--help"}).out, "=50"));
    const std::string train = run({"train", "--help"}).out;
    for (const char* told : {"--steps INT:INT in [0 - 100000000]=the world's own", "[1e-08 - 10]=the world's own",
                             "--batch INT:INT in [1 - 4096]=the world's own", "{auto,cpu,gl}=auto",
                             "{characters,words,byte_pairs}=characters", "--seed UINT=1"}) {
        CAPTURE(told);
        CHECK(tells(train, told));
    }
    CHECK(tells(run({"--help"}).out, "--model TEXT=homonyms"));
    for (const char* command : {"trace", "generate", "train"}) CHECK(!contains(run({command, "--help"}).out, "=[]"));
    // The defaults that help shows do not count as typed options.
    CHECK(run({"train", "--world", "homonyms", "--seconds", "0.1", "--out", "m"}).code == 0);
}
