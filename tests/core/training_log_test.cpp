#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "core/io/training_files.h"
#include "tests/core/error_of.h"
#include "tests/core/temporary_folder.h"

using namespace glassformer;

namespace {

MetricPoint measured() {
    MetricPoint p{50, 2.5f, 0.75f};
    p.held_out_loss = 2.625f;
    p.gradient_norm = 0.1f;
    p.learning_rate = 5e-3f;
    p.tokens_per_second = 123456.0f;
    p.clip_factor = 0.5f;
    return p;
}

std::string refused(const std::string& text) {
    return error_of([&] { parse_log(text, "log.jsonl", PartialLine::pass_over); });
}

}  // namespace

TEST_CASE("log: every number is read back bit for bit, and one that was not measured is omitted") {
    const HeadScore heads[] = {{0, 2, 0.1f, 0.2f, 0.3f, 0.4f}, {1, 0, 0.5f, 0.6f, 0.7f}};
    const std::string text = log_line({49, 1.0f / 3.0f}) + log_line(measured(), heads);
    CHECK(text.starts_with("{\"step\":49,\"loss\":0.333333343}\n"));
    std::vector<std::size_t> ends;
    const TrainingLog log = parse_log(text, "log.jsonl", PartialLine::refuse, &ends);
    REQUIRE(log.points.size() == 2);
    CHECK(log.points[0] == MetricPoint{49, 1.0f / 3.0f});
    CHECK(log.points[1] == measured());
    REQUIRE(log.heads.size() == 1);
    CHECK(log.heads[0] == HeadScoresAt{50, {heads[0], heads[1]}});
    CHECK(ends == std::vector<std::size_t>{text.find('\n') + 1, text.size()});
}

TEST_CASE("log: logs of earlier versions are read, and unknown fields are ignored") {
    const TrainingLog log =
        parse_log("{\"step\":1,\"loss\":2}\n{\"step\":2,\"loss\":1,\"accuracy\":0.5,\"mood\":\"good\"}", "log.jsonl",
                  PartialLine::refuse);
    REQUIRE(log.points.size() == 2);
    CHECK(log.points[1].accuracy == 0.5f);
    CHECK(log.points[1].gradient_norm == -1.0f);
}

TEST_CASE("log: infinite numbers are omitted, so that the line can be read") {
    MetricPoint point{1, 2.0f};
    point.gradient_norm = point.held_out_loss = std::numeric_limits<float>::infinity();
    CHECK(log_line(point) == "{\"step\":1,\"loss\":2}\n");
}

TEST_CASE("log: scores of heads that are not finite are omitted, so that the line can be read") {
    const HeadScore heads[] = {{0, 2, 0.1f, 0.2f, 0.3f, 0.4f},
                               {1, 0, std::numeric_limits<float>::quiet_NaN(), 0.6f, 0.7f}};
    const TrainingLog log = parse_log(log_line(measured(), heads), "log.jsonl", PartialLine::refuse);
    REQUIRE(log.points.size() == 1);
    CHECK(log.points[0] == measured());
    CHECK(log.heads.empty());
}

TEST_CASE("log: a checkpoint's log of a very long training is thinned, so that it can be read") {
    const TemporaryFolder folder;
    std::vector<MetricPoint> points;
    for (std::int64_t step = 1; step <= 1'200'000; ++step) {
        MetricPoint p = measured();
        p.step = step;
        if (step % 3 != 0) p.accuracy = -1.0f;
        points.push_back(p);
    }
    write_log(folder / "log.jsonl", points);
    const std::vector<MetricPoint> read = read_log(folder / "log.jsonl");
    CHECK(read.size() > 100'000);
    CHECK(read.size() < 250'000);
    CHECK(read.front() == points.front());
    CHECK(read.back() == points.back());
    CHECK(std::ranges::is_sorted(read, {}, &MetricPoint::step));
    points.resize(1000);
    CHECK(thinned(points) == points);
}

TEST_CASE("log: errors name the line, and a torn last line is skipped where it is allowed") {
    CHECK(refused("{\"step\":1,\"loss\":2}\n{\"step\":1,\"loss\":2}\n") == "log.jsonl:2: steps must grow");
    CHECK(refused("{\"step\":1,\"lo\n") == "log.jsonl:1 is not a JSON object");
    CHECK(refused("{\"step\":1,\"loss\":1e999}\n") != "");
    CHECK(contains(refused("{\"step\":1,\"loss\":2,\"heads\":[[0,1]]}\n"), "\"heads\" must be lists"));
    CHECK(contains(refused("{\"step\":1,\"loss\":2,\"heads\":[[0,-1,1,1,1]]}\n"), "\"heads\""));
    const std::string torn = "{\"step\":1,\"loss\":2}\n{\"step\":2,\"lo";
    CHECK(parse_log(torn, "log.jsonl", PartialLine::pass_over).points.size() == 1);
    CHECK(error_of([&] { parse_log(torn, "log.jsonl", PartialLine::refuse); }) == "log.jsonl:2 is not a JSON object");
}

TEST_CASE("log: the CSV table is empty where nothing was measured") {
    const MetricPoint points[] = {{1, 3.0f}, measured()};
    CHECK(log_as_csv(points) ==
          "step,loss,held_out_loss,metric,gradient_norm,learning_rate,tokens_per_second,clip_factor\n"
          "1,3,,,,,,\n"
          "50,2.5,2.625,0.75,0.100000001,0.00499999989,123456,0.5\n");
}
