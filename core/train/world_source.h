#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace glassformer {

/// What a world of one's own was made of, so that a checkpoint or a run can carry it: the world is there again when its
/// file has moved or gone. It says nothing of where the file was. Made by make_task() (core/tasks/tasks.h).
struct WorldSource {
    /// Of a held-out text no more is carried.
    static constexpr std::size_t most_held_out = 1u << 20;

    std::string kind;          // name of its WorldKind: "homonyms", "order" …, "text"
    std::string file;          // its name, without folders: "colours.grammar"
    std::string content = {};  // the whole file; empty: a text of which only `held_out` is here

    // Of a text, besides:
    std::string unit = {};              // what it was cut into
    std::uint64_t bytes = 0, mark = 0;  // of the whole file: how long it was, and hash_of() it
    std::string held_out = {};          // what the model is measured with
    std::vector<std::string> samples = {};
    std::uint64_t training_tokens = 0;  // in the part that was trained on
    double unigram_loss = 0.0;          // of the held-out part: see text_batches.h

    /// FNV-1a: two texts with the same mark are the same text.
    static std::uint64_t hash_of(const std::string& text);

    bool is_text() const { return kind == "text"; }
    bool operator==(const WorldSource&) const = default;
};

/// What a checkpoint carries of it: a text that was trained on stays with the person, but for its held-out part.
WorldSource for_checkpoint(WorldSource source);

}  // namespace glassformer
