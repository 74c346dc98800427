#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

#include "app/presenter/vote.h"
#include "app/ui/input.h"
#include "core/platform/atomic_file.h"
#include "tests/core/set_variable.h"
#include "tests/core/temporary_folder.h"
#include "tests/ui/phones.h"
#include "tests/ui/story.h"

using namespace glassformer;
using namespace glassformer::app;

namespace {

/// Opens a vote with its page for phones, on this machine only. Returns the port.
int open_phones(Story& story) {
    story.state().own<PhonePlace>() = {"127.0.0.1", PhonePage::any_port};
    REQUIRE(story.play("key F5\nframes 3\nkey V\nframes 2\nexpect_no_item vote/qr\nclick vote/phones\nframes 3") == "");
    REQUIRE(story.shows("vote/qr"));
    const std::string url = story.text("vote/qr");
    return std::stoi(url.substr(url.rfind(':') + 1));
}

constexpr int phones_of_a_class = 30;

/// Draws a frame and returns its time in milliseconds.
double timed_frame(Story& story) {
    const auto before = std::chrono::steady_clock::now();
    story.frame();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - before).count();
}

/// Median and longest.
std::string told(std::vector<double> ms) {
    std::ranges::sort(ms);
    return std::to_string(ms[ms.size() / 2]) + " ms, the longest " + std::to_string(ms.back()) + " ms of " +
           std::to_string(ms.size());
}

/// Each phone changes its vote again and again while frames are drawn. Appends the frames' times to `times`.
void vote(Story& story, std::vector<double>& times, int port, int round, int first, int last) {
    std::atomic<int> done{0}, wrong{0};
    std::vector<std::thread> phones;
    for (int i = 0; i < phones_of_a_class; ++i)
        phones.emplace_back([&, i] {
            const phones::Phone phone(port, "127.0.0." + std::to_string(10 + i));
            const auto votes = [&](int choice) {
                const std::string yours = std::string("Your vote: ") + static_cast<char>('A' + choice);
                if (!contains(phone.vote(1, round, choice), yours)) ++wrong;
            };
            // Both rounds together stay below PhoneLimits::a_second_of_one_address, however fast the phones are.
            for (int n = 0; n < 8; ++n) {
                votes((i + n + first) % 4);
                phone.get("/state");
            }
            votes((i * last) % 4);
            ++done;
        });
    while (done < phones_of_a_class) times.push_back(timed_frame(story));
    for (std::thread& phone : phones) phone.join();
    CHECK(wrong == 0);
    story.frames(2);
}

}  // namespace

TEST_CASE("story: thirty phones vote twice while a model trains, and each counts once") {
    const TemporaryFolder folder;
    const SetVariable data("XDG_DATA_HOME", folder.path().string());
    Story story({.trained = false});
    const int port = open_phones(story);
    story.session.send(command::Train{});
    std::vector<double> alone, with_phones;
    for (int i = 0; i < 60; ++i) alone.push_back(timed_frame(story));
    vote(story, with_phones, port, 0, 1, 1);  // finally i % 4
    CHECK(story.value("vote/devices") == phones_of_a_class);
    CHECK(story.text("vote/devices") == "30 phones have voted");
    // The class's votes are hidden until the bars are shown; raised hands count too.
    CHECK(story.play("expect vote/A == 0\nkey 1\nframes 1\nexpect vote/A == 1\nkey PageDown\nframes 2\nexpect vote == "
                     "1\nexpect vote/A == 9\nexpect vote/B == 8\nexpect vote/C == 7\nexpect vote/D == 7") == "");
    CHECK_FALSE(story.shows("vote/qr"));
    CHECK(contains(phones::Phone(port, "127.0.0.99").vote(1, 0, 3), "The vote is closed."));
    CHECK(story.play("key PageDown\nframes 2\nexpect vote == 2\nexpect vote/A == 0") == "");
    CHECK(story.text("vote/devices") == "0 phones have voted");  // in this round, like the votes next to it
    vote(story, with_phones, port, 1, 2, 3);                     // finally i * 3 % 4
    CHECK(story.play("key PageDown\nframes 2\nexpect vote == 3\nexpect vote/A == 8\nexpect vote/B == 7\nexpect vote/C "
                     "== 7\nexpect vote/D == 8\nkey PageDown\nframes 2\nexpect_no_item vote") == "");
    CHECK(story.snapshot().state == RunState::training);
    CHECK(story.snapshot().live_step > 0);
    std::ifstream in(votes_file());
    const std::string kept = (std::ostringstream() << in.rdbuf()).str();
    for (const char* row : {",A,,9,8,", ",B,,8,7,", ",C,,7,7,", ",D,,7,8,"}) CHECK(contains(kept, row));
    CHECK(contains(phones::exchange(port, "GET /state HTTP/1.1\r\n" + phones::host(port) + "\r\n"),
                   "Wait for the next question."));
    MESSAGE("a frame beside a training: " << told(alone) << "; with thirty phones: " << told(with_phones));
    CHECK(story.play("key F5\nframes 3") == "");
    CHECK(phones::connection(port, "127.0.0.1") == -1);  // the page is only served while it is on screen
}

TEST_CASE("story: a click enlarges the QR code, and the button closes the page for phones") {
    Story story;
    const int port = open_phones(story);
    const Item* code = story.find("vote/qr");
    const float small = code->max.x - code->min.x;
    REQUIRE(story.play("click vote/qr\nframes 3") == "");
    const Item *large = story.find("vote/qr"), *panel = story.find("vote");
    CHECK(large->max.x - large->min.x > 1.2f * small);
    CHECK(large->max.y - large->min.y > 0.75f * (panel->max.y - panel->min.y));
    CHECK_FALSE(story.shows("vote/A"));
    const std::string tooltip = story.text("tooltip");
    CHECK((tooltip.empty() || tooltip == "Smaller"));  // no tooltip of the panel behind it
    CHECK(story.play("click vote/qr\nframes 3\nexpect_item vote/A\nclick vote/phones\nframes 3\nexpect_no_item "
                     "vote/qr") == "");
    CHECK(phones::connection(port, "127.0.0.1") == -1);
}

TEST_CASE("story: a phone shows the lesson's question, but nothing of its answer") {
    Story story;
    REQUIRE(story.play("lesson 1_two_kinds_of_bat 3\nframes 4") == "");
    const std::string state = phones::Phone(open_phones(story), "127.0.0.1").get("/state");
    CAPTURE(state);
    CHECK(contains(state, "\"title\":\"Ask the other words\""));
    CHECK(contains(state, "In block 1, head 2, which word of A does bat attend to most?\""));
    CHECK(contains(state, "\"choices\":[\"foul\",\"he\",\"hit\",\"swung\"]"));
    CHECK(!contains(state, "0.61"));
    // The card covers the sentence, so it repeats it, as do the phones; the choices have the same names everywhere.
    CHECK(contains(state, "A: He swung the bat and hit a foul."));
    CHECK(story.text("vote/sentences").find("A: He swung the bat and hit a foul.") == 0);
    CHECK(story.text("lesson/choice 2") == "B · he");
    CHECK(story.play("key V\nframes 2\nkey F5\nframes 3") == "");
    CHECK(story.text("lesson/choice 2") == "2 · he");
}

TEST_CASE("story: a phone's question has no marks for bold words and formulas, and keeps its dollars") {
    const TemporaryFolder folder;
    const std::string choices = "choice: Yes when {step} > 5\nchoice: No when {step} < 6\n\n";
    write_file_atomically(folder / "costs.lesson", "lesson: Costs\n\n== One\nA: the bat hit the ball .\n" + choices +
                                                       "Is it worth **more** than $5?\n\n---\n\nText.\n\n== Two\n" +
                                                       choices + "Is $x^2$ larger?\n\n---\n\nText.\n");
    for (const char* question : {"Is it worth more than $5?", "Is x^2 larger?"}) {
        Story story({.lessons = folder.path()});
        REQUIRE(story.play(question[3] == 'i' ? "lesson costs 1\nframes 4" : "lesson costs 2\nframes 4") == "");
        CHECK(contains(phones::Phone(open_phones(story), "127.0.0.1").get("/state"), question));
    }
}

TEST_CASE("story: on a low stage the buttons of a vote stay visible, also with an error message") {
    Story story({.size = {1024, 768}});
    BallotBox box;
    const PhonePage other(box, "127.0.0.1", PhonePage::any_port);
    REQUIRE(story.play("lesson 1_two_kinds_of_bat 3\nframes 4\nkey F5\nframes 3\nkey V\nframes 3") == "");
    for (const char* choice : {"vote/A", "vote/B", "vote/C", "vote/D"}) {  // all visible: two share a row
        CAPTURE(choice);
        REQUIRE(story.shows(choice));
        CHECK(story.find(choice)->max.y < story.find("vote/next")->min.y);
    }
    story.state().own<PhonePlace>() = {"127.0.0.1", other.port()};
    REQUIRE(story.play("click vote/phones\nframes 4") == "");
    REQUIRE(contains(story.text("vote/problem"), "already in use"));
    const Item& card = *story.find("vote");
    for (const char* button : {"vote/next", "vote/close", "vote/phones", "vote/other port"}) {
        CAPTURE(button);
        REQUIRE(story.shows(button));
        CHECK(story.find(button)->in_sight);
        CHECK(story.find(button)->max.y <= card.max.y);
        CHECK(story.find(button)->max.y <= 768);
    }
    for (const char* choice : {"vote/A", "vote/B", "vote/C", "vote/D"}) CHECK(story.shows(choice));
    // The choices scroll to the end while the buttons stay.
    const ImVec2 next = story.find("vote/next")->min;
    story.frames_at(story.find("vote/problem")->centre(), 1);
    for (int i = 0; i < 20; ++i) story.frame([] { script_wheel(-3); });
    story.frames(2);
    CHECK(story.find("vote/D")->in_sight);
    CHECK(story.find("vote/D")->max.y < next.y);
    CHECK(story.find("vote/next")->min.y == next.y);
}

TEST_CASE("story: a phone that votes again as another device is recognized by its address") {
    Story story;
    const int port = open_phones(story);
    for (const char* from : {"127.0.0.10", "127.0.0.11", "127.0.0.11"})
        CHECK(contains(phones::Phone(port, from).vote(1, 0, 0), "Your vote: A"));
    story.frames(2);
    CHECK(story.text("vote/devices") == "3 phones have voted, from 2 addresses");
}

TEST_CASE("story: a port in use is reported, and a click chooses another") {
    Story story;
    BallotBox box;
    const PhonePage other(box, "127.0.0.1", PhonePage::any_port);
    story.state().own<PhonePlace>() = {"127.0.0.1", other.port()};
    REQUIRE(story.play("key F5\nframes 3\nkey V\nframes 2\nclick vote/phones\nframes 3\nexpect_no_item vote/qr") == "");
    CHECK(contains(story.text("vote/problem"), "already in use"));
    CHECK(story.play("click \"vote/other port\"\nframes 3\nexpect_item vote/qr\nexpect_no_item vote/problem") == "");
    CHECK(story.text("vote/qr") != other.url());
}

TEST_CASE("story: the code for phones follows the computer into another network and keeps the votes") {
    using Networks = std::vector<platform::NetworkAddress>;
    const Networks first = {{"127.0.0.1", "wlan0"}}, second = {{"127.0.0.2", "wlan0"}};
    std::mutex mutex;  // another thread asks
    Networks now = first;
    const auto join = [&](const Networks& networks) {
        const std::scoped_lock lock(mutex);
        now = networks;
    };
    Story story;
    PhonePlace& place = story.state().own<PhonePlace>();
    place.port = PhonePage::any_port;
    place.look_every = std::chrono::milliseconds(0);
    place.networks = [&] {
        const std::scoped_lock lock(mutex);
        return now;
    };
    REQUIRE(story.play("key F5\nframes 3\nkey V\nframes 2\nclick vote/phones\nframes 3") == "");
    const std::string before = story.text("vote/qr"), port = before.substr(before.rfind(':'));
    REQUIRE(before == "http://127.0.0.1" + port);
    CHECK(phones::Phone(std::stoi(port.substr(1)), "127.0.0.9").vote(1, 0, 1).find("Your vote: B") !=
          std::string::npos);
    const auto shows = [&](const char* message) {
        return story.until([&] { return story.text("vote/problem").find(message) != std::string::npos; });
    };
    join(second);
    CHECK(shows("phones must scan the new code"));
    CHECK(story.text("vote/qr") == "http://127.0.0.2" + port);
    CHECK(story.value("vote/devices") == 1);
    join({});  // the Wi-Fi is off for a moment
    CHECK(shows("no longer on a network"));
    join(second);
    CHECK(story.until([&] { return !story.shows("vote/problem"); }));
    CHECK(story.text("vote/qr") == "http://127.0.0.2" + port);
    join({{"127.0.0.3", "eth0"}, second.front()});  // one network more: the phones' stays
    CHECK(story.until([&] { return story.shows("vote/network"); }));
    CHECK(story.text("vote/qr") == "http://127.0.0.2" + port);
    CHECK_FALSE(story.shows("vote/problem"));
}

TEST_CASE("story: a message in the vote gets its space at once, and the buttons stay under the pointer") {
    BallotBox box;
    const PhonePage other(box, "127.0.0.1", PhonePage::any_port);
    for (const bool fills_the_panel : {false, true}) {  // true: the choices shrink; false: the card grows
        CAPTURE(fills_the_panel);
        Story story({.size = {1280, 720}});
        story.state().compare = fills_the_panel;  // adds a second sentence
        story.state().own<PhonePlace>() = {"127.0.0.1", other.port()};
        REQUIRE(story.play("key F5\nframes 3\nkey V\nframes 3") == "");
        const ImVec2 button = story.find("vote/phones")->centre();
        for (const bool down : {false, true, true, false}) story.frame([&] { script_mouse(button, down, false); });
        REQUIRE_FALSE(story.shows("vote/problem"));
        const Item before = *story.find("vote"), choice = *story.find("vote/A");
        story.frames_at(button, 1);
        REQUIRE(story.shows("vote/problem"));
        const Item shown = *story.find("vote");
        if (fills_the_panel)
            CHECK(story.find("vote/A")->max.y - story.find("vote/A")->min.y < choice.max.y - choice.min.y);
        else
            CHECK(shown.max.y - shown.min.y > before.max.y - before.min.y);
        CHECK(story.find("vote/other port")->max.y <= story.find("vote/A")->min.y);
        CHECK(story.find("vote/D")->max.y <= story.find("vote/phones")->min.y);
        CHECK(story.find("vote/phones")->centre().x == button.x);
        CHECK(story.find("vote/phones")->centre().y == button.y);
        story.frames(5);
        CHECK(story.find("vote")->min.y == shown.min.y);
        CHECK(story.find("vote")->max.y == shown.max.y);
        // A second click there hits the button again and counts no hand.
        for (const bool down : {false, true, true, false, false})
            story.frame([&] { script_mouse(button, down, false); });
        for (const char* one : {"vote/A", "vote/B", "vote/C", "vote/D"}) CHECK(story.value(one) == 0);
    }
}
