#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace glassformer::platform {

/// Where this machine can be reached: "192.168.1.23" through "wlan0".
struct NetworkAddress {
    std::string address, through;
};

/// The IPv4 addresses of the networks that this machine is in, those of virtual machines last; without the one that
/// reaches this machine alone (127.0.0.1).
std::vector<NetworkAddress> network_addresses();

/// From now on this port can be listened to again as soon as it was closed, and by one program only.
void let_port_be_reused(int socket);
/// So many connections to a socket that is listened to may wait to be taken.
void let_connections_wait(int socket, int most);

/// One connection that a stranger opened, with an end in time and in bytes whatever the stranger does. Closed with this
/// object.
class StrangersConnection {
public:
    /// Takes the socket. What is read is `most_bytes` at most; all of it, answer included, takes `most_time` at most.
    StrangersConnection(int socket, std::chrono::milliseconds most_time, std::size_t most_bytes);
    ~StrangersConnection();
    StrangersConnection(const StrangersConnection&) = delete;
    StrangersConnection& operator=(const StrangersConnection&) = delete;

    int socket() const { return socket_; }
    /// "192.168.1.40"; "" where it is not known.
    const std::string& from() const { return from_; }
    /// Waits until something was sent. Bytes read, or -1 where nothing more comes, in time or within the bounds.
    std::ptrdiff_t read(char* to, std::size_t size);
    /// Bytes written, or -1.
    std::ptrdiff_t write(const char* bytes, std::size_t size);
    bool is_readable() const;
    bool is_writable() const;
    /// Ends it while another thread reads from it, which then gets -1.
    void end() const;

private:
    int milliseconds_left() const;
    bool waits_for(short what) const;

    int socket_;
    std::chrono::steady_clock::time_point until_;
    std::size_t bytes_left_;
    std::string from_;
};

}  // namespace glassformer::platform
