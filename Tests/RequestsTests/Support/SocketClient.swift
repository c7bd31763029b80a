import ChatDBKit
import Foundation
import TestKit

@testable import ChatDBRequests

/// A client of a Unix socket, which blocks: tests use it on threads of their own, or where an answer is certain.
final class SocketClient {
    struct Failed: Error { let what: String }

    private let descriptor: CInt
    private var received: [UInt8] = []

    init(_ path: String) throws {
        let descriptor = UnixSocket.make()
        guard UnixSocket.call(path, { connect(descriptor, $0, $1) }) == 0 else {
            let reason = errno
            close(descriptor)
            throw Failed(what: "connect: \(reason)")
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Sends bytes. False when the service has disconnected the client.
    @discardableResult
    func send(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { ChatDBSend.send(descriptor, $0) }
            if count <= 0 { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    /// The next line; nil at the end of the connection.
    func line() -> String? {
        while true {
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeSubrange(...end) }
                return String(decoding: received[..<end], as: UTF8.self)
            }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = read(descriptor, &bytes, bytes.count)
            if count <= 0 { return nil }
            received += bytes[..<count]
        }
    }

    /// The answer to one request.
    func ask(_ method: String, _ parameters: JSONValue = [:]) throws -> JSONValue {
        let line: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": parameters]
        guard send(line.text(.compact) + "\n"), let answer = self.line() else { throw Failed(what: "disconnected") }
        return try JSONValue(parsing: answer)
    }
}

/// The calls that make a Unix socket.
private enum UnixSocket {
    static func make() -> CInt {
        #if canImport(Glibc)
            socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        #else
            socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
    }

    /// Calls `bind` or `connect` with the address of a path.
    static func call(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// The file of a socket whose program died. A socket that a test listens at and closes is another thing: a child process
/// that another test starts at that moment has it open until it executes its own program.
enum DeadSocket {
    /// Makes the file, in the place of another one.
    static func make(_ path: String) throws {
        unlink(path)
        let descriptor = UnixSocket.make()
        defer { close(descriptor) }
        guard UnixSocket.call(path, { bind(descriptor, $0, $1) }) == 0 else {
            throw SocketClient.Failed(what: "bind: \(errno)")
        }
    }
}

/// A program that listens and accepts nothing, with as many clients in its queue as the system allows.
final class FullListener {
    private var descriptors: [CInt] = []

    init(_ path: String) throws {
        let listening = UnixSocket.make()
        descriptors.append(listening)
        guard UnixSocket.call(path, { bind(listening, $0, $1) }) == 0, listen(listening, 1) == 0 else {
            throw SocketClient.Failed(what: "listen: \(errno)")
        }
        while descriptors.count < 100 {
            let client = UnixSocket.make()
            descriptors.append(client)
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            if UnixSocket.call(path, { connect(client, $0, $1) }) != 0 { return }
        }
        throw SocketClient.Failed(what: "the queue takes more than 100 clients")
    }

    deinit { for descriptor in descriptors { close(descriptor) } }
}

/// How many files the process may have open.
enum OpenFiles {
    /// Raises the limit if it is lower. False if the system does not allow so many.
    static func allow(_ count: Int) -> Bool {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return false }
        if limit.rlim_cur >= rlim_t(count) { return true }
        guard limit.rlim_max >= rlim_t(count) else { return false }
        limit.rlim_cur = rlim_t(count)
        return setrlimit(resource, &limit) == 0
    }
}

/// Sends without a signal when the other side is gone.
private enum ChatDBSend {
    static func send(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if os(Linux)
            Foundation.send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
        #else
            Foundation.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #endif
    }
}

/// A socket that serves a store, on a thread of its own.
final class ServedStore {
    let test: TestService
    let path: String
    let socket: RequestSocket
    private let thread: ThreadResult<Void>

    /// - Parameter threadStack: the bytes of the stack of each client's thread; nil for the usual size.
    init(limits: ServiceLimits = ServiceLimits(), readOnly: Bool = false, threadStack: Int? = nil) throws {
        test = try TestService(limits: limits)
        path = test.folder.file("s")
        let socket = try RequestSocket(test.service, path: path, readOnly: readOnly)
        if let threadStack { socket.stackSize = threadStack }
        self.socket = socket
        thread = ThreadResult { socket.run() }
    }

    /// Ends the service and waits for its end.
    func end() throws {
        socket.stop()
        try thread.value()
    }
}
