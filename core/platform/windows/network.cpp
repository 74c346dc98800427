#include "core/platform/network.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>

#include "core/platform/windows/system.h"
// Must come after windows.h.
#include <iphlpapi.h>
#include <ws2tcpip.h>

namespace glassformer::platform {

namespace {

/// Winsock must be started once.
bool started() {
    static const bool done = [] {
        WSADATA data{};
        return ::WSAStartup(MAKEWORD(2, 2), &data) == 0;
    }();
    return done;
}

/// The <cerrno> number for the last error of a socket.
int errno_of_socket() {
    const int error = ::WSAGetLastError();
    switch (error) {
        case WSAEADDRINUSE:
            return EADDRINUSE;
        case WSAEADDRNOTAVAIL:
            return EADDRNOTAVAIL;
        case WSAENETDOWN:
            return ENETDOWN;
        case WSAEACCES:  // also for a port that the system has reserved, as for Hyper-V
            return EACCES;
        case WSAEMFILE:
        case WSAENOBUFS:
            return ENOMEM;
        default:
            return errno_of(static_cast<DWORD>(error));
    }
}

/// True for a network inside this machine, which no phone can reach.
bool is_virtual(const NetworkAddress& address) {
    static constexpr std::array<std::string_view, 4> names = {"vEthernet", "VMware", "VirtualBox", "Docker"};
    return std::ranges::any_of(names,
                               [&](std::string_view name) { return address.through.find(name) != std::string::npos; });
}

}  // namespace

std::vector<NetworkAddress> network_addresses() {
    std::vector<NetworkAddress> found;
    constexpr ULONG flags = GAA_FLAG_SKIP_ANYCAST | GAA_FLAG_SKIP_MULTICAST | GAA_FLAG_SKIP_DNS_SERVER;
    ULONG bytes = 1 << 14;
    std::vector<std::max_align_t> memory;
    ULONG result = ERROR_BUFFER_OVERFLOW;
    for (int tries = 0; tries < 4 && result == ERROR_BUFFER_OVERFLOW; ++tries) {
        memory.resize(bytes / sizeof(std::max_align_t) + 1);
        result = ::GetAdaptersAddresses(AF_INET, flags, nullptr, reinterpret_cast<IP_ADAPTER_ADDRESSES*>(memory.data()),
                                        &bytes);
    }
    if (!started() || result != ERROR_SUCCESS) return found;
    for (const auto* at = reinterpret_cast<const IP_ADAPTER_ADDRESSES*>(memory.data()); at; at = at->Next) {
        if (at->OperStatus != IfOperStatusUp || at->IfType == IF_TYPE_SOFTWARE_LOOPBACK) continue;
        for (const auto* unicast = at->FirstUnicastAddress; unicast; unicast = unicast->Next) {
            const std::string address = ipv4_text(unicast->Address.lpSockaddr);
            // 169.254: a machine that found no network assigns itself such an address.
            if (!address.empty() && !address.starts_with("169.254."))
                found.push_back({address, utf8(at->FriendlyName)});
        }
    }
    std::ranges::stable_partition(found, [](const NetworkAddress& address) { return !is_virtual(address); });
    return found;
}

bool asks_before_listening() { return true; }

std::string ipv4_text(const sockaddr* address) {
    std::array<char, INET_ADDRSTRLEN> text{};
    if (!address || address->sa_family != AF_INET) return {};
    const auto* in = reinterpret_cast<const sockaddr_in*>(address);
    return ::inet_ntop(AF_INET, &in->sin_addr, text.data(), text.size()) ? text.data() : "";
}

ListeningSocket listen_at(const std::string& address, int port, int most_waiting) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = ::htons(static_cast<u_short>(port));
    if (!started()) fail_to_listen(address, port, ENETDOWN);
    if (::inet_pton(AF_INET, address.c_str(), &at.sin_addr) != 1) fail_to_listen(address, port, EADDRNOTAVAIL);
    const SOCKET socket =
        ::WSASocketW(AF_INET, SOCK_STREAM, 0, nullptr, 0, WSA_FLAG_OVERLAPPED | WSA_FLAG_NO_HANDLE_INHERIT);
    if (socket == INVALID_SOCKET) fail_to_listen(address, port, errno_of_socket());
    // Here a closed port is free at once; SO_REUSEADDR would let two programs listen on it.
    const BOOL yes = TRUE;
    ::setsockopt(socket, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, reinterpret_cast<const char*>(&yes), sizeof yes);
    u_long not_blocking = 1;
    ::ioctlsocket(socket, FIONBIO, &not_blocking);
    int size = sizeof at;
    if (::bind(socket, reinterpret_cast<const sockaddr*>(&at), size) == 0 && ::listen(socket, most_waiting) == 0 &&
        ::getsockname(socket, reinterpret_cast<sockaddr*>(&at), &size) == 0)
        return {static_cast<int>(socket), ::ntohs(at.sin_port)};  // handles use only 32 bits
    const int error = errno_of_socket();
    ::closesocket(socket);
    fail_to_listen(address, port, error);
}

void close_socket(int socket) { ::closesocket(static_cast<SOCKET>(socket)); }

void shut_down_connection(int socket) { ::shutdown(static_cast<SOCKET>(socket), SD_BOTH); }

}  // namespace glassformer::platform
