#include "core/base/thread_pool.h"

#include <doctest/doctest.h>

#include <cerrno>
#include <vector>

#include "tests/faults/failing_calls.h"

using namespace glassformer;

TEST_CASE("a pool whose threads cannot all be started works with those that it has") {
    for (int failing = 1; failing <= 3; ++failing) {
        const FailingCall limit(failing, EAGAIN);
        ThreadPool pool(4);
        REQUIRE(limit.happened());
        CHECK(pool.threads() == failing);
        std::vector<int> done(1000);
        pool.run(1000, [&](std::int64_t i) { ++done[i]; });
        CHECK(done == std::vector<int>(1000, 1));
    }
}
