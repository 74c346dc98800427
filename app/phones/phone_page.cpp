#include "app/phones/phone_page.h"

#include <microhttpd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <nlohmann/json.hpp>
#include <random>
#include <string_view>
#include <thread>
#include <utility>

#include "app/language/tr.h"
#include "app/phones/visitors.h"
#include "app/phones/vote_html.h"
#include "core/base/background.h"
#include "core/base/error.h"
#include "core/base/guarded.h"
#include "core/base/number_text.h"
#include "core/platform/network.h"

namespace glassformer::app {

namespace {

constexpr std::size_t token_length = 32, most_body_bytes = 256;
constexpr const char* cookie = "glassformer_device";
constexpr int most_waiting = 512;  // connections in the system's queue: a class that scans the code all at once
constexpr std::chrono::milliseconds turn{20};  // the page ends within this time

constexpr std::array<std::pair<const char*, const char*>, 6> headers = {
    {{"Connection", "close"},
     {"Cache-Control", "no-store"},
     {"X-Content-Type-Options", "nosniff"},
     {"X-Frame-Options", "DENY"},
     {"Referrer-Policy", "no-referrer"},
     {"Content-Security-Policy",
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"}}};

bool is_token(std::string_view text) {
    return text.size() == token_length && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string new_token() {
    std::random_device source;
    std::string token;
    while (token.size() < token_length) token += "0123456789abcdef"[source() % 16];
    return token;
}

/// Returns a header of the request; "" if it is missing.
std::string_view header_of(MHD_Connection* connection, const char* name) {
    const char* value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
    return value ? value : "";
}

/// Returns the device's token, set as a cookie with the page; "" if it has none.
std::string device_of(MHD_Connection* connection) {
    const char* token = MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, cookie);
    return token && is_token(token) ? token : "";
}

std::string address_of(MHD_Connection* connection) {
    const MHD_ConnectionInfo* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return platform::ipv4_text(info ? info->client_addr : nullptr);
}

/// Parses a whole number ≥ 0; -1 for anything else.
int whole_number(std::string_view text) { return std::max(whole_in_text<int>(text).value_or(-1), -1); }

/// Returns a field of a form, "question=1&round=0&choice=2"; -1 if it is not a whole number.
int number_in(std::string_view form, std::string_view field) {
    while (!form.empty()) {
        const std::string_view entry = form.substr(0, form.find('&'));
        form.remove_prefix(std::min(form.size(), entry.size() + 1));
        if (entry.size() > field.size() && entry.starts_with(field) && entry[field.size()] == '=')
            return whole_number(entry.substr(field.size() + 1));
    }
    return -1;
}

/// Returns true for the only body that is accepted: a short form as the page sends it.
bool has_short_form(MHD_Connection* connection) {
    const int size = whole_number(header_of(connection, "Content-Length"));
    return size >= 0 && static_cast<std::size_t>(size) <= most_body_bytes &&
           header_of(connection, "Transfer-Encoding").empty() && header_of(connection, "Content-Encoding").empty() &&
           header_of(connection, "Content-Type").starts_with("application/x-www-form-urlencoded");
}

/// The texts on the phones, in the window's language.
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
        : box(votes), visitors(limits) {
        const platform::ListeningSocket listening = platform::listen_at(address, wanted, most_waiting);
        port = listening.port;
        host = address + ":" + std::to_string(port);
        const unsigned waits = MHD_is_feature_supported(MHD_FEATURE_EPOLL) == MHD_YES ? MHD_USE_EPOLL : 0;
        daemon = MHD_start_daemon(waits, 0, &may_connect, this, &answer, this,                          //
                                  MHD_OPTION_LISTEN_SOCKET, static_cast<MHD_socket>(listening.socket),  //
                                  MHD_OPTION_CONNECTION_LIMIT, limits.connections,                      //
                                  MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.bytes,                     //
                                  MHD_OPTION_NOTIFY_CONNECTION, &note_connection, this,                 //
                                  MHD_OPTION_NOTIFY_COMPLETED, &forget_body, nullptr,                   //
                                  MHD_OPTION_END);
        if (!daemon) {
            platform::close_socket(listening.socket);
            throw Error("Cannot serve a page at {1}.", address);
        }
        // An exception ends only the current turn; the page keeps running.
        thread = Background("phones", [this](const std::stop_token& stop) {
            if (stop.stop_requested()) return Turn::done;
            guarded([&] { serve(); });
            return Turn::more;
        });
        if (!thread.joinable()) {
            MHD_stop_daemon(daemon);
            throw Error("Cannot serve a page at {1}.", address);
        }
    }
    ~Server() {
        thread.request_stop();
        thread.join();
        MHD_stop_daemon(daemon);
    }

    void serve() {
        fault_point("phones turn");
        const bool ran = MHD_run_wait(daemon, static_cast<std::int32_t>(turn.count())) == MHD_YES;
        const Visitors::Clock::time_point now = Visitors::Clock::now();
        visitors.end_late_ones(now);
        if (!ran || !visitors.may_accept(now)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }

    // Callbacks of the library, on the page's thread. They must not throw.

    static MHD_Result may_connect(void* self, const sockaddr* address, socklen_t) noexcept try {
        return as_result(
            static_cast<Server*>(self)->visitors.admits(platform::ipv4_text(address), Visitors::Clock::now()));
    } catch (const std::exception&) {
        return MHD_NO;
    }

    static void note_connection(void* self, MHD_Connection* connection, void**,
                                MHD_ConnectionNotificationCode code) noexcept try {
        Visitors& visitors = static_cast<Server*>(self)->visitors;
        const auto socket =
            static_cast<int>(MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
        if (code == MHD_CONNECTION_NOTIFY_STARTED)
            visitors.enter(socket, address_of(connection), Visitors::Clock::now());
        else
            visitors.leave(socket);
    } catch (const std::exception&) {
        // Out of memory: this visitor is not counted.
    }

    /// The library calls this once with the head of a request, once for each part of its body, and once at the end; it
    /// keeps `*body` between these calls.
    static MHD_Result answer(void* self, MHD_Connection* connection, const char* path, const char* method, const char*,
                             const char* part, std::size_t* size, void** body) noexcept try {
        Server& server = *static_cast<Server*>(self);
        if (!*body) return server.answer_head(connection, path, method, body);
        auto& form = *static_cast<std::string*>(*body);
        if (*size == 0) return server.vote(connection, form);
        if (form.size() + *size > most_body_bytes) return MHD_NO;
        form.append(part, std::exchange(*size, 0));
        return MHD_YES;
    } catch (const std::exception&) {
        return MHD_NO;
    }

    static void forget_body(void*, MHD_Connection*, void** body, MHD_RequestTerminationCode) noexcept {
        delete static_cast<std::string*>(std::exchange(*body, nullptr));
    }

    static MHD_Result as_result(bool right) { return right ? MHD_YES : MHD_NO; }

    MHD_Result answer_head(MHD_Connection* connection, std::string_view path, std::string_view method,
                           void** body) const {
        // A different host name means that a foreign page led the browser here (DNS rebinding).
        if (header_of(connection, "Host") != host) return refuse(connection, MHD_HTTP_FORBIDDEN);
        if (method == "GET" && path == "/") return send_page(connection);
        if (method == "GET" && path == "/state") return send_state(connection, device_of(connection), {});
        if (method == "POST" && path == "/vote") {
            if (!has_short_form(connection)) return refuse(connection, MHD_HTTP_BAD_REQUEST);
            *body = new std::string;
            return MHD_YES;
        }
        return refuse(connection, method == "GET" ? MHD_HTTP_NOT_FOUND : MHD_HTTP_METHOD_NOT_ALLOWED);
    }

    static MHD_Result send(MHD_Connection* connection, unsigned status, std::string_view content, const char* type,
                           const std::string& new_device = {}) {
        // The library takes a non-const pointer, but copies.
        MHD_Response* response =
            MHD_create_response_from_buffer(content.size(), const_cast<char*>(content.data()), MHD_RESPMEM_MUST_COPY);
        if (!response) return MHD_NO;
        for (const auto& [name, value] : headers) MHD_add_response_header(response, name, value);
        MHD_add_response_header(response, "Content-Type", type);
        if (!new_device.empty()) MHD_add_response_header(response, "Set-Cookie", new_device.c_str());
        const MHD_Result queued = MHD_queue_response(connection, status, response);
        MHD_destroy_response(response);
        return queued;
    }

    static MHD_Result refuse(MHD_Connection* connection, unsigned status) {
        return send(connection, status, "", "text/plain");
    }

    MHD_Result send_page(MHD_Connection* connection) const {
        const std::string device =
            device_of(connection).empty()
                ? std::string(cookie) + "=" + new_token() + "; Path=/; Max-Age=86400; HttpOnly; SameSite=Strict"
                : std::string();
        return send(connection, MHD_HTTP_OK, page, "text/html; charset=utf-8", device);
    }

    /// Sends what this device may know: the question, and its own vote.
    MHD_Result send_state(MHD_Connection* connection, const std::string& device, std::string line) const {
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
        return send(connection, MHD_HTTP_OK, state.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                    "application/json");
    }

    MHD_Result vote(MHD_Connection* connection, std::string_view form) {
        const std::string device = device_of(connection);
        const int question = number_in(form, "question"), round = number_in(form, "round"),
                  choice = number_in(form, "choice");
        if (device.empty() || question < 0 || round < 0 || choice < 0) return refuse(connection, MHD_HTTP_BAD_REQUEST);
        const BallotBox::Answer answer =
            box.cast(device, address_of(connection), question, round, static_cast<std::size_t>(choice));
        if (answer == BallotBox::Answer::unknown_choice) return refuse(connection, MHD_HTTP_BAD_REQUEST);
        return send_state(connection, device, answer == BallotBox::Answer::full ? words.full : std::string());
    }

    const Words words;
    const std::string page = page_text();
    BallotBox& box;
    Visitors visitors;
    int port = -1;
    std::string host;  // "192.168.1.23:8642"
    MHD_Daemon* daemon = nullptr;
    Background thread;
};

PhonePage::PhonePage(BallotBox& box, const std::string& address, int port, const PhoneLimits& limits)
    : server_(std::make_unique<Server>(box, address, port, limits)), url_("http://" + server_->host) {}
PhonePage::~PhonePage() = default;

int PhonePage::port() const { return server_->port; }

}  // namespace glassformer::app
