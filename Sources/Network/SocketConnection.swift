import CChatDBNetwork
import ChatDBPOSIX

/// A TCP connection that never blocks.
final class SocketConnection {
    let descriptor: CInt

    private init(_ descriptor: CInt) { self.descriptor = descriptor }

    deinit { chatdb_net_close(descriptor) }

    /// Keeps a closed connection from ending the process. For the calling thread.
    static func ignoreBrokenPipes() { chatdb_net_ignore_broken_pipes() }

    /// Connects to the first address that accepts. Each address but the last one gets half of the time that is left.
    static func open(to addresses: HostAddresses, until deadline: Deadline) throws(ServerTestFailure)
        -> SocketConnection
    {
        var failure = ServerTestFailure(.connection, .timedOut)
        for index in 0..<addresses.count {
            do throws(ServerTestFailure) {
                return try open(
                    addresses, index, until: index == addresses.count - 1 ? deadline : deadline.half)
            } catch {
                // An answer says more than silence, and than a fault of this machine.
                if index == 0 || failure.isSilence || failure.isOfThisMachine && !error.isSilence { failure = error }
            }
        }
        throw failure
    }

    private static func open(
        _ addresses: HostAddresses, _ index: Int, until deadline: Deadline
    ) throws(ServerTestFailure) -> SocketConnection {
        var descriptor: CInt = -1
        let code = chatdb_net_connect(addresses.list, CInt(index), &descriptor)
        guard descriptor >= 0 else { throw failure(code) }
        let connection = SocketConnection(descriptor)
        if code == 0 { return connection }
        try connection.wait(forWriting: true, until: deadline, .connection)
        let result = chatdb_net_connect_result(descriptor)
        guard result == 0 else { throw failure(result) }
        return connection
    }

    /// Waits until the socket can be read or written. After the end of the time it fails, also if the socket is ready:
    /// otherwise a server that sends a little at a time would never be at its end.
    func wait(
        forWriting: Bool, until deadline: Deadline, _ step: ServerTestStep
    ) throws(ServerTestFailure) {
        while !deadline.isOver {
            let ready = chatdb_net_wait(descriptor, forWriting ? 1 : 0, deadline.milliseconds)
            if ready > 0 { return }
            if ready < 0 { throw ServerTestFailure(step, .thisMachine(ServerTestFailure.words(for: -ready))) }
        }
        throw ServerTestFailure(step, .timedOut)
    }

    /// The meaning of an error number of `socket` or `connect`.
    static func failure(_ code: CInt) -> ServerTestFailure {
        switch code {
        case ECONNREFUSED: ServerTestFailure(.connection, .refused)
        case ETIMEDOUT: ServerTestFailure(.connection, .timedOut)
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL, EAFNOSUPPORT, EACCES, EPERM:
            ServerTestFailure(.connection, .unreachable(errno: code))
        case EMFILE, ENFILE, ENOMEM, ENOBUFS, EAGAIN:
            ServerTestFailure(.connection, .thisMachine(ServerTestFailure.words(for: code)))
        default: ServerTestFailure(.connection, .broken(errno: code))
        }
    }
}
