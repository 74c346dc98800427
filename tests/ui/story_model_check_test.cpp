// "Check this model": the report in the window matches the program's own check.
#include <chrono>
#include <thread>

#include "app/panels/model_check/model_check_panel.h"
#include "core/base/background.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

RunningCheck::Report finished(const RunningCheck& check) {
    while (check.report().running) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return check.report();
}

/// The shipped model on the CPU alone.
ModelCheck shipped() {
    ModelCheck check{reference().shipped().config, reference().shipped().parameters};
    check.threads = 1;
    check.backend = BackendPreference::cpu;
    return check;
}

}  // namespace

TEST_CASE("story: the window checks the model, shows the report, and copies it") {
    Story story;
    REQUIRE(story.play("key Ctrl+k\ntype \"check this model\"\nkey Enter\nframes 2") == "");
    REQUIRE(story.shows("check/card"));
    ModelCheckPanel& panel = story.state().own<ModelCheckPanel>();
    REQUIRE(panel.check);
    finished(*panel.check);
    story.frames(2);
    CHECK(story.value("check/verdict") == 1);

    std::vector<CheckedPart> truth;
    CHECK(check_model(shipped(), {[&](CheckedPart part) { truth.push_back(std::move(part)); }}));
    REQUIRE(truth.size() > 10);
    for (std::size_t i = 0; i < truth.size(); ++i) {
        CAPTURE(truth[i].what);
        CHECK(story.text("check/part " + std::to_string(i)) == line_of(truth[i]));
    }
    CHECK(contains(story.text("check/part " + std::to_string(truth.size())), "OpenGL"));

    REQUIRE(story.play("click check/copy\nframes 1") == "");
    const std::string copied = ImGui::GetClipboardText();
    CHECK(copied == panel.check->report().text());
    CHECK(contains(copied, line_of(truth.front())));
    CHECK(contains(copied, "passed: every number agrees"));
    // Keys do nothing to the model behind the report.
    REQUIRE(story.play("key x\nkey Right\nframes 2") == "");
    story.settle();
    CHECK(story.snapshot().what_if.empty());
    CHECK(story.shows("check/card"));
    REQUIRE(story.play("key Escape\nframes 2") == "");
    CHECK_FALSE(story.shows("check/card"));
    REQUIRE(story.play("click map/check\nframes 2") == "");
    CHECK(story.shows("check/card"));
    REQUIRE(story.play("click check/close\nframes 2") == "");
    CHECK_FALSE(story.shows("check/card"));
}

TEST_CASE("checking a model: NaN parameters fail, and a check that is stopped says so") {
    ModelCheck broken = shipped();
    auto parameters = std::make_shared<ParameterValues>(*broken.parameters);
    (*parameters)[parameters->size() / 2] = std::numeric_limits<float>::quiet_NaN();
    broken.parameters = parameters;
    std::vector<CheckedPart> parts;
    CHECK_FALSE(check_model(broken, {[&](CheckedPart part) { parts.push_back(std::move(part)); }}));
    CHECK(std::ranges::any_of(parts, [](const CheckedPart& p) { return line_of(p).starts_with("FAIL"); }));

    int asked = 0;
    parts.clear();
    check_model(shipped(), {[&](CheckedPart part) { parts.push_back(std::move(part)); },
                            [&](const CheckProgress&) { return ++asked < 300; }});
    CHECK(asked == 300);
    CHECK(parts.size() == 1);  // 200 cells of the first kind of op, and a part of the second

    fail_at("check");
    RunningCheck failed("a model", shipped());
    const RunningCheck::Report why = finished(failed);
    CHECK_FALSE(why.passed);
    CHECK(contains(why.text(), "as a test has asked"));
    CHECK(fail_at({}));

    RunningCheck stopped("a model", shipped());
    stopped.stop();
    const RunningCheck::Report report = finished(stopped);
    CHECK(report.stopped);
    CHECK(report.text().ends_with("stopped before the end\n"));
}
