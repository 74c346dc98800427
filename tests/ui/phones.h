#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <string>
#include <string_view>

/// A phone in the network, as the page sees it: bytes from an address of this machine's own (127.0.0.x).
namespace glassformer::phones {

inline sockaddr_in place(const std::string& address, int port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, address.c_str(), &at.sin_addr);
    return at;
}

/// A connection from that address; -1 where there is none.
inline int connection(int port, const std::string& from) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in own = place(from, 0), page = place("127.0.0.1", port);
    const timeval patience{10, 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (::bind(socket, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0 &&
        ::connect(socket, reinterpret_cast<const sockaddr*>(&page), sizeof page) == 0)
        return socket;
    ::close(socket);
    return -1;
}

/// Sends the bytes and returns all that is answered until the page closes the connection.
inline std::string exchange(int port, std::string_view bytes, const std::string& from = "127.0.0.1") {
    const int socket = connection(port, from);
    if (socket < 0) return {};
    ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    std::string answer;
    char part[4096];
    for (ssize_t got = 0; (got = ::recv(socket, part, sizeof part, 0)) > 0;)
        answer.append(part, static_cast<std::size_t>(got));
    ::close(socket);
    return answer;
}

/// The header that names the page's own address.
inline std::string host(int port) { return "Host: 127.0.0.1:" + std::to_string(port) + "\r\n"; }

/// A phone that opened the page and keeps its cookie.
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
