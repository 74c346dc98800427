#include <doctest/doctest.h>

#include "core/io/safetensors.h"
#include "core/io/training_files.h"
#include "tests/core/error_of.h"
#include "tests/core/same_state.h"
#include "tests/core/temporary_folder.h"
#include "tests/core/training_models.h"

using namespace glassformer;
using namespace glassformer::testing;
namespace fs = std::filesystem;

namespace {

TrainingState trained(OptimizerKind kind) {
    CpuBackend backend(1);
    TrainOptions options = training_options(kind);
    options.seed = 0xffff'ffff'ffff'fff5u;  // more than a signed number holds
    Trainer trainer(backend, training_config(), small_corpus(), options);
    for (int i = 0; i < 3; ++i) trainer.step();
    return trainer.state();
}

/// Returns the message of read_state after a change to the file's content.
template <class Change>
std::string refused(const fs::path& file, const TrainingState& state, const Change& change) {
    write_state(file, state);
    Safetensors content = read_safetensors(file);
    change(content);
    write_safetensors(file, content);
    const std::string message = error_of([&] { read_state(file); });
    CHECK(message.starts_with(file.string()));
    return message;
}

}  // namespace

TEST_CASE("state file: a state is restored bit for bit, for every optimizer, with and without moments") {
    const TemporaryFolder folder;
    for (const OptimizerKind kind : all_optimizers) {
        INFO(name_of(kind));
        TrainingState state = trained(kind);
        write_state(folder / "state", state);
        CHECK(same_state(read_state(folder / "state"), state));
        CHECK(read_state(folder / "state").exact());
        state.optimizer.m = state.optimizer.v = nullptr;
        write_state(folder / "state", state);
        CHECK(same_state(read_state(folder / "state"), state));
    }
    CHECK(contains(error_of([&] { write_state(folder / "none", {}); }), "no parameters"));
    CHECK_FALSE(fs::exists(folder / "none"));
}

TEST_CASE("state file: content that does not fit the optimizer is refused, and the error names the file") {
    const TemporaryFolder folder;
    const fs::path file = folder / "state";
    const TrainingState state = trained(OptimizerKind::adamw);
    const auto with = [&](const char* field, const char* value) {
        return refused(file, state, [&](Safetensors& content) { content.metadata[field] = value; });
    };
    CHECK(contains(with("optimizer", "lion"), "\"lion\""));
    CHECK(contains(with("optimizer", "sgd"), "\"moment.m\" is not a moment of the optimizer sgd"));
    CHECK(contains(with("optimizer", "momentum"), "\"moment.v\" is not a moment of the optimizer momentum"));
    CHECK(contains(with("seed", "-1"), "\"seed\" is \"-1\""));
    CHECK(contains(with("step", "3x"), "\"step\" is \"3x\""));
    CHECK(contains(refused(file, state, [](Safetensors& c) { c.metadata.erase("seed"); }), "lacks \"seed\""));
    CHECK(contains(refused(file, state, [](Safetensors& c) { c.tensors.pop_back(); }), "\"moment.v\" is missing"));
    CHECK(contains(refused(file, state, [](Safetensors& c) { c.tensors.erase(c.tensors.begin()); }), "\"parameters\""));
    CHECK(contains(refused(file, state,
                           [](Safetensors& c) {
                               c.tensors.back().tensor = Tensor(Shape{2}, {1.0f, 2.0f});
                           }),
                   "a value for each parameter"));
}
