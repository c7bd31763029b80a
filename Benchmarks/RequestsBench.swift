import ChatDBKit
import ChatDBRequests
import Foundation

/// The use of one relay by a request: over a Unix socket against a bare echo of the same lines, and by a session against
/// the call of the repository.
struct RequestsBench {
    let bench: Bench
    init(_ bench: Bench) { self.bench = bench }

    private static let rounds = 5_000

    func measure() throws -> [Measurement] {
        let store = bench.folder + "/requests"
        try bench.chatdb("migrate", "run", "-d", store, "-q")
        try bench.chatdb("user", "add", "me", "-d", store, "-q")
        let context = StoreContext(
            engine: SQLiteEngine(), location: try StoreLocation(prefix: store), build: try MigrationSource.build.load())
        let service = try RequestService(opening: context)
        let request = #"{"jsonrpc":"2.0","id":1,"method":"relays.use","params":{"chatRelayId":1}}"#
        let session = service.session()
        let answer = session.respond(to: request) ?? ""
        guard answer.contains("\"using\"") else { throw Failed(what: "wrong answer: \(answer)") }

        let connection = try SQLiteEngine().open(store + "_chat.db", as: .existing)
        defer { try? connection.close() }
        let call = try bench.compare({}) {
            for _ in 0..<Self.rounds { _ = session.respond(to: request) }
        } peer: {
            for _ in 0..<Self.rounds {
                _ = try connection.read { try ChatRelaysRepo($0).use(of: ChatRelayID(1), of: UserID(1)) }
            }
        }
        let more = (call.ours - call.peer) / Double(Self.rounds)

        let socket = try RequestSocket(service, path: bench.folder + "/s")
        Thread.detachNewThread { socket.run() }
        defer { socket.stop() }
        let client = try BenchClient(bench.folder + "/s")
        let echo = try BenchClient.echo(answering: answer)
        let over = try bench.compare({}) {
            for _ in 0..<Self.rounds { try client.exchange(request) }
        } peer: {
            for _ in 0..<Self.rounds { try echo.exchange(request) }
        }
        let rounds = Double(Self.rounds)
        return [
            Measurement(
                work: "use of one relay by a session, against the call in process", ours: call.ours / rounds,
                peer: call.peer / rounds, aim: nil, note: String(format: "%.0f µs more, limit 100 µs", more * 1e6),
                breaksLimit: more > 100e-6),
            Measurement(
                work: "use of one relay over the socket, against a bare echo", ours: over.ours / rounds,
                peer: over.peer / rounds, aim: nil,
                note: String(format: "%.0f requests a second, aim 10,000", rounds / over.ours),
                breaksLimit: rounds / over.ours < 10_000),
        ]
    }
}

/// One client of a socket that sends a line and waits for a line.
private final class BenchClient {
    private let descriptor: CInt
    private var bytes = [UInt8](repeating: 0, count: 1 << 16)

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Self.stream, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { throw Failed(what: "connect \(path): \(errno)") }
    }

    private init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// A client of a thread that answers each line with the same text.
    static func echo(answering answer: String) throws -> BenchClient {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { throw Failed(what: "socketpair: \(errno)") }
        let (other, line) = (ends[1], Array((answer + "\n").utf8))
        Thread.detachNewThread {
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            while read(other, &bytes, bytes.count) > 0 { _ = write(other, line, line.count) }
            close(other)
        }
        return BenchClient(descriptor: ends[0])
    }

    func exchange(_ line: String) throws {
        let sent = Array((line + "\n").utf8)
        guard write(descriptor, sent, sent.count) == sent.count else { throw Failed(what: "write: \(errno)") }
        while true {
            let count = read(descriptor, &bytes, bytes.count)
            guard count > 0 else { throw Failed(what: "the service has disconnected") }
            if bytes[count - 1] == UInt8(ascii: "\n") { return }
        }
    }

    #if canImport(Glibc)
        private static let stream = CInt(SOCK_STREAM.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif
}
