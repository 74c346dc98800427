// A seeded monkey test of the offscreen window: it clicks, drags, scrolls and types at random. Nothing may throw, hang,
// or exhaust the memory. GLASSFORMER_MONKEY_EVENTS sets the number of events (scripts/soak.sh: 10,000), and
// GLASSFORMER_MONKEY_SEED the seed.
#include <cstdlib>
#include <filesystem>

#include "core/base/rng.h"
#include "core/platform/process.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;
namespace fs = std::filesystem;

namespace {

int number_in(const char* variable, int otherwise) {
    const char* const value = std::getenv(variable);
    return value ? std::atoi(value) : otherwise;
}

class Monkey {
public:
    Monkey(Story& story, std::uint64_t seed) : story_(story), rng_(seed) {}

    /// Performs one event and draws its frames.
    void act() {
        switch (rng_.below(10)) {
            case 0:
            case 1:
            case 2:
            case 3:
                return click(rng_.below(8) == 0);
            case 4:
                return drag();
            case 5:
                return scroll();
            case 6:
                return type();
            default:
                return press();
        }
    }

private:
    /// A place in a random item, or now and then anywhere.
    ImVec2 somewhere() {
        const std::vector<Item>& items = story_.host.items().all();
        const ImVec2 size{1600, 1000};
        if (items.empty() || rng_.below(20) == 0) return {unit() * size.x, unit() * size.y};
        const Item& item = items[rng_.below(items.size())];
        return {item.min.x + unit() * (item.max.x - item.min.x), item.min.y + unit() * (item.max.y - item.min.y)};
    }

    float unit() { return static_cast<float>(rng_.below(1000)) / 1000.0f; }

    void mouse(ImVec2 at, bool left, bool right) {
        story_.frame([&] { script_mouse(at, left, right); });
    }

    void click(bool right) {
        const ImVec2 at = somewhere();
        mouse(at, false, false);
        for (std::uint64_t times = 1 + rng_.below(5) / 4; times > 0; --times) {
            mouse(at, !right, right);
            mouse(at, false, false);
        }
    }

    void drag() {
        const ImVec2 from = somewhere(), to = somewhere();
        mouse(from, false, false);
        for (int i = 0; i <= 3; ++i) {
            const float share = static_cast<float>(i) / 3.0f;
            mouse({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)}, true, false);
        }
        mouse(to, false, false);
    }

    void scroll() {
        const ImVec2 at = somewhere();
        const float lines = 6.0f * (unit() - 0.5f);
        mouse(at, false, false);
        story_.frame([&] {
            script_mouse(at, false, false);
            script_wheel(lines);
        });
    }

    void press() {
        const Key key = static_cast<Key>(rng_.below(static_cast<std::uint64_t>(Key::left_ctrl)));
        const bool ctrl = rng_.below(6) == 0, shift = rng_.below(6) == 0;
        for (const bool down : {true, true, false})
            story_.frame([&] {
                script_modifiers(ctrl && down, shift && down);
                script_key(key, down);
            });
    }

    void type() {
        static constexpr std::string_view texts[] = {"the bat", "▢",      "1e999", "-1", "",
                                                     "ü猫\xff", "a/../b", "0",     "~",  "nan"};
        const std::string_view text = texts[rng_.below(std::size(texts))];
        story_.frame([&] { script_text(text); });
        story_.frames(1);
    }

    Story& story_;
    Rng rng_;
};

}  // namespace

TEST_CASE("monkey: the window survives hundreds of random clicks, keys and words") {
    const TemporaryFolder folder;
    const WorkingFolder here(folder.path());
    const SetVariable home("HOME", folder.path().string()), cache("XDG_CACHE_HOME", (folder / "cache").string());
    Story story({.recovery = (folder / "recovery").string()});
    const int events = number_in("GLASSFORMER_MONKEY_EVENTS", 300);
    Monkey monkey(story, static_cast<std::uint64_t>(number_in("GLASSFORMER_MONKEY_SEED", 1)));
    const double before = platform::resident_memory_mb();
    for (int i = 0; i < events; ++i) {
        CAPTURE(i);
        CHECK_NOTHROW(monkey.act());
        if (i % 50 == 49) story.settle();
    }
    story.send(command::Pause{});
    CHECK(platform::resident_memory_mb() < before + 1500.0);
    CHECK(story.host.items().all().size() > 10);
    CHECK(story.snapshot().model);
}
