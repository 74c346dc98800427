#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// A phone on the network, as the page sees it: bytes from a loopback address (127.0.0.x).
namespace glassformer::phones {

/// Connects from that address; receive() waits up to ten seconds. Returns -1 if the connection fails.
int connection(int port, const std::string& from);
/// Returns the number of bytes sent.
std::size_t send(int socket, std::string_view bytes);
/// Shuts down the sending side.
void end_sending(int socket);
/// Returns the number of bytes received; 0 once the page has closed the connection.
std::size_t receive(int socket, std::span<char> bytes);
void hang_up(int socket);

/// Sends the bytes and returns everything received until the page closes the connection.
inline std::string exchange(int port, std::string_view bytes, const std::string& from = "127.0.0.1") {
    const int socket = connection(port, from);
    if (socket < 0) return {};
    send(socket, bytes);
    std::string answer;
    char part[4096];
    for (std::size_t got = 0; (got = receive(socket, part)) > 0;) answer.append(part, got);
    hang_up(socket);
    return answer;
}

/// The Host header with the page's own address.
inline std::string host(int port) { return "Host: 127.0.0.1:" + std::to_string(port) + "\r\n"; }

/// A phone that has opened the page and keeps its cookie.
class Phone {
public:
    Phone(int port, std::string from) : port_(port), from_(std::move(from)) {
        const std::string page = get("/");
        const std::size_t at = page.find("Set-Cookie: ");
        if (at != std::string::npos) cookie_ = page.substr(at + 12, page.find(';', at) - at - 12);
    }
    const std::string& cookie() const { return cookie_; }
    std::string get(const std::string& path) const {
        return exchange(port_, "GET " + path + " HTTP/1.1\r\n" + host(port_) + "Cookie: " + cookie_ + "\r\n\r\n",
                        from_);
    }
    std::string vote(int question, int round, int choice) const {
        return post("question=" + std::to_string(question) + "&round=" + std::to_string(round) +
                    "&choice=" + std::to_string(choice));
    }
    std::string post(const std::string& body) const {
        return exchange(port_,
                        "POST /vote HTTP/1.1\r\n" + host(port_) + "Cookie: " + cookie_ +
                            "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " +
                            std::to_string(body.size()) + "\r\n\r\n" + body,
                        from_);
    }

private:
    int port_;
    std::string from_, cookie_;
};

}  // namespace glassformer::phones
