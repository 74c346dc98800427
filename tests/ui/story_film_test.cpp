#include <stb_image.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <thread>
#include <utility>

#include "app/cli/cli.h"
#include "app/desktop/export_picture.h"
#include "app/export/export_dialog.h"
#include "app/panels/timeline/timeline_state.h"
#include "app/ui/draw.h"
#include "app/views/registry.h"
#include "app/views/whole_model/canvas.h"
#include "core/base/background.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
using namespace glassformer::app::views::whole_model;

namespace {

namespace fs = std::filesystem;

const StoryOptions small{.size = {1280, 800}, .trained = false};

/// Requests the film as a user does, through the palette.
void ask_for_film(Story& story, const fs::path& folder) {
    REQUIRE(
        story.play("key Ctrl+k\nframes 2\ntype \"save the film\"\nframes 2\nkey Enter\nframes 3\nkey Ctrl+a\ntype \"" +
                   folder.string() + "\"\nframes 2\nkey Enter\nframes 2") == "");
}

/// Does what the window does between frames, until the film is finished or `enough` returns true.
template <class Enough>
void film(Story& story, const Enough& enough) {
    for (int i = 0; i < 60000 && story.state().own<TimelineState>().recording.total > 0 && !enough(); ++i) {
        take_film_picture(story.app, story.host, *story.surface);
        story.frame();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

std::string bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> pictures_of_film(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

using Pixels = std::unique_ptr<unsigned char, void (*)(void*)>;

Pixels pixels_of(const fs::path& file, int& width, int& height) {
    int channels = 0;
    Pixels rgba(stbi_load(file.string().c_str(), &width, &height, &channels, 4), stbi_image_free);
    REQUIRE(rgba);
    return rgba;
}

/// Dear ImGui 1.92 adds glyphs to its texture in the order of first use, and their position there changes their edges
/// a little: by up to 20 of 255, as seen with 1.92.2.
constexpr int letters_differ = IMGUI_VERSION_NUM >= 19200 ? 32 : 0;

/// The largest difference, of 255, between two pictures of a film.
int largest_difference(const fs::path& one, const fs::path& other) {
    int width = 0, height = 0, other_width = 0, other_height = 0, largest = 0;
    const Pixels a = pixels_of(one, width, height), b = pixels_of(other, other_width, other_height);
    REQUIRE(width == other_width);
    REQUIRE(height == other_height);
    for (int i = 0; i < 4 * width * height; ++i) largest = std::max(largest, std::abs(a.get()[i] - b.get()[i]));
    return largest;
}

/// The first pixel above row `below` where a film's picture differs from the screen; (−1, −1) if there is none.
std::pair<int, int> first_difference(const fs::path& file, const Image& screen, int below) {
    int width = 0, height = 0;
    const Pixels rgba = pixels_of(file, width, height);
    REQUIRE(width == screen.width);
    REQUIRE(height == screen.height);
    for (int y = 0; y < below; ++y)
        for (int x = 0; x < width; ++x) {
            const auto at =
                4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
            if (!std::equal(&rgba.get()[at], &rgba.get()[at] + 3, &screen.rgba[at])) return {x, y};
        }
    return {-1, -1};
}

}  // namespace

TEST_CASE("story: a film is a folder of pictures, each of the window at one kept step") {
    const TemporaryFolder folder;
    Story story(small);
    story.make_steps(20);
    const std::vector<std::int64_t> kept = story.snapshot().kept_steps;
    REQUIRE(kept.size() >= 5);
    ask_for_film(story, folder / "film");
    REQUIRE(story.state().own<TimelineState>().recording.total == static_cast<int>(kept.size()));
    CHECK(contains(story.text("film/recording"), "Picture 1 of"));
    film(story, [] { return false; });
    CHECK(contains(story.text("notice"), "Training: " + std::to_string(kept.size()) + " pictures saved in"));
    const std::vector<fs::path> files = pictures_of_film(folder / "film");
    REQUIRE(files.size() == kept.size());
    CHECK(files.front().filename() == "frame-0001.png");
    story.settle();
    CHECK(story.snapshot().live);  // back at the newest step
    story.state().window.notice = {};
    for (const std::size_t i : {std::size_t{0}, std::size_t{3}}) {
        CAPTURE(kept[i]);
        story.send(command::LookAt{kept[i]});
        story.frames(3);
        // Below it are the curve, which now has more measured steps, and the map of meanings, whose rotation is chosen
        // to change as little as possible between steps.
        CHECK(first_difference(files[i], story.picture(), 540) == std::pair(-1, -1));
    }
}

TEST_CASE("story: a film can be stopped, is refused with a reason, and can be made during training") {
    const TemporaryFolder folder;
    Story story(small);
    CHECK(story.play("key Ctrl+k\nframes 2\ntype \"save the film\"\nframes 2\n"
                     "expect_no_item \"palette/Save the film as pictures…\"\nkey Escape\nframes 2") == "");
    story.make_steps(40);
    ask_for_film(story, folder / "stopped");
    film(story, [&] { return story.state().own<TimelineState>().recording.done == 2; });
    REQUIRE(story.state().own<TimelineState>().recording.total > 0);
    CHECK(story.play("click film/recording/dismiss\nframes 2") == "");
    CHECK(story.state().own<TimelineState>().recording.total == 0);
    CHECK(contains(story.text("notice"), "The film was stopped: 2 pictures"));
    CHECK(pictures_of_film(folder / "stopped").size() == 2);

    ask_for_film(story, folder / "failed");
    fail_at("film");
    film(story, [] { return false; });
    CHECK(fail_at({}));
    CHECK(contains(story.text("notice"), "as a test has asked"));
    CHECK(pictures_of_film(folder / "failed").empty());

    std::ofstream(folder / "file") << "x";
    ask_for_film(story, folder / "file");
    CHECK(contains(story.text("notice"), "it is a file, not a folder"));
    if (!on_windows) {
        ask_for_film(story, "/proc/film");
        CHECK(contains(story.text("notice"), "/proc/film"));
    }

    story.send(command::Train{});
    ask_for_film(story, folder / "training");
    const int total = story.state().own<TimelineState>().recording.total;
    REQUIRE(total > 5);
    film(story, [] { return false; });
    CHECK(story.snapshot().state == RunState::training);
    CHECK(pictures_of_film(folder / "training").size() == static_cast<std::size_t>(total));
}

TEST_CASE("story: the button saves the same pictures as glassformer film, pixel for pixel") {
    const TemporaryFolder folder;
    {
        Story story(small);
        story.session.send(command::KeepRun{(folder / "run").string()});
        story.make_steps(20);
        REQUIRE(story.snapshot().current_run()->saved_step == 20);
    }
    int total = 0;
    {
        Story story(small);
        story.send(command::OpenRun{(folder / "run").string()});
        REQUIRE(story.snapshot().live_step == 20);
        story.state().view = 0;  // as the command opens it; block and head are the last ones shown, in both
        // The command knows only this run, which then has the first colour.
        story.session.send(command::DeleteRun{story.snapshot().runs.front()->id});
        story.send(command::ColourRun{story.snapshot().run, 0});
        CHECK(story.play("click runs\nframes 2\nclick film/pictures\nframes 3\nkey Ctrl+a\ntype \"" +
                         (folder / "window").string() + "\"\nframes 2\nkey Enter\nframes 2\nclick runs\nframes 2") ==
              "");
        total = story.state().own<TimelineState>().recording.total;
        REQUIRE(total == static_cast<int>(story.snapshot().kept_steps.size()));
        film(story, [] { return false; });
        CHECK(contains(story.text("notice"), "Training: " + std::to_string(total) + " pictures saved in"));
    }
    // The test program is not installed next to the assets.
    const SetVariable assets("GLASSFORMER_ASSETS", GLASSFORMER_SOURCE_DIR "/assets");
    FilmArgs args;
    args.from = (folder / "run").string();
    args.out = (folder / "command").string();
    args.look.width = small.size.width, args.look.height = small.size.height;
    REQUIRE(run_film(args) == 0);
    const std::vector<fs::path> by_button = pictures_of_film(folder / "window"),
                                made = pictures_of_film(folder / "command");
    REQUIRE(static_cast<int>(by_button.size()) == total);
    REQUIRE(made.size() == by_button.size());
    for (std::size_t i = 0; i < made.size(); ++i) {
        CAPTURE(i);
        CHECK(by_button[i].filename() == made[i].filename());
        CHECK(largest_difference(by_button[i], made[i]) <= letters_differ);
    }
}

TEST_CASE("story: ffmpeg makes a file of one panel's film; without it the dialog says so") {
    const TemporaryFolder folder;
    Story story(small);
    story.make_steps(8);
    const fs::path file = folder / "panel.gif";
    const auto save = [&] {
        REQUIRE(story.play("hover A/headline\nframes 1\nkey Ctrl+E\nframes 2\nclick export/format/GIF\nframes 2") ==
                "");
        story.state().own<ExportDialog>().file = file.string();
        REQUIRE(story.play("click export/save\nframes 1") == "");
        const Box box = story.state().own<ExportDialog>().box;
        take_export(story.app, story.host, *story.surface);
        story.frames(2);
        return box;
    };
    {
        const SetVariable path("PATH", folder.path().string());
        save();
        CHECK(contains(story.text("export/problem"), "ffmpeg, which is not installed"));
        REQUIRE(story.play("key Escape\nframes 2\nexpect_no_item export/card") == "");
    }
    if (on_windows) return;  // a shell script cannot replace ffmpeg there
    // Makes a film of only the first picture.
    std::ofstream(folder / "ffmpeg") << "#!/bin/sh\nfor last; do :; done\nwhile [ \"$1\" != -i ]; do shift; done\n"
                                        "cp \"$(dirname \"$2\")/frame-0001.png\" \"$last\"\n";
    fs::permissions(folder / "ffmpeg", fs::perms::owner_all);
    const SetVariable path("PATH", folder.path().string() + ":/usr/bin:/bin");
    const Box box = save();
    CHECK_FALSE(story.shows("export/card"));
    REQUIRE(story.state().own<TimelineState>().recording.total > 2);
    film(story, [] { return false; });
    CHECK(contains(story.text("notice"), file.string()));
    int width = 0, height = 0, channels = 0;
    REQUIRE(stbi_info(file.string().c_str(), &width, &height, &channels));
    CHECK(std::abs(static_cast<float>(width) - box.width()) <= 1);
    CHECK(static_cast<float>(height) > box.height());  // model, step and sentences are shown below it
    CHECK(width < small.size.width);
}

// A shell script replaces ffmpeg.
TEST_CASE("story: a panel's film has the chosen duration and the step in each picture, and no mark of the pointer" *
          doctest::skip(on_windows)) {
    const TemporaryFolder folder;
    Story story(small);
    story.make_steps(20);
    const std::size_t kept = story.snapshot().kept_steps.size();
    // A script that keeps the pictures and its arguments.
    std::ofstream(folder / "ffmpeg") << "#!/bin/sh\necho \"$*\" >" + (folder / "asked").string() +
                                            "\nfor last; do :; done\nwhile [ \"$1\" != -i ]; do shift; done\n"
                                            "cp -r \"$(dirname \"$2\")\" " +
                                            (folder / "pictures").string() +
                                            "\ncp \"$2\" \"$last\" 2>/dev/null || "
                                            ": >\"$last\"\n";
    fs::permissions(folder / "ffmpeg", fs::perms::owner_all);
    const SetVariable path("PATH", folder.path().string() + ":/usr/bin:/bin");
    Box panel{};
    const auto film_at = [&](int speed, bool hover) {
        fs::remove_all(folder / "pictures");
        if (story.shows("notice")) REQUIRE(story.play("click notice/dismiss\nframes 2") == "");
        const fs::path file = folder / ("film" + std::to_string(speed) + (hover ? "h" : "") + ".gif");
        REQUIRE(story.play("hover A/headline\nframes 1\nkey Ctrl+E\nframes 2\nclick export/format/GIF\nframes 2\n"
                           "expect_item export/speed\nexpect_item export/caption") == "");
        story.state().own<ExportDialog>().speed = speed;
        story.state().own<ExportDialog>().file = file.string();
        REQUIRE(story.play("click export/save\nframes 1") == "");
        panel = story.state().own<ExportDialog>().box;
        take_export(story.app, story.host, *story.surface);
        story.frames(2);
        for (int i = 0; i < 60000 && story.state().own<TimelineState>().recording.total > 0; ++i) {
            take_film_picture(story.app, story.host, *story.surface);
            if (hover) REQUIRE(story.play("hover \"A/q\"") == "");
            story.frame();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        CHECK(contains(story.text("notice"), file.string()));
        std::vector<std::string> pictures;
        for (const fs::path& picture : pictures_of_film(folder / "pictures")) pictures.push_back(bytes_of(picture));
        CHECK(pictures.size() == kept);
        return std::pair(bytes_of(folder / "asked"), pictures);
    };
    const auto rate = [&](double seconds) {
        char text[64];
        std::snprintf(text, sizeof text, "-framerate %.3f", static_cast<double>(kept) / seconds);
        return std::string(text);
    };
    const auto [slow, first] = film_at(0, false);
    CHECK(contains(slow, rate(40)));
    const auto [fast, second] = film_at(2, true);
    CHECK(contains(fast, rate(5)));
    REQUIRE(first.size() == second.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
        CAPTURE(i);
        CHECK(first[i] == second[i]);  // the resting mouse pointer leaves no mark
    }
    // In the caption below the panel, the step alone differs from picture to picture.
    const std::vector<fs::path> files = pictures_of_film(folder / "pictures");
    const auto caption = static_cast<int>(std::ceil(panel.height())) + 1;
    for (std::size_t i = 1; i < files.size(); ++i) {
        CAPTURE(i);
        int width = 0, height = 0;
        const Pixels before = pixels_of(files[i - 1], width, height), here = pixels_of(files[i], width, height);
        REQUIRE(height > caption);
        const std::ptrdiff_t begin = 4 * std::ptrdiff_t{width} * caption, end = 4 * std::ptrdiff_t{width} * height;
        CHECK_FALSE(std::equal(here.get() + begin, here.get() + end, before.get() + begin));
    }
}

TEST_CASE("story: the film of the forward pass shows only the whole model: no bars, no buttons") {
    Story story({.size = {1280, 720}});
    Items& items = *story.host.ui().items;
    items.keep_texts(true);
    story.state().compare = false;
    story.state().view = view_index("Whole model");
    story.state().window.notice = {"a notice", true};
    story.state().own<CanvasState>().story = {.open = true, .at = 3};
    const std::vector<const char*> bars = {"train", "reset", "runs", "view", "notice", "whole/story/play"},
                                   words = {"Train", "Reset", "Samples", "Type…", "model"};
    const auto has_word = [&](std::string_view word) {
        return std::ranges::find(items.texts(), word, &Items::DrawnText::text) != items.texts().end();
    };
    story.frames(4);
    for (const char* bar : bars) CHECK_MESSAGE(story.shows(bar), bar);
    for (const char* word : words) CHECK_MESSAGE(has_word(word), word);
    story.state().window.bare_view = true;  // as the command does
    story.state().own<CanvasState>().story.filmed = true;
    story.frames(4);
    for (const char* bar : bars) CHECK_FALSE_MESSAGE(story.shows(bar), bar);
    for (const char* word : words) CHECK_FALSE_MESSAGE(has_word(word), word);
    CHECK(has_word("Whole model"));
    CHECK(story.text("whole/story/caption") != "");
}

TEST_CASE("story: the play of the forward pass is saved as pictures, and can be stopped") {
    const TemporaryFolder folder;
    Story story({.size = {1280, 720}});
    story.state().window.panels = {false, false, false};
    story.state().compare = false;
    story.state().view = view_index("Whole model");
    REQUIRE(story.play("key Space\nframes 2\nkey Space\nframes 2\nclick whole/story/pictures\nframes 3\nkey "
                       "Ctrl+a\ntype \"" +
                       (folder / "play").string() + "\"\nframes 2\nkey Enter\nframes 3") == "");
    CHECK(story.state().own<TimelineState>().recording.total == 300);
    film(story, [&] { return story.state().own<TimelineState>().recording.done == 2; });
    const ForwardStory& play = story.state().own<CanvasState>().story;
    CHECK_FALSE(play.playing);
    CHECK(play.at == doctest::Approx(11 * 3 / 300.0));
    CHECK(story.text("whole/story/caption").starts_with("These are the words"));
    CHECK_FALSE(story.shows("whole/story/play"));  // the picture has captions, but no buttons
    CHECK(story.play("click film/recording/dismiss\nframes 2") == "");
    CHECK(contains(story.text("notice"), "The film was stopped: 2 pictures"));
    REQUIRE(pictures_of_film(folder / "play").size() == 2);
    CHECK(story.shows("whole/story/play"));  // the story is where it was

    // A picture of the film is the window at that moment.
    story.state().window.notice = {};
    ForwardStory& told = story.state().own<CanvasState>().story;
    told = {.open = true, .at = 11 * 2 / 300.0f, .filmed = true};
    story.frames(3);
    int width = 0, height = 0, channels = 0;
    REQUIRE(stbi_info(pictures_of_film(folder / "play")[1].string().c_str(), &width, &height, &channels));
    Box card{};
    for (const Box& one : draw::cards_of_frame())
        if (one.width() > card.width()) card = one;
    CHECK(width == doctest::Approx(static_cast<double>(card.width())).epsilon(0.01));  // without the bars around it
    CHECK(height == doctest::Approx(static_cast<double>(card.height())).epsilon(0.01));
    CHECK(height < 720 - 40);

    // Another view is opened while filming.
    told.filmed = false;
    REQUIRE(story.play("frames 2\nkey Ctrl+k\nframes 2\ntype \"save the forward\"\nframes 2\nkey Enter\nframes 3\n"
                       "key Ctrl+a\ntype \"" +
                       (folder / "other").string() + "\"\nframes 2\nkey Enter\nframes 3") == "");
    story.state().view = view_index("Flow");
    story.frames(2);
    CHECK(contains(story.text("notice"), "the whole model is no longer on the screen"));
}
