#include "app/phones/phone_page.h"

#include <httplib.h>

#include <atomic>
#include <charconv>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "app/language/tr.h"
#include "app/phones/visitors.h"
#include "app/phones/vote_html.h"
#include "core/base/error.h"

namespace glassformer::app {

namespace {

constexpr std::size_t token_length = 32;
constexpr std::string_view cookie = "glassformer_device=";

/// A visitor's bytes as the HTTP library reads and writes them.
class VisitorStream : public httplib::Stream {
public:
    explicit VisitorStream(platform::StrangersConnection& visitor) : visitor_(visitor) {}
    bool is_readable() const override { return visitor_.is_readable(); }
    bool is_writable() const override { return visitor_.is_writable(); }
    ssize_t read(char* to, std::size_t size) override { return visitor_.read(to, size); }
    ssize_t write(const char* bytes, std::size_t size) override { return visitor_.write(bytes, size); }
    void get_remote_ip_and_port(std::string& ip, int& port) const override { ip = visitor_.from(), port = 0; }
    void get_local_ip_and_port(std::string& ip, int& port) const override { ip.clear(), port = 0; }
    socket_t socket() const override { return visitor_.socket(); }

private:
    platform::StrangersConnection& visitor_;
};

/// Threads that answer; where all are at work, the next connection waits to be taken.
class Answering : public httplib::TaskQueue {
public:
    Answering(std::size_t threads, Visitors& visitors) : visitors_(visitors), most_(threads) {
        try {
            for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
        } catch (const std::system_error&) {
            if (threads_.empty()) throw;  // else fewer will do
        }
    }
    void enqueue(std::function<void()> job) override {
        visitors_.wait_for_turn();
        std::unique_lock held(lock_);
        room_.wait(held, [&] { return jobs_.size() < most_; });  // each ends in time, whatever its visitor does
        jobs_.push_back(std::move(job));
        work_.notify_one();
    }
    void shutdown() override {
        {
            const std::lock_guard held(lock_);
            over_ = true;
        }
        work_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

private:
    void work() {
        for (std::unique_lock held(lock_);;) {
            work_.wait(held, [&] { return over_ || !jobs_.empty(); });
            if (jobs_.empty()) return;
            const std::function<void()> job = std::move(jobs_.front());
            jobs_.pop_front();
            held.unlock();
            room_.notify_one();
            job();
            held.lock();
        }
    }

    Visitors& visitors_;
    const std::size_t most_;
    std::mutex lock_;
    std::condition_variable work_, room_;
    std::deque<std::function<void()>> jobs_;
    bool over_ = false;
    std::vector<std::thread> threads_;
};

/// The library's server behind our door: one request a connection, within its bounds.
class BoundedServer : public httplib::Server {
public:
    BoundedServer(Visitors& visitors, const PhoneLimits& limits) : visitors_(visitors), limits_(limits) {}

    /// A class that reads the code at one moment; the library lets five wait.
    void let_a_class_wait() { platform::let_connections_wait(svr_sock_, 128); }

private:
    bool process_and_close_socket(socket_t socket) override {
        platform::StrangersConnection visitor(socket, limits_.time, limits_.bytes);
        if (!visitors_.enter(visitor)) return false;
        VisitorStream stream(visitor);
        bool closed = false;
        try {
            process_request(stream, true, closed, nullptr);
        } catch (const std::exception&) {
            // A request that the library cannot bear is a request without an answer.
        }
        visitors_.leave(visitor);
        return true;
    }

    Visitors& visitors_;
    const PhoneLimits limits_;
};

bool is_token(std::string_view text) {
    return text.size() == token_length && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string new_token() {
    std::random_device source;
    std::string token;
    while (token.size() < token_length) token += "0123456789abcdef"[source() % 16];
    return token;
}

/// The device's name for itself, which it got with the page; "" where it has none.
std::string device_of(const httplib::Request& request) {
    const std::string cookies = request.get_header_value("Cookie");
    const std::size_t at = cookies.find(cookie);
    if (at == std::string::npos) return {};
    const std::string token = cookies.substr(at + cookie.size(), token_length);
    return is_token(token) ? token : std::string();
}

/// A whole number from 0; -1 for what is none.
int number_of(const httplib::Request& request, const char* field) {
    const std::string text = request.get_param_value(field);
    int number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() && number >= 0 ? number : -1;
}

/// What stands on the phones, in the language of the window.
struct Words {
    std::string choose = tr("Choose an answer."), again = tr("Second vote: choose again."),
                yours = tr("Your vote: {1}"), closed = tr("The vote is closed."),
                wait = tr("Wait for the next question."), full = tr("Too many devices have voted.");
};

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

void replace(std::string& text, std::string_view mark, std::string_view by) {
    const std::size_t at = text.find(mark);
    if (at != std::string::npos) text.replace(at, mark.size(), by);
}

std::string page_text() {
    std::string page(vote_html());
    replace(page, "{language}", language());
    replace(page, "{no_script}", tr("This page needs JavaScript."));
    replace(page, "{lost}", quoted(tr("No connection. Trying again …")));
    return page;
}

}  // namespace

struct PhonePage::Server {
    Server(BallotBox& votes, const std::string& address, int wanted, const PhoneLimits& limits)
        : box(votes), visitors(limits), http(visitors, limits) {
        http.new_task_queue = [this, threads = limits.threads] { return new Answering(threads, visitors); };
        http.set_socket_options(platform::let_port_be_reused);
        http.set_payload_max_length(limits.bytes);
        http.set_default_headers({{"Cache-Control", "no-store"},
                                  {"X-Content-Type-Options", "nosniff"},
                                  {"X-Frame-Options", "DENY"},
                                  {"Referrer-Policy", "no-referrer"},
                                  {"Content-Security-Policy",
                                   "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
                                   "connect-src 'self'"}});
        http.Get("/", [this](const httplib::Request& request, httplib::Response& response) {
            send_page(request, response);
        });
        http.Get("/state", [this](const httplib::Request& request, httplib::Response& response) {
            send_state(device_of(request), response, {});
        });
        http.Post("/vote",
                  [this](const httplib::Request& request, httplib::Response& response) { vote(request, response); });
        bind(address, wanted);
        http.let_a_class_wait();
        listening = std::thread([this] {
            try {
                http.listen_after_bind();
            } catch (const std::exception&) {
                failed = true;  // no thread could be started
            }
        });
        while (!http.is_running() && !failed) std::this_thread::yield();  // before that it cannot be ended
    }
    ~Server() {
        visitors.end();
        http.stop();
        listening.join();
    }

    void bind(const std::string& address, int wanted) {
        port = wanted == any_port ? http.bind_to_any_port(address) : http.bind_to_port(address, wanted) ? wanted : -1;
        if (port > 0) {
            url = "http://" + address + ":" + std::to_string(port);
            return;
        }
        if (wanted == any_port) throw Error(filled(tr("No page can be served at {1}."), {address}));
        throw Error(
            filled(tr("Port {2} of {1} is taken: another program, or another window of this one, serves there."),
                   {address, std::to_string(wanted)}));
    }

    void send_page(const httplib::Request& request, httplib::Response& response) const {
        if (device_of(request).empty())
            response.set_header(
                "Set-Cookie", std::string(cookie) + new_token() + "; Path=/; Max-Age=86400; HttpOnly; SameSite=Strict");
        response.set_content(page, "text/html; charset=utf-8");
    }

    /// What this device may know: the question, and its own vote.
    void send_state(const std::string& device, httplib::Response& response, std::string line) const {
        const Ballot ballot = box.ballot();
        const int yours = ballot.question > 0 ? box.vote_of(device) : -1;
        if (ballot.question > 0 && line.empty()) {
            line = !ballot.open ? words.closed : ballot.round > 0 ? words.again : words.choose;
            const std::string letter(1, static_cast<char>('A' + yours));
            if (yours >= 0) line = (ballot.open ? "" : words.closed + " ") + filled(words.yours, {letter});
        }
        const nlohmann::json state = {{"question", ballot.question},
                                      {"round", ballot.round},
                                      {"open", ballot.open},
                                      {"title", ballot.title},
                                      {"text", ballot.text},
                                      {"choices", ballot.choices},
                                      {"yours", yours},
                                      {"line", ballot.question > 0 ? line : words.wait}};
        response.set_content(state.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), "application/json");
    }

    void vote(const httplib::Request& request, httplib::Response& response) {
        const std::string device = device_of(request);
        const int question = number_of(request, "question"), round = number_of(request, "round"),
                  choice = number_of(request, "choice");
        if (device.empty() || question < 0 || round < 0 || choice < 0) {
            response.status = 400;
            return;
        }
        const BallotBox::Answer answer =
            box.cast(device, request.remote_addr, question, round, static_cast<std::size_t>(choice));
        if (answer == BallotBox::Answer::unknown_choice) {
            response.status = 400;
            return;
        }
        send_state(device, response, answer == BallotBox::Answer::full ? words.full : std::string());
    }

    const Words words;
    const std::string page = page_text();
    BallotBox& box;
    Visitors visitors;
    BoundedServer http;
    int port = -1;
    std::string url;
    std::atomic<bool> failed{false};
    std::thread listening;
};

PhonePage::PhonePage(BallotBox& box, const std::string& address, int port, const PhoneLimits& limits)
    : server_(std::make_unique<Server>(box, address, port, limits)) {}
PhonePage::~PhonePage() = default;

const std::string& PhonePage::url() const { return server_->url; }
int PhonePage::port() const { return server_->port; }

}  // namespace glassformer::app
