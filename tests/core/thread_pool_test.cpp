#include "core/base/thread_pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>
#include <string>

using namespace glassformer;

TEST_CASE("an exception in any thread reaches the caller, and the pool still works") {
    for (const int threads : {1, 4}) {
        ThreadPool pool(threads);
        for (int round = 0; round < 50; ++round) {
            std::string caught;
            try {
                pool.run(64, [](std::int64_t i) {
                    if (i % 3 == 1) throw std::runtime_error("broken");
                });
            } catch (const std::runtime_error& e) {
                caught = e.what();
            }
            CHECK(caught == "broken");
            std::atomic<int> done{0};
            pool.run(64, [&](std::int64_t) { ++done; });
            CHECK(done == 64);
        }
    }
}
