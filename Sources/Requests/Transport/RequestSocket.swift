import ChatDBKit
import ChatDBPOSIX
import Foundation

// The condition's lock protects the clients; the size of the stacks is set before the socket is shared.
/// Serves many clients over a Unix socket that only its owner can use. Each client has a thread.
///
/// Rule: docs/requests.md, "The socket".
public final class RequestSocket: @unchecked Sendable {
    /// The path of the socket.
    public let path: String
    private let service: RequestService
    private let isReadOnly: Bool
    private let listening: CInt
    private let identity: (device: UInt64, inode: UInt64)
    private let ending: Wake
    private let condition = NSCondition()
    private var clients = 0
    /// The size of the stack of a client's thread. Set it before `run`.
    var stackSize = 2 << 20

    /// Listens at a path. The socket of a program that died is replaced.
    ///
    /// Throws a `TransportError` when a program listens there, when another file is there, and when the socket cannot
    /// be made.
    public init(_ service: RequestService, path: String, readOnly: Bool = false) throws(TransportError) {
        self.service = service
        self.path = path
        isReadOnly = readOnly
        ending = try Wake()
        (listening, identity) = try SocketAddress.listen(path)
    }

    deinit { close(listening) }

    /// Serves clients until `stop`. Then it ends the service and removes the socket. Blocks the thread.
    public func run() {
        while !isStopped() { accept() }
        service.beginEnd()
        SocketAddress.remove(path, identity)
        condition.lock()
        while clients > 0 { condition.wait() }
        condition.unlock()
        service.end()
    }

    /// Ends the work: requests that run are completed, others get the error `serviceEnding`, and the clients are
    /// disconnected. Any thread may call it.
    public func stop() {
        service.beginEnd()
        ending.wake()
    }

    /// Waits for a client or the end.
    private func isStopped() -> Bool {
        var descriptors = [
            pollfd(fd: ending.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: listening, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&descriptors, nfds_t(descriptors.count), -1)
        return descriptors[0].revents != 0
    }

    private func accept() {
        let client = ChatDBPOSIX.accept(listening, nil, nil)
        guard client >= 0 else {
            // Without descriptors, the client waits until another one has left.
            if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
                var descriptor = pollfd(fd: ending.descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&descriptor, 1, 50)
            }
            return
        }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        #if !os(Linux)
            // Systems without MSG_NOSIGNAL: a client that is gone must not end the process.
            var isOn: CInt = 1
            setsockopt(client, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<CInt>.size))
        #endif
        guard enter() else { return refuse(client) }
        let isStarted = ClientThread.start(stackSize: stackSize) { [self] in
            serve(client)
            leave()
        }
        guard isStarted else {
            leave()
            return refuse(client)
        }
    }

    private func serve(_ client: CInt) {
        defer { close(client) }
        let session = service.session(readOnly: isReadOnly)
        try? ServedClient(session, input: client, output: client, ending: ending).run()
    }

    /// Answers a client that is one too many, for the limit or for the system, and disconnects it.
    private func refuse(_ client: CInt) {
        let error = service.describe(ServiceError.tooManyClients(limit: service.limits.clients))
        let line = RequestAnswer.error(error, to: .null).text(.compact) + "\n"
        _ = Array(line.utf8).withUnsafeBytes { send(client, $0.baseAddress, $0.count, Self.sendFlags) }
        close(client)
    }

    #if os(Linux)
        private static let sendFlags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
    #else
        private static let sendFlags = CInt(MSG_DONTWAIT)
    #endif

    private func enter() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        guard clients < service.limits.clients else { return false }
        clients += 1
        return true
    }

    private func leave() {
        condition.lock()
        clients -= 1
        condition.broadcast()
        condition.unlock()
    }
}
