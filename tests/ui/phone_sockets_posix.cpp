#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "tests/ui/phones.h"

namespace glassformer::phones {

namespace {

sockaddr_in place(const std::string& address, int port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, address.c_str(), &at.sin_addr);
    return at;
}

}  // namespace

int connection(int port, const std::string& from) {
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

std::size_t send(int socket, std::string_view bytes) {
    return static_cast<std::size_t>(std::max<ssize_t>(::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL), 0));
}

void end_sending(int socket) { ::shutdown(socket, SHUT_WR); }

std::size_t receive(int socket, std::span<char> bytes) {
    return static_cast<std::size_t>(std::max<ssize_t>(::recv(socket, bytes.data(), bytes.size(), 0), 0));
}

void hang_up(int socket) { ::close(socket); }

}  // namespace glassformer::phones
