#include <fstream>

#include "app/desktop/settings.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

TEST_CASE("story: every disk budget can be chosen in New run, and applies to the current training") {
    const TemporaryFolder folder;
    const SetVariable cache("XDG_CACHE_HOME", folder.path().string());
    Story story({.size = {1600, 1600}, .trained = false});
    CHECK_FALSE(story.snapshot().disk_steps.on);
    CHECK(story.play("key Ctrl+n\nwait setup == 1 timeout 60\nframes 3\nclick \"setup/more on disk\"\nframes 3") == "");
    story.settle();
    CHECK(story.snapshot().disk_steps == DiskSteps{true, 4});
    for (const int gigabytes : DiskSteps::budgets) {
        const std::string words = std::to_string(gigabytes) + " GB";
        CAPTURE(words);
        CHECK(story.play("click \"setup/disk budget\"\nframes 2\nclick \"setup/disk budget/" + words +
                         "\"\nframes 3") == "");
        story.settle();
        CHECK(story.snapshot().disk_steps == DiskSteps{true, gigabytes});
        CHECK(story.text("setup/disk budget") == words);
    }
    CHECK(story.play("key Escape\nframes 3\nkey s\nwait step == 1 timeout 60\nwait train == 0 timeout 60") == "");
    story.settle();
    CHECK(story.snapshot().disk_steps == DiskSteps{true, 64});
    CHECK_FALSE(std::filesystem::is_empty(disk_steps_folder()));
    CHECK(story.play("key Ctrl+n\nwait setup == 1 timeout 60\nframes 3\nclick \"setup/more on disk\"\nframes 3") == "");
    story.settle();
    CHECK_FALSE(story.snapshot().disk_steps.on);
    CHECK(std::filesystem::is_empty(disk_steps_folder()));
    CHECK(story.play("expect_no_item \"setup/disk budget\"") == "");
}

TEST_CASE("a disk budget that is not offered, in an edited file, becomes the next smaller one") {
    const TemporaryFolder folder;
    const auto file = folder / "settings.json";
    const auto read = [&](int gigabytes) {
        std::ofstream(file) << "{\"gigabytes_of_steps\": " << gigabytes << "}";
        return load_settings(file).disk_steps.gigabytes;
    };
    for (const int gigabytes : DiskSteps::budgets) CHECK(read(gigabytes) == gigabytes);
    CHECK(read(63) == 16);
    CHECK(read(1000) == 64);
    CHECK(read(-3) == 1);
}
