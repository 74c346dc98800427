#include <algorithm>

#include "core/platform/windows/system.h"
#include "tests/ui/phones.h"
// Must come after windows.h.
#include <ws2tcpip.h>

namespace glassformer::phones {

namespace {

sockaddr_in place(const std::string& address, int port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = ::htons(static_cast<u_short>(port));
    ::inet_pton(AF_INET, address.c_str(), &at.sin_addr);
    return at;
}

}  // namespace

int connection(int port, const std::string& from) {
    WSADATA data{};
    static const bool started = ::WSAStartup(MAKEWORD(2, 2), &data) == 0;
    const SOCKET socket = started ? ::socket(AF_INET, SOCK_STREAM, 0) : INVALID_SOCKET;
    if (socket == INVALID_SOCKET) return -1;
    const sockaddr_in own = place(from, 0), page = place("127.0.0.1", port);
    const DWORD patience = 10000;  // milliseconds
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, reinterpret_cast<const char*>(&patience), sizeof patience);
    if (::bind(socket, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0 &&
        ::connect(socket, reinterpret_cast<const sockaddr*>(&page), sizeof page) == 0)
        return static_cast<int>(socket);  // a handle has only 32 significant bits
    ::closesocket(socket);
    return -1;
}

std::size_t send(int socket, std::string_view bytes) {
    const int sent = ::send(static_cast<SOCKET>(socket), bytes.data(), static_cast<int>(bytes.size()), 0);
    return static_cast<std::size_t>(std::max(sent, 0));
}

void end_sending(int socket) { ::shutdown(static_cast<SOCKET>(socket), SD_SEND); }

std::size_t receive(int socket, std::span<char> bytes) {
    const int got = ::recv(static_cast<SOCKET>(socket), bytes.data(), static_cast<int>(bytes.size()), 0);
    return static_cast<std::size_t>(std::max(got, 0));
}

void hang_up(int socket) { ::closesocket(static_cast<SOCKET>(socket)); }

}  // namespace glassformer::phones
