#pragma once

#include <string>
#include <vector>

struct sockaddr;

namespace glassformer::platform {

/// An address of this machine: "192.168.1.23" through "wlan0".
struct NetworkAddress {
    std::string address, through;
    bool operator==(const NetworkAddress&) const = default;
};

/// This machine's IPv4 addresses, those of virtual networks last; excludes loopback (127.0.0.1).
std::vector<NetworkAddress> network_addresses();

/// True if the system asks the user whether others may connect when this program first listens: Windows does.
bool asks_before_listening();

/// "192.168.1.40"; "" for anything but an IPv4 address.
std::string ipv4_text(const sockaddr* address);

/// A listening socket. The caller must close it.
struct ListeningSocket {
    int socket, port;
};

/// Listens, non-blocking, on an IPv4 address of this machine; port 0 picks any free port. The port can be reused as
/// soon as the socket is closed. Throws SystemError as fail_to_listen().
ListeningSocket listen_at(const std::string& address, int port, int most_waiting);

/// Throws SystemError: why this machine cannot listen at the address and port, and what to do. `error` is a number of
/// <cerrno>; with EADDRINUSE and EACCES another port may work.
[[noreturn]] void fail_to_listen(const std::string& address, int port, int error);

void close_socket(int socket);

/// Shuts down a connection that someone else owns and will close: its reads and writes fail from now on.
void shut_down_connection(int socket);

}  // namespace glassformer::platform
