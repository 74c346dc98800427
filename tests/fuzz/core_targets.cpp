#include <fstream>

#include "core/base/error.h"
#include "core/io/config_json.h"
#include "core/io/gguf_model.h"
#include "core/io/glass_file.h"
#include "core/io/hugging_face_family.h"
#include "core/io/json_fields.h"
#include "core/io/model_files.h"
#include "core/io/run_settings.h"
#include "core/io/safetensors.h"
#include "core/io/torch_file.h"
#include "core/io/training_files.h"
#include "core/tasks/tasks.h"
#include "core/text/tokenizer.h"
#include "core/text/word_tokenizer.h"
#include "core/train/timeline.h"
#include "core/worlds/coreference.h"
#include "core/worlds/next_word.h"
#include "core/worlds/order.h"
#include "core/worlds/translation.h"
#include "core/worlds/user_text.h"
#include "core/worlds/world.h"
#include "tests/core/temporary_folder.h"
#include "tests/fuzz/targets.h"

namespace glassformer::fuzz {

namespace {

namespace fs = std::filesystem;

/// The temporary folder of this process, removed at exit.
const fs::path& scratch() {
    static const TemporaryFolder folder;
    return folder.path();
}

template <class Call>
void attempt(const Call& call) {
    try {
        call();
    } catch (const Error&) {
        // Rejected, which is a valid answer.
    }
}

void safetensors(std::string_view bytes) {
    attempt([&] { require_finite(parse_safetensors(bytes, "file"), "file"); });
    attempt([&] {
        const SafetensorsFile file(file_with(bytes, "model.safetensors"));
        for (const TensorEntry& entry : file.entries()) file.read(entry);
    });
}

/// A GGUF file, and the model in it.
void gguf(std::string_view bytes) {
    const fs::path path = file_with(bytes, "model.gguf");
    attempt([&] {
        const GgufFile file(path);
        for (const TensorEntry& entry : file.entries()) attempt([&] { file.read(entry); });
    });
    attempt([&] { load_gguf(path); });
}

void torch(std::string_view bytes) {
    attempt([&] { read_torch_pickle(bytes, "file"); });
    attempt([&] {
        const TorchFile file(file_with(bytes, "pytorch_model.bin"));
        for (const TensorEntry& entry : file.entries()) attempt([&] { file.read(entry); });
    });
}

void config(std::string_view bytes) {
    const nlohmann::json object = parse_object(std::string(bytes), "config.json");
    attempt([&] { config_from_json(object, "config.json", {}); });
    attempt([&] { encoder_from_json(object, "config.json"); });
}

/// The config.json of a published model, read as each family's in turn.
void published_config(std::string_view bytes) {
    const nlohmann::json object = parse_object(std::string(bytes), "config.json");
    for (const HuggingFaceFamily& family : hugging_face_families())
        attempt([&] {
            HuggingFaceConfig fields(object, "config.json");
            family.layout(family.config(fields));
        });
}

void run_json(std::string_view bytes) { read_run_settings(file_with(bytes, "run.json")); }

void world_json(std::string_view bytes) {
    const auto source = read_world(file_with(bytes, world_file_name).parent_path());
    if (source && source->content.size() < 4096) make_task(*source, nullptr);
}

void glass(std::string_view bytes) { load_glass(file_with(bytes, "x.glass")); }

void log(std::string_view bytes) {
    for (const PartialLine torn : {PartialLine::refuse, PartialLine::pass_over})
        attempt([&] { log_as_csv(parse_log(bytes, "log.jsonl", torn).points); });
}

void state(std::string_view bytes) { read_state(file_with(bytes, "state-3.safetensors")); }

void timeline(std::string_view bytes) { read_timeline(file_with(bytes, "timeline.safetensors"), 4); }

/// A step that did not fit into memory and was moved to disk.
void kept_step(std::string_view bytes) {
    const DiskCache folder(scratch());
    std::ofstream(folder.file(3), std::ios::binary) << bytes;
    folder.read(3);
}

/// Loads the tokenizer from a folder with this file, and encodes and decodes with it.
void tokenizer(std::string_view bytes, const char* file) {
    const fs::path path = file_with(bytes, file);
    const auto read = [&] { return load_tokenizer(path.parent_path()); };
    std::shared_ptr<const Tokenizer> made;
    try {
        made = read();
    } catch (const Error&) {
        fs::remove(path);
        throw;
    }
    fs::remove(path);
    if (!made) return;
    attempt([&] { made->decode(made->ids("The bat, ünd a 猫.")); });
    for (int id = 0; id < std::min(made->size(), 300); ++id) made->token_text(id);
}

void words(std::string_view bytes) { tokenizer(bytes, "vocab.txt"); }
void characters(std::string_view bytes) { tokenizer(bytes, "characters.json"); }
void byte_pairs(std::string_view bytes) { tokenizer(bytes, "byte_pairs.json"); }
void gpt2(std::string_view bytes) { tokenizer(bytes, "tokenizer.json"); }
void hf_tokenizer(std::string_view bytes) { tokenizer(bytes, "tokenizer.json"); }

/// GPT-2's two files, separated by a line of four =.
void gpt2_files(std::string_view bytes) {
    const std::size_t cut = std::min(bytes.find("\n====\n"), bytes.size());
    const fs::path vocabulary = file_with(bytes.substr(0, cut), "vocab.json");
    attempt([&] { tokenizer(bytes.substr(std::min(cut + 6, bytes.size())), "merges.txt"); });
    fs::remove(vocabulary);
}

void grammar(std::string_view bytes) {
    if (bytes.size() > 8192) return;  // a large language takes long
    World::parse(bytes, "fuzz.grammar");
}

void word_lists(std::string_view bytes) {
    if (bytes.size() > 8192) return;
    attempt([&] { CoreferenceWorld::parse(bytes, "fuzz.words"); });
    attempt([&] { OrderWorld::parse(bytes, "fuzz.words"); });
    attempt([&] { TranslationWorld::parse(bytes, "fuzz.words"); });
    attempt([&] { NextWordWorld::parse(bytes, "fuzz.words"); });
}

void text(std::string_view bytes) { UserText::parse(std::string(bytes), "fuzz.txt"); }

/// A sentence that a user types.
void sentence(std::string_view bytes) {
    static const WordTokenizer tokenizer(std::vector<std::string>{"a", "bat", "the", "ünd", "."});
    tokenizer.encode(bytes);
    tokenizer.decode(tokenizer.ids(bytes));
}

constexpr Target all[] = {
    {"safetensors", safetensors},
    {"gguf", gguf},
    {"torch", torch},
    {"config", config},
    {"published_config", published_config},
    {"run_json", run_json},
    {"world_json", world_json},
    {"glass", glass},
    {"log", log},
    {"state", state},
    {"timeline", timeline},
    {"kept_step", kept_step},
    {"words", words},
    {"characters", characters},
    {"byte_pairs", byte_pairs},
    {"gpt2", gpt2},
    {"gpt2_files", gpt2_files},
    {"hf_tokenizer", hf_tokenizer},
    {"grammar", grammar},
    {"word_lists", word_lists},
    {"text", text},
    {"sentence", sentence},
};

}  // namespace

std::span<const Target> core_targets() { return all; }

void run(const Target& target, std::string_view bytes) {
    attempt([&] { target.read(bytes); });
}

fs::path file_with(std::string_view bytes, const std::string& name) {
    fs::path path = scratch() / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

}  // namespace glassformer::fuzz
