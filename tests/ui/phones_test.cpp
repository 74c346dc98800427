#include "tests/ui/phones.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <deque>
#include <memory>
#include <random>
#include <system_error>

#include "app/phones/phone_page.h"
#include "app/phones/qr_code.h"
#include "core/base/error.h"
#include "core/platform/network.h"
#include "core/platform/program.h"
#include "core/platform/system_error.h"
#include "tests/core/error_of.h"

using namespace glassformer;
using namespace glassformer::app;
using phones::Phone;

namespace {

Ballot question(int number, int round = 0, bool open = true) {
    return {number, round, open, "Bats", "What does \"bat\" look at?", {"he", "foul", "<b>the</b>", "."}};
}

bool starts(const std::string& answer, const char* with) { return answer.starts_with(with); }
/// Limits without a rate, so that a test may send as many requests at once as it likes.
PhoneLimits without_rates() {
    PhoneLimits limits;
    limits.a_second = limits.a_second_of_one_address = 1e9;  // the tests use few addresses
    return limits;
}

}  // namespace

TEST_CASE("phones: only a device's last vote per round counts, and a new question clears all votes") {
    BallotBox box(3);
    using Answer = BallotBox::Answer;
    CHECK(box.cast("a", "10.0.0.1", 0, 0, 0) == Answer::closed);  // there is no question
    box.ask(question(1));
    CHECK(box.cast("a", "10.0.0.1", 1, 0, 1) == Answer::counted);
    CHECK(box.cast("a", "10.0.0.1", 1, 0, 1) == Answer::counted);
    CHECK(box.cast("b", "10.0.0.1", 1, 0, 1) == Answer::counted);
    CHECK(box.counts()[0] == std::array{0, 2, 0, 0, 0, 0});
    CHECK(box.cast("a", "10.0.0.1", 1, 0, 2) == Answer::counted);
    CHECK(box.counts()[0] == std::array{0, 1, 1, 0, 0, 0});
    CHECK(box.vote_of("a") == 2);
    CHECK(box.cast("a", "10.0.0.1", 1, 0, 4) == Answer::unknown_choice);
    CHECK(box.cast("a", "10.0.0.1", 2, 0, 0) == Answer::closed);
    CHECK(box.cast("a", "10.0.0.1", 1, 1, 0) == Answer::closed);
    CHECK(box.cast("a", "10.0.0.1", 1, 7, 0) == Answer::closed);
    box.ask(question(1, 0, false));
    CHECK(box.cast("a", "10.0.0.1", 1, 0, 0) == Answer::closed);
    box.ask(question(1, 1));
    CHECK(box.vote_of("a") == -1);
    CHECK(box.cast("a", "10.0.0.1", 1, 1, 0) == Answer::counted);
    CHECK(box.cast("c", "10.0.0.2", 1, 1, 0) == Answer::counted);
    CHECK(box.counts()[0] == std::array{0, 1, 1, 0, 0, 0});
    CHECK(box.counts()[1] == std::array{2, 0, 0, 0, 0, 0});
    CHECK(box.addresses(0) == 1);
    CHECK(box.addresses(1) == 2);
    box.ask(question(2));
    CHECK(box.devices() == 0);
    CHECK(box.addresses(0) == 0);
    CHECK(box.addresses(1) == 0);
    CHECK(box.counts() == BallotBox::Counts{});
    CHECK(box.vote_of("a") == -1);
}

TEST_CASE("phones: faked devices cannot take the places of a class") {
    BallotBox box(40);
    using Answer = BallotBox::Answer;
    box.ask(question(1));
    const auto vote = [&](const std::string& device, const std::string& address, std::size_t choice) {
        return box.cast(device, address, 1, 0, choice);
    };
    CHECK(vote("first", "10.0.0.9", 0) == Answer::counted);
    for (int i = 0; i < 1000; ++i) vote("made up " + std::to_string(i), i % 2 == 0 ? "10.0.0.1" : "10.0.0.2", 1);
    CHECK(box.devices() == 40);
    CHECK(vote("made up once more", "10.0.0.1", 1) == Answer::full);
    // A class arrives later: each of its phones displaces one of theirs, and is counted.
    for (int i = 0; i < 30; ++i)
        CHECK(vote("phone " + std::to_string(i), "10.0.1." + std::to_string(i), 2) == Answer::counted);
    CHECK(box.devices() == 40);
    CHECK(box.addresses(0) == 33);
    CHECK(box.counts()[0] == std::array{1, 9, 30, 0, 0, 0});
    // Phones that share an address do not displace one another.
    CHECK(vote("another", "10.0.0.1", 3) == Answer::full);
    CHECK(vote("first", "10.0.0.9", 3) == Answer::counted);
    CHECK(box.counts()[0] == std::array{0, 9, 30, 1, 0, 0});
}

TEST_CASE("phones: the page shows a phone its choices and its vote, and rejects invalid requests") {
    BallotBox box;
    const PhonePage page(box, "127.0.0.1", PhonePage::any_port);
    Phone phone(page.port(), "127.0.0.1");
    REQUIRE(phone.cookie().size() == std::string("glassformer_device=").size() + 32);
    const std::string first = phones::exchange(page.port(), "GET / HTTP/1.1\r\n" + phones::host(page.port()) + "\r\n");
    CHECK(starts(first, "HTTP/1.1 200"));
    CHECK(contains(first, "HttpOnly; SameSite=Strict"));
    CHECK(contains(first, "Content-Security-Policy: default-src 'none'"));
    CHECK_FALSE(contains(first, "{lost}"));
    CHECK_FALSE(contains(phone.get("/"), "Set-Cookie"));  // it already has a cookie
    CHECK(contains(phone.get("/state"), "\"line\":\"Wait for the next question.\""));
    box.ask(question(1));
    const std::string asked = phone.get("/state");
    CHECK(contains(asked, "\"choices\":[\"he\",\"foul\",\"<b>the</b>\",\".\"]"));  // the page shows it as text
    CHECK(contains(asked, "\"text\":\"What does \\\"bat\\\" look at?\""));
    CHECK(contains(asked, "\"line\":\"Choose an answer.\""));
    CHECK(contains(phone.vote(1, 0, 1), "Your vote: B"));
    CHECK(contains(phone.vote(1, 0, 3), "Your vote: D"));
    CHECK(box.counts()[0] == std::array{0, 0, 0, 1, 0, 0});
    box.ask(question(1, 0, false));
    CHECK(contains(phone.vote(1, 0, 0), "The vote is closed. Your vote: D"));
    box.ask(question(1, 1));
    CHECK(contains(phone.get("/state"), "Second vote"));
    CHECK(contains(phone.vote(1, 1, 0), "Your vote: A"));
    CHECK(box.counts()[1] == std::array{1, 0, 0, 0, 0, 0});
    CHECK(starts(phone.vote(1, 1, 5), "HTTP/1.1 400"));
    CHECK(starts(phone.post("question=1&round=1&choice=x"), "HTTP/1.1 400"));
    CHECK(starts(phone.post("question=1&round=1&choice=-1"), "HTTP/1.1 400"));
    CHECK(starts(phone.post("question=1&round=1&choice=99999999999999999999"), "HTTP/1.1 400"));
    CHECK(starts(phone.get("/../secret"), "HTTP/1.1 404"));
    CHECK(starts(phone.post(std::string(300, 'x')), "HTTP/1.1 400"));
    // Under another host name, somebody else's page has led the browser here (DNS rebinding).
    for (const char* host : {"", "Host: evil.example\r\n", "Host: 127.0.0.1\r\n"})
        CHECK_FALSE(starts(phones::exchange(page.port(), std::string("GET /state HTTP/1.1\r\n") + host + "\r\n"),
                           "HTTP/1.1 200"));
    CHECK(box.counts()[1] == std::array{1, 0, 0, 0, 0, 0});
}

TEST_CASE("phones: a vote that is sent again after a failure does not replace a later one") {
    const std::filesystem::path node = platform::find_program("node");
    if (node.empty()) {
        MESSAGE("skipped: Node.js is not installed");
        return;
    }
    BallotBox box;
    const PhonePage page(box, "127.0.0.1", PhonePage::any_port);
    const std::string html = Phone(page.port(), "127.0.0.1").get("/");
    const std::size_t begin = html.find("<script>") + 8, end = html.find("</script>");
    REQUIRE(end != std::string::npos);
    // What the page's script needs of a browser: requests wait for their answers, and timers for their turn.
    constexpr const char* browser = R"(
        const elements = {}, requests = [];
        let timers = [];
        const element = () => ({ append() {}, setAttribute() {}, replaceChildren(...all) { this.children = all; } });
        globalThis.document = { getElementById: name => elements[name] ??= element(), createElement: element };
        globalThis.setTimeout = (run, time, ...with_these) => timers.push(() => run(...with_these));
        globalThis.fetch = (path, options) => new Promise((answer, fail) => requests.push({
            vote: path === '/vote' && options.body.get('choice'), fail: () => fail(new Error('no network')),
            answer: yours => answer({ ok: true, json: async () => ({ ...question, yours }) }) }));
        const question = { question: 1, round: 0, open: true, title: '', text: '', line: '', choices: ['x', 'y'] };
    )";
    constexpr const char* student = R"(
        const rest = () => new Promise(setImmediate);
        const pass_time = () => { const due = timers; timers = []; due.forEach(run => run()); };
        const votes = () => requests.filter(one => one.vote).map(one => one.vote).join();
        const expect = (told, wanted) => { if (told !== wanted) throw new Error(`"${told}" instead of "${wanted}"`); };
        (async () => {
            requests.pop().answer(-1);
            await rest();
            elements.choices.children[0].onclick();
            requests.pop().fail();
            await rest();
            pass_time();
            expect(votes(), '0');  // sent again
            requests.find(one => one.vote).fail();
            requests.length = 0;
            elements.choices.children[1].onclick();
            requests.pop().answer(1);
            await rest();
            pass_time();
            expect(votes(), '');
        })().catch(problem => { console.error(problem); process.exit(1); });
    )";
    std::string said;
    const bool right = platform::run_program({node.string(), "-"}, browser + html.substr(begin, end - begin) + student,
                                             said, std::chrono::seconds(60));
    CAPTURE(said);
    CHECK(right);
}

TEST_CASE("phones: a page that cannot be served says why and not that its port is in use") {
    const auto said = [](const auto& attempt) {
        try {
            attempt();
        } catch (const SystemError& e) {
            return std::to_string(e.code()) + " " + e.what();
        }
        return std::string();
    };
    BallotBox box;
    const std::string elsewhere = said([&] { PhonePage(box, "192.0.2.1"); });  // not an address of this machine
    CHECK(starts(elsewhere, std::to_string(EADDRNOTAVAIL).c_str()));
    CHECK(contains(elsewhere, "its network has changed or is switched off"));
    const std::string forbidden = said([] { platform::fail_to_listen("192.168.1.23", 8642, EACCES); });
    CHECK(contains(forbidden, "does not let the program serve a page on port 8642 of 192.168.1.23. Use another port"));
    const std::string full = said([] { platform::fail_to_listen("192.168.1.23", 8642, EMFILE); });
    CHECK(contains(full, std::generic_category().message(EMFILE).c_str()));
}

TEST_CASE("phones: a port in use is reported with its number") {
    BallotBox box;
    const PhonePage page(box, "127.0.0.1", PhonePage::any_port);
    CHECK(page.url() == "http://127.0.0.1:" + std::to_string(page.port()));
    CHECK(error_of([&] {
              PhonePage(box, "127.0.0.1", page.port());
          }).starts_with("Port " + std::to_string(page.port()) + " of 127.0.0.1 is already in use"));
    CHECK_THROWS_AS(PhonePage(box, "192.0.2.1", PhonePage::any_port), Error);  // not an address of this machine
}

TEST_CASE("phones: slow, oversized and too frequent requests are rejected while others vote") {
    BallotBox box;
    box.ask(question(1));
    PhoneLimits limits;
    limits.time = std::chrono::milliseconds(300);
    limits.a_second_of_one_address = 20;
    const PhonePage page(box, "127.0.0.1", PhonePage::any_port, limits);
    // One address opens more connections than it may, and never ends its requests.
    std::vector<int> slow;
    for (int i = 0; i < 12; ++i) slow.push_back(phones::connection(page.port(), "127.0.0.9"));
    for (const int socket : slow) phones::send(socket, "POST /vote HT");
    CHECK(contains(Phone(page.port(), "127.0.0.2").vote(1, 0, 0), "Your vote: A"));
    char part[64];
    for (const int socket : slow) {
        CHECK(phones::receive(socket, part) == 0);  // closed by the page, without an answer
        phones::hang_up(socket);
    }
    // Longer than a request may be, in one header and in many.
    for (const std::string& line : {"X: " + std::string(20000, 'x') + "\r\n", [] {
                                        std::string many;
                                        for (int i = 0; i < 2000; ++i) many += "X-" + std::to_string(i) + ": 1\r\n";
                                        return many;
                                    }()})
        CHECK_FALSE(
            starts(phones::exchange(page.port(), "GET / HTTP/1.1\r\n" + phones::host(page.port()) + line + "\r\n",
                                    "127.0.0.3"),
                   "HTTP/1.1 200"));
    int answered = 0;
    for (int i = 0; i < 100; ++i)
        answered += starts(
            phones::exchange(page.port(), "GET /state HTTP/1.1\r\n" + phones::host(page.port()) + "\r\n", "127.0.0.4"),
            "HTTP/1.1 200");
    CHECK(answered >= 20);
    CHECK(answered < 100);
    CHECK(contains(Phone(page.port(), "127.0.0.5").vote(1, 0, 1), "Your vote: B"));
    CHECK(box.counts()[0] == std::array{1, 1, 0, 0, 0, 0});
}

TEST_CASE("phones: HTTP features other than the page's three requests are rejected") {
    BallotBox box;
    box.ask(question(1));
    const PhonePage page(box, "127.0.0.1", PhonePage::any_port, without_rates());
    const std::string host = phones::host(page.port()), form = "Content-Type: application/x-www-form-urlencoded\r\n";
    const auto refused = [&](const std::string& head, const std::string& body = {}) {
        const std::string answer = phones::exchange(page.port(), head + body);
        CAPTURE(head.substr(0, 200));
        CHECK((answer.empty() || starts(answer, "HTTP/1.1 4") || starts(answer, "HTTP/1.1 5")));
        CHECK(answer.size() < 1000);
    };
    std::string disposition = "--x\r\nContent-Disposition: form-data; name=\"";
    for (int i = 0; i < 330; ++i) disposition += "\";filename=\"";
    const std::string post = "POST /vote HTTP/1.1\r\n" + host, short_form = "question=1&round=0&choice=1";
    refused(post + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: " +
                std::to_string(disposition.size()) + "\r\n\r\n",
            disposition);
    refused(post + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 27\r\n\r\n", short_form);
    for (const char* coding : {"gzip", "br", "deflate", "identity"})
        refused(post + form + "Content-Encoding: " + coding + "\r\nContent-Length: 27\r\n\r\n", short_form);
    refused(post + form + "Transfer-Encoding: chunked\r\n\r\n", "1b\r\n" + short_form + "\r\n0\r\n\r\n");
    refused(post + form + "Content-Length: 257\r\n\r\n", std::string(257, 'x'));
    refused(post + form + "\r\n");
    for (const char* method : {"HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT"})
        refused(std::string(method) + " / HTTP/1.1\r\n" + host + "\r\n");
    // A range request gets the whole page, once.
    std::string ranges = "bytes=0-";
    for (int i = 0; i < 2000; ++i) ranges += ",-";
    const std::string whole = phones::exchange(page.port(), "GET / HTTP/1.1\r\n" + host + "\r\n");
    const std::string part =
        phones::exchange(page.port(), "GET / HTTP/1.1\r\n" + host + "Range: " + ranges + "\r\n\r\n");
    CHECK(starts(part, "HTTP/1.1 200"));
    CHECK(part.size() == whole.size());
    CHECK(box.devices() == 0);
}

TEST_CASE("phones: the page can be closed while clients hold connections open") {
    BallotBox box;
    PhoneLimits limits;
    limits.time = std::chrono::hours(1);
    auto page = std::make_unique<PhonePage>(box, "127.0.0.1", PhonePage::any_port, limits);
    std::vector<int> held;
    for (int i = 0; i < 60; ++i)
        held.push_back(phones::connection(page->port(), "127.0.0." + std::to_string(2 + i / 6)));
    for (const int socket : held) REQUIRE(phones::send(socket, "GET / HTTP/1.1\r\nX: ") == 19);
    CHECK(
        starts(phones::exchange(page->port(), "GET / HTTP/1.1\r\n" + phones::host(page->port()) + "\r\n", "127.0.0.90"),
               "HTTP/1.1 200"));
    page.reset();
    char part[64];
    for (const int socket : held) {
        CHECK(phones::receive(socket, part) == 0);
        phones::hang_up(socket);
    }
}

// Seeded, so that a failure is reproducible.
TEST_CASE("phones: ten thousand malformed requests change nothing, and the page keeps working") {
    BallotBox box;
    box.ask(question(1));
    PhoneLimits limits = without_rates();
    limits.time = std::chrono::milliseconds(200);  // otherwise truncated requests hold all places for seconds
    const PhonePage page(box, "127.0.0.1", PhonePage::any_port, limits);
    const Phone phone(page.port(), "127.0.0.1");
    REQUIRE(contains(phone.vote(1, 0, 2), "Your vote: C"));
    std::mt19937 random(7);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    const std::string right = "POST /vote HTTP/1.1\r\n" + phones::host(page.port()) +
                              "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                              "27\r\n\r\nquestion=1&round=0&choice=1";  // valid except for the cookie
    std::vector<std::string> wrong = {
        "",
        "\r\n\r\n",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "BREW /vote HTTP/1.1\r\n\r\n",
        "GET " + std::string(8100, '/') + " HTTP/1.1\r\n\r\n",
        "GET /" + std::string(8100, '%') + " HTTP/1.1\r\n\r\n",
        "GET /?" + std::string(4000, '&') + " HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nRange: bytes=" + std::string(8000, '1') + "\r\n\r\n",
        "GET / HTTP/1.1\r\nRange: bytes=0-0,1-1,2-2,5-1,-7\r\n\r\n",
        "GET / HTTP/1.1\r\nCookie: glassformer_device=" + std::string(7000, 'a') + "\r\n\r\n",
        "GET /../../etc/passwd HTTP/1.1\r\n\r\n",
        "POST /vote HTTP/1.1\r\nContent-Length: -1\r\n\r\nchoice=1",
        "POST /vote HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\nchoice=1",
        "POST /vote HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nx",
        "POST /vote HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
        "POST /vote HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n",
        "POST /vote HTTP/1.1\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\n\x1f\x8b\x08\x00xxxx",
        "POST /vote HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=\r\nContent-Length: 4\r\n\r\n----",
        right,
    };
    for (std::string& bytes : wrong)  // past the check of the Host header
        if (const std::size_t at = bytes.find("HTTP/1.1\r\n"); at != std::string::npos && bytes != right)
            bytes.insert(at + 10, phones::host(page.port()));
    const auto request = [&] {
        std::string bytes = wrong[below(wrong.size())];
        switch (below(4)) {
            case 0:  // truncated
                bytes.resize(bytes.empty() ? 0 : below(bytes.size()));
                break;
            case 1:  // with changed bytes
                for (int i = 0; i < 8 && !bytes.empty(); ++i) bytes[below(bytes.size())] = static_cast<char>(random());
                break;
            case 2:  // random bytes
                bytes.resize(below(300));
                for (char& c : bytes) c = static_cast<char>(random());
                break;
            default:
                break;
        }
        return bytes;
    };
    int sent = 0;
    std::deque<int> open;
    for (; sent < 10000; ++sent) {
        const int socket = phones::connection(page.port(), "127.0.0." + std::to_string(2 + sent % 200));
        REQUIRE(socket >= 0);
        const std::string bytes = request();
        phones::send(socket, bytes);
        phones::end_sending(socket);
        open.push_back(socket);  // for a while, so that many are open at a time
        if (open.size() < 100) continue;
        phones::hang_up(open.front());
        open.pop_front();
        if (sent % 1000 == 0) CHECK(contains(phone.get("/state"), "Your vote: C"));
    }
    for (const int socket : open) phones::hang_up(socket);
    CHECK(sent == 10000);
    CHECK(box.counts()[0] == std::array{0, 0, 1, 0, 0, 0});
    CHECK(box.devices() == 1);
    CHECK(contains(phone.vote(1, 0, 0), "Your vote: A"));
}

TEST_CASE("phones: a QR code has three finder patterns, and different texts have different codes") {
    const QrCode code = qr_code("http://192.168.100.123:8642");
    REQUIRE(code.side >= 21);
    REQUIRE(code.black.size() == static_cast<std::size_t>(code.side * code.side));
    const int last = code.side - 7;
    for (const auto& [top, left] : {std::pair{0, 0}, std::pair{0, last}, std::pair{last, 0}})
        for (int row = 0; row < 7; ++row)
            for (int column = 0; column < 7; ++column) {
                const int ring = std::max(std::abs(row - 3), std::abs(column - 3));
                CHECK(code.at(top + row, left + column) == (ring != 2));
            }
    CHECK(qr_code("http://192.168.100.124:8642").black != code.black);
    CHECK(qr_code(std::string(100000, 'x')).side == 0);
}
