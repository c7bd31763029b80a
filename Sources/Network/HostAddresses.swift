import CChatDBNetwork
import Foundation
import Synchronization

/// The addresses of a host.
// The system's list is only read, and freed after its last use.
final class HostAddresses: @unchecked Sendable {
    let list: OpaquePointer

    private init(_ list: OpaquePointer) { self.list = list }

    deinit { chatdb_net_free(list) }

    var count: Int { Int(chatdb_net_count(list)) }

    /// Looks up a host name, or reads a numeric address. The system's look-up knows no time limit, so it has a thread
    /// of its own, which may outlive the test.
    static func find(_ host: String, port: UInt16, until deadline: Deadline) throws(ServerTestFailure) -> HostAddresses
    {
        let lookup = Lookup()
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let thread = Thread { lookup.finish(resolve(name, port)) }
        thread.stackSize = 512 << 10
        thread.start()
        guard let result = lookup.result(within: deadline.milliseconds) else {
            throw ServerTestFailure(.name, .noNameServer(nil))
        }
        return try result.get()
    }

    private static func resolve(_ host: String, _ port: UInt16) -> Result<HostAddresses, ServerTestFailure> {
        var list: OpaquePointer?
        var reason: UnsafePointer<CChar>?
        let code = chatdb_net_resolve(host, String(port), &list, &reason)
        if let list { return .success(HostAddresses(list)) }
        let words = reason.map { String(cString: $0).lowercased() } ?? "unknown error"
        switch Int(code) {
        case CHATDB_NET_NO_SUCH_HOST: return .failure(ServerTestFailure(.name, .hostNotFound))
        case CHATDB_NET_NO_ANSWER: return .failure(ServerTestFailure(.name, .noNameServer(words)))
        case CHATDB_NET_NO_RESOURCES: return .failure(ServerTestFailure(.name, .thisMachine(words)))
        default: return .failure(ServerTestFailure(.name, .lookupFailed(words)))
        }
    }
}

/// A look-up on another thread.
private final class Lookup: Sendable {
    private let found = Mutex<Result<HostAddresses, ServerTestFailure>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    func finish(_ result: Result<HostAddresses, ServerTestFailure>) {
        found.withLock { $0 = result }
        isDone.signal()
    }

    /// Waits for the result; nil when the time is over.
    func result(within milliseconds: Int32) -> Result<HostAddresses, ServerTestFailure>? {
        _ = isDone.wait(timeout: .now() + .milliseconds(Int(milliseconds)))
        return found.withLock { $0 }
    }
}
