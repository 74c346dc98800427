#include <doctest/doctest.h>

#include <cmath>

#include "core/train/train_options.h"
#include "tests/core/error_of.h"

using namespace glassformer;

TEST_CASE("a constant schedule is the peak at every step") {
    const Schedule schedule{0.3f, 50, 100, 0.1f, ScheduleKind::constant};
    for (const std::int64_t step : {1, 7, 50, 100, 5000}) CHECK(schedule.at(step) == 0.3f);
}

TEST_CASE("the cosine is multiplied by the warm-up, and ends at the floor") {
    const Schedule schedule{1.0f, 10, 100, 0.1f};
    CHECK(schedule.kind == ScheduleKind::cosine);
    CHECK(schedule.at(50) == doctest::Approx(0.55));  // half way: (1 + 0.1) / 2
    CHECK(schedule.at(5) == doctest::Approx(0.5 * (0.1 + 0.9 * 0.5 * (1.0 + std::cos(0.05 * 3.14159265358979)))));
    CHECK(schedule.at(100) == doctest::Approx(0.1));
    CHECK(schedule.at(1000) == doctest::Approx(0.1));
}

TEST_CASE("the linear schedule climbs to the peak, goes straight down, and stays at the floor") {
    const Schedule schedule{2.0f, 10, 110, 0.1f, ScheduleKind::linear};
    CHECK(schedule.at(1) == doctest::Approx(0.2));
    CHECK(schedule.at(10) == doctest::Approx(2.0));
    CHECK(schedule.at(60) == doctest::Approx(1.1));  // half way from 2 to 0.2
    CHECK(schedule.at(85) == doctest::Approx(0.65));
    CHECK(schedule.at(110) == doctest::Approx(0.2));
    CHECK(schedule.at(111) == doctest::Approx(0.2));
    // Without a warm-up, and with one as long as the whole run.
    CHECK(Schedule{2.0f, 0, 100, 0.0f, ScheduleKind::linear}.at(50) == doctest::Approx(1.0));
    CHECK(Schedule{2.0f, 10, 10, 0.1f, ScheduleKind::linear}.at(5) == doctest::Approx(1.0));
    CHECK(Schedule{2.0f, 10, 10, 0.1f, ScheduleKind::linear}.at(10) == doctest::Approx(0.2));
}

TEST_CASE("schedules have names and formulas, and the error for a number out of range names it") {
    for (const ScheduleKind kind : {ScheduleKind::constant, ScheduleKind::cosine, ScheduleKind::linear}) {
        CHECK(schedule_kind(name_of(kind)) == kind);
        const Schedule schedule{.kind = kind};
        CHECK(schedule.formula().starts_with("lr = peak"));
    }
    CHECK(contains(error_of([] { schedule_kind("steep"); }), "\"steep\""));
    CHECK(contains(error_of([] { validate(Schedule{.floor = 1.5f}); }), "floor"));
    CHECK(contains(error_of([] { validate(Schedule{.warmup = -1}); }), "warm-up"));
    CHECK(error_of([] { validate(Schedule{}); }).empty());
}
