#include "tests/ui/phones.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <random>
#include <thread>

#include "app/phones/phone_page.h"
#include "app/phones/qr_code.h"
#include "core/base/error.h"

using namespace glassformer;
using namespace glassformer::app;
using phones::Phone;

namespace {

Ballot question(int number, int round = 0, bool open = true) {
    return {number, round, open, "Bats", "What does \"bat\" look at?", {"he", "foul", "<b>the</b>", "."}};
}

bool starts(const std::string& answer, const char* with) { return answer.starts_with(with); }
bool has(const std::string& answer, const char* part) { return answer.find(part) != std::string::npos; }

/// As many as a test asks for at once.
PhoneLimits without_rates() {
    PhoneLimits limits;
    limits.a_second = limits.a_second_of_one_address = 1e9;
    return limits;
}

}  // namespace

TEST_CASE("phones: a device has one vote a round, its last one, and another question forgets all") {
    BallotBox box(3);
    using Answer = BallotBox::Answer;
    CHECK(box.cast("a", "10.0.0.1", 0, 0, 0) == Answer::closed);  // nothing is asked
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
    CHECK(box.counts()[0] == std::array{0, 1, 1, 0, 0, 0});
    CHECK(box.counts()[1] == std::array{1, 0, 0, 0, 0, 0});
    CHECK(box.addresses() == 1);
    CHECK(box.cast("c", "10.0.0.1", 1, 1, 0) == Answer::full);  // two of three from one address
    CHECK(box.cast("c", "10.0.0.2", 1, 1, 0) == Answer::counted);
    CHECK(box.cast("d", "10.0.0.3", 1, 1, 0) == Answer::full);
    CHECK(box.devices() == 3);
    CHECK(box.addresses() == 2);
    box.ask(question(2));
    CHECK(box.devices() == 0);
    CHECK(box.addresses() == 0);
    CHECK(box.counts() == BallotBox::Counts{});
    CHECK(box.vote_of("a") == -1);
}

TEST_CASE("phones: the page gives a phone its choices, its vote and nothing of the answer") {
    BallotBox box;
    const PhonePage page(box, "127.0.0.1", PhonePage::any_port);
    Phone phone(page.port(), "127.0.0.1");
    REQUIRE(phone.cookie().size() == std::string("glassformer_device=").size() + 32);
    const std::string first = phones::exchange(page.port(), "GET / HTTP/1.1\r\nHost: here\r\n\r\n");
    CHECK(starts(first, "HTTP/1.1 200"));
    CHECK(has(first, "HttpOnly; SameSite=Strict"));
    CHECK(has(first, "Content-Security-Policy: default-src 'none'"));
    CHECK_FALSE(has(first, "{lost}"));
    CHECK_FALSE(has(phone.get("/"), "Set-Cookie"));  // it has one
    CHECK(has(phone.get("/state"), "\"line\":\"Wait for the next question.\""));
    box.ask(question(1));
    const std::string asked = phone.get("/state");
    CHECK(has(asked, "\"choices\":[\"he\",\"foul\",\"<b>the</b>\",\".\"]"));  // the page shows it as text
    CHECK(has(asked, "\"text\":\"What does \\\"bat\\\" look at?\""));
    CHECK(has(asked, "\"line\":\"Choose an answer.\""));
    CHECK(has(phone.vote(1, 0, 1), "Your vote: B"));
    CHECK(has(phone.vote(1, 0, 3), "Your vote: D"));
    CHECK(box.counts()[0] == std::array{0, 0, 0, 1, 0, 0});
    box.ask(question(1, 0, false));
    CHECK(has(phone.vote(1, 0, 0), "The vote is closed. Your vote: D"));
    box.ask(question(1, 1));
    CHECK(has(phone.get("/state"), "Second vote"));
    CHECK(has(phone.vote(1, 1, 0), "Your vote: A"));
    CHECK(box.counts()[1] == std::array{1, 0, 0, 0, 0, 0});
    CHECK(starts(phone.vote(1, 1, 5), "HTTP/1.1 400"));
    CHECK(starts(phone.post("question=1&round=1&choice=x"), "HTTP/1.1 400"));
    CHECK(starts(phone.post("question=1&round=1&choice=-1"), "HTTP/1.1 400"));
    CHECK(starts(phone.post("question=1&round=1&choice=99999999999999999999"), "HTTP/1.1 400"));
    CHECK(starts(phone.get("/../secret"), "HTTP/1.1 404"));
    CHECK(box.counts()[1] == std::array{1, 0, 0, 0, 0, 0});
}

TEST_CASE("phones: a port that is taken is told with its number") {
    BallotBox box;
    const PhonePage page(box, "127.0.0.1", PhonePage::any_port);
    CHECK(page.url() == "http://127.0.0.1:" + std::to_string(page.port()));
    std::string said;
    try {
        const PhonePage again(box, "127.0.0.1", page.port());
    } catch (const Error& e) {
        said = e.what();
    }
    CHECK(said.starts_with("Port " + std::to_string(page.port()) + " of 127.0.0.1 is taken"));
    CHECK_THROWS_AS(PhonePage(box, "192.0.2.1", PhonePage::any_port), Error);  // no address of this machine
}

TEST_CASE("phones: who is slow, sends too much, or comes too often is turned away; others vote meanwhile") {
    BallotBox box;
    box.ask(question(1));
    PhoneLimits limits;
    limits.time = std::chrono::milliseconds(300);
    limits.a_second_of_one_address = 20;
    const PhonePage page(box, "127.0.0.1", PhonePage::any_port, limits);
    // One address holds more connections than it may, and never ends its request.
    std::vector<int> slow;
    for (int i = 0; i < 12; ++i) slow.push_back(phones::connection(page.port(), "127.0.0.9"));
    for (const int socket : slow) ::send(socket, "POST /vote HT", 13, MSG_NOSIGNAL);
    CHECK(has(Phone(page.port(), "127.0.0.2").vote(1, 0, 0), "Your vote: A"));
    char part[64];
    for (const int socket : slow) {
        CHECK(::recv(socket, part, sizeof part, 0) <= 0);  // ended by the page, without an answer
        ::close(socket);
    }
    // More than a request may have, in one header and in many.
    for (const std::string& line : {"X: " + std::string(20000, 'x') + "\r\n", [] {
                                        std::string many;
                                        for (int i = 0; i < 2000; ++i) many += "X-" + std::to_string(i) + ": 1\r\n";
                                        return many;
                                    }()})
        CHECK_FALSE(
            starts(phones::exchange(page.port(), "GET / HTTP/1.1\r\n" + line + "\r\n", "127.0.0.3"), "HTTP/1.1 200"));
    int answered = 0;
    for (int i = 0; i < 100; ++i)
        answered += starts(phones::exchange(page.port(), "GET /state HTTP/1.1\r\n\r\n", "127.0.0.4"), "HTTP/1.1 200");
    CHECK(answered >= 20);
    CHECK(answered < 100);
    CHECK(has(Phone(page.port(), "127.0.0.5").vote(1, 0, 1), "Your vote: B"));
    CHECK(box.counts()[0] == std::array{1, 1, 0, 0, 0, 0});
}

// Seeded, so that what fails once fails again.
TEST_CASE("phones: ten thousand wrong requests change nothing, and the page goes on") {
    BallotBox box;
    box.ask(question(1));
    const PhonePage page(box, "127.0.0.1", PhonePage::any_port, without_rates());
    const Phone phone(page.port(), "127.0.0.1");
    REQUIRE(has(phone.vote(1, 0, 2), "Your vote: C"));
    std::mt19937 random(7);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    const std::string right =
        "POST /vote HTTP/1.1\r\nHost: here\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
        "27\r\n\r\nquestion=1&round=0&choice=1";  // but for the cookie
    const std::vector<std::string> wrong = {
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
    const auto request = [&] {
        std::string bytes = wrong[below(wrong.size())];
        switch (below(4)) {
            case 0:  // cut
                bytes.resize(bytes.empty() ? 0 : below(bytes.size()));
                break;
            case 1:  // with other bytes
                for (int i = 0; i < 8 && !bytes.empty(); ++i) bytes[below(bytes.size())] = static_cast<char>(random());
                break;
            case 2:  // noise
                bytes.resize(below(300));
                for (char& c : bytes) c = static_cast<char>(random());
                break;
            default:
                break;
        }
        return bytes;
    };
    int sent = 0;
    for (; sent < 10000; ++sent) {
        const int socket = phones::connection(page.port(), "127.0.0." + std::to_string(2 + sent % 200));
        REQUIRE(socket >= 0);
        const std::string bytes = request();
        ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        ::shutdown(socket, SHUT_WR);  // nothing more comes, so it need not wait for the rest
        char answer[4096];
        while (::recv(socket, answer, sizeof answer, 0) > 0) {
        }
        ::close(socket);
        if (sent % 1000 == 0) CHECK(has(phone.get("/state"), "Your vote: C"));
    }
    CHECK(sent == 10000);
    CHECK(box.counts()[0] == std::array{0, 0, 1, 0, 0, 0});
    CHECK(box.devices() == 1);
    CHECK(has(phone.vote(1, 0, 0), "Your vote: A"));
}

TEST_CASE("phones: a QR code has its three corners, and another text is another code") {
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
