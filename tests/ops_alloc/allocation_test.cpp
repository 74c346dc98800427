// After its first steps a planned run allocates nothing. This program replaces malloc and operator new to count the
// calls, so it is a program of its own.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#if defined(__GLIBC__)

#include <execinfo.h>

#include <atomic>
#include <barrier>
#include <cerrno>
#include <new>

#include "core/backend/cpu/cpu_backend.h"
#include "core/base/aligned.h"
#include "core/base/rng.h"
#include "core/nn/transformer.h"
#include "core/ops/ops.h"
#include "core/ops/product.h"
#include "core/tasks/tasks.h"
#include "core/tasks/world_data.h"
#include "core/train/optimizer.h"
#include "core/train/trainer.h"
#include "tests/ops/variants.h"

namespace {

std::atomic<bool> counting{false};
std::atomic<std::int64_t> calls{0}, news{0}, bytes{0};
// Where the first call came from.
constexpr int depth = 24;
void* origin[depth];
std::atomic<int> frames{0};

void count(std::size_t size) {
    if (!counting.load(std::memory_order_relaxed)) return;
    bytes += static_cast<std::int64_t>(size);
    if (calls.fetch_add(1) == 0) frames = backtrace(origin, depth);
}

/// Makes the first call of backtrace, which loads a library and so allocates.
void load_backtrace() {
    void* frame[1];
    backtrace(frame, 1);
}

/// Each thread of the pool makes its workspace for products in its first product, which can come late on a busy
/// machine.
void let_each_thread_multiply(glassformer::ThreadPool& pool) {
    std::barrier all(pool.threads());
    pool.run(pool.threads(), [&](std::int64_t) {
        all.arrive_and_wait();
        const float matrix[4] = {1, 2, 3, 4};
        float product[4];
        namespace kernel = glassformer::kernel;
        kernel::multiply({product, 2}, kernel::matrix(matrix, 2, 2), kernel::matrix(matrix, 2, 2).transposed());
    });
}

}  // namespace

extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
    count(size);
    return __libc_malloc(size);
}

void* calloc(std::size_t n, std::size_t size) {
    count(n * size);
    return __libc_calloc(n, size);
}

void* realloc(void* old, std::size_t size) {
    count(size);
    return __libc_realloc(old, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
    count(size);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
    count(size);
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}

}  // extern "C"

void* operator new(std::size_t size) {
    if (counting) ++news;
    if (void* memory = malloc(size ? size : 1)) return memory;
    throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    if (counting) ++news;
    if (void* memory = memalign(static_cast<std::size_t>(alignment), size ? size : 1)) return memory;
    throw std::bad_alloc();
}
// Not inlined, or GCC takes free for a mismatch with new.
[[gnu::noinline]] void operator delete(void* memory) noexcept { free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { free(memory); }

using namespace glassformer;

namespace {

struct Counted {
    std::int64_t forward = 0, backward = 0, update = 0, news = 0, bytes = 0;
};

/// Counts the calls of malloc in the third to fifth step of training such an encoder.
Counted allocations(const TransformerConfig& config, int batch, int threads) {
    const TransformerGraph model = build_transformer(config, {batch, config.n_ctx});
    const Graph& graph = *model.graph;
    CpuBackend backend(threads);
    let_each_thread_multiply(backend.pool());
    const auto run = backend.prepare(model.graph, {{}, model.loss});
    Rng rng(1);
    std::vector<float> ids(static_cast<std::size_t>(batch * config.n_ctx)), ones(ids.size(), 1.0f);
    for (float& id : ids) id = static_cast<float>(rng.below(static_cast<std::uint64_t>(config.d_vocab)));
    run->set_input(model.tokens, ids);
    run->set_input(model.targets, ids);
    run->set_input(model.key_mask, ones);
    run->set_input(model.loss_weights, ones);
    const std::vector<float> fresh = initial_parameters(graph, 1);
    AlignedFloats parameters(fresh.begin(), fresh.end()), gradients(fresh.size());
    const auto optimizer = make_optimizer(graph, {});

    Counted found;
    frames = 0;
    bytes = news = 0;
    const auto during = [](bool count_it, std::int64_t& total, const auto& body) {
        calls = 0;
        counting = count_it;
        body();
        counting = false;
        total += calls;
    };
    load_backtrace();
    for (int step = 0; step < 5; ++step) {
        const bool count_it = step >= 2;
        during(count_it, found.forward, [&] { run->forward(parameters); });
        during(count_it, found.backward, [&] { run->backward(gradients); });
        during(count_it, found.update, [&] {
            const double norm = gradient_norm(gradients, backend.pool());
            optimizer->step(parameters, gradients, norm > 1.0 ? static_cast<float>(1.0 / norm) : 1.0f, 1e-3f,
                            backend.pool());
        });
    }
    found.news = news;
    found.bytes = bytes;
    return found;
}

/// Checks that nothing is allocated; if GLASSFORMER_SHOW_ALLOCATIONS is set, shows where the first call came from (read
/// it with addr2line).
void check(const TransformerConfig& config, int batch) {
    for (const int threads : {1, 2}) {
        const Counted found = allocations(config, batch, threads);
        INFO("threads ", threads, ", d_model ", config.d_model, ", batch ", batch, ": ", found.bytes, " bytes");
        CHECK(found.news == 0);
        CHECK(found.update == 0);
        CHECK(found.forward == 0);
        CHECK(found.backward == 0);
        if (std::getenv("GLASSFORMER_SHOW_ALLOCATIONS")) backtrace_symbols_fd(origin, frames, 2);
    }
}

}  // namespace

TEST_CASE("the allocation counter counts") {
    load_backtrace();
    calls = news = 0;
    counting = true;
    void* volatile first = malloc(100);
    void* volatile second = ::operator new(100);
    counting = false;
    free(first);
    ::operator delete(second);
    CHECK(calls.load() == 2);
    CHECK(news.load() == 1);
}

TEST_CASE("training a tiny encoder allocates nothing from the third step on") {
    check({.d_vocab = 23, .n_ctx = 9, .d_model = 16, .n_heads = 2, .n_layers = 2, .d_mlp = 40}, 3);
}

TEST_CASE("training the homonym lesson's encoder allocates nothing from the third step on") {
    check({.d_vocab = 150, .n_ctx = 13, .d_model = 64, .n_heads = 4, .n_layers = 2, .d_mlp = 256}, 64);
}

TEST_CASE("training a wider encoder on longer sentences allocates nothing from the third step on") {
    check({.d_vocab = 500, .n_ctx = 64, .d_model = 128, .n_heads = 4, .n_layers = 2, .d_mlp = 512}, 16);
}

TEST_CASE("recurrent layers, whose kernels need extra memory, allocate nothing from the third step on") {
    const auto graph = std::make_shared<Graph>();
    const std::int64_t batch = 40, positions = 7, width = 24;
    const Node x = graph->parameter("x", {batch, positions, 3 * width}, {0.0f, 1.0f}),
               w_gru = graph->parameter("gru.w", {width, 3 * width}, {0.0f, 0.2f}),
               b_gru = graph->parameter("gru.b", {3 * width}, {}),
               w = graph->parameter("tanh.w", {width, width}, {0.0f, 0.2f}),
               b = graph->parameter("tanh.b", {width}, {});
    const Node states = graph->apply(ops::recurrent_gru(), {x, w_gru, b_gru}),
               out = graph->apply(ops::recurrent_tanh(), {states, w, b});
    const Node target = graph->input("target", out.shape()), weights = graph->input("weights", {batch, positions});
    const Node loss = graph->apply(ops::squared_error(), {out, target, weights});
    const std::vector<float> parameters = initial_parameters(*graph, 1), ones(batch * positions, 1.0f);
    for (const int threads : {1, 2}) {
        CpuBackend backend(threads);
        let_each_thread_multiply(backend.pool());
        const auto run = backend.prepare(graph, {{}, loss.id});
        run->set_input(weights.id, ones);
        AlignedFloats gradients(parameters.size());
        load_backtrace();
        calls = news = 0;
        for (int step = 0; step < 5; ++step) {
            counting = step >= 2;
            run->forward(parameters);
            run->backward(gradients);
            counting = false;
        }
        CHECK(calls.load() == 0);
        CHECK(news.load() == 0);
    }
}

#endif

TEST_CASE("no architecture allocates anything from the third step on") {
    load_backtrace();
    for (const testing::Variant& variant : testing::variants()) {
        const testing::VariantModel m(variant, 3);
        CpuBackend backend(2);
        let_each_thread_multiply(backend.pool());
        const auto run = m.prepare(backend, {{}, m.model.loss});
        AlignedFloats parameters = m.parameters, gradients(parameters.size());
        const auto optimizer = make_optimizer(m.graph, {});
        calls = news = 0;
        for (int step = 0; step < 4; ++step) {
            counting = step >= 2;
            run->forward(parameters);
            run->backward(gradients);
            optimizer->step(parameters, gradients, 1.0f, 1e-3f, backend.pool());
            counting = false;
        }
        INFO(variant.name);
        CHECK(calls.load() == 0);
    }
}

TEST_CASE("a trainer allocates nothing from the third step on, including batches and running statistics") {
    load_backtrace();
    TransformerConfig config{.d_vocab = 23, .n_ctx = 9, .d_model = 16, .n_heads = 2, .n_layers = 2, .d_mlp = 40};
    config.norm = NormKind::batch_norm;
    std::vector<std::vector<int>> corpus;
    for (int s = 0; s < 20; ++s) {
        corpus.emplace_back();
        for (int p = 0; p < 4 + s % 6; ++p) corpus.back().push_back(3 + (s * 7 + p) % 20);
    }
    for (const OptimizerKind kind :
         {OptimizerKind::sgd, OptimizerKind::momentum, OptimizerKind::adam, OptimizerKind::adamw}) {
        CpuBackend backend(2);
        let_each_thread_multiply(backend.pool());
        TrainOptions options;
        options.batch = 8;
        options.optimizer.kind = kind;
        Trainer trainer(backend, config, std::make_shared<MaskedWords>(corpus, 9), options);
        // Also when watched and with a head removed; what is looked at allocates its memory the first time.
        trainer.remove_head("blocks.0.attn", 1);
        trainer.watch(true);
        frames = 0;
        calls = news = 0;
        for (int step = 0; step < 6; ++step) {
            counting = step >= 2;
            trainer.step();
            trainer.last_update();
            trainer.loss_of_tokens();
            counting = false;
        }
        if (std::getenv("GLASSFORMER_SHOW_ALLOCATIONS")) backtrace_symbols_fd(origin, frames, 2);
        INFO(name_of(kind));
        CHECK(calls.load() == 0);
    }
}

TEST_CASE("training on any world allocates nothing from the fifth step on") {
    load_backtrace();
    const std::filesystem::path folder = GLASSFORMER_SOURCE_DIR "/assets/worlds";
    for (const std::string& world : world_names(folder)) {
        const std::unique_ptr<Task> task = make_task(world, folder);
        CpuBackend backend(2);
        let_each_thread_multiply(backend.pool());
        TrainOptions options = task->options;
        options.batch = 8;
        Trainer trainer(backend, task->config, task->batches, options);
        frames = 0;
        calls = news = 0;
        for (int step = 0; step < 8; ++step) {
            counting = step >= 4;
            trainer.step();
            counting = false;
        }
        if (std::getenv("GLASSFORMER_SHOW_ALLOCATIONS")) backtrace_symbols_fd(origin, frames, 2);
        INFO(world);
        CHECK(calls.load() == 0);
    }
}
