import ChatDBPOSIX
import Foundation
import Synchronization

/// Tests servers by connecting to them as an app would.
///
/// ```swift
/// let address = try ServerAddress("smp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@smp.example.org")
/// let results = try ServerTests.run([ServerTestTarget(address)])
/// for result in results { print(result.failure?.message ?? "passed") }
/// ```
public enum ServerTests {
    /// The time limit of each server unless the caller sets another.
    public static let timeLimit = Duration.seconds(10)

    /// The most servers that are tested at the same time.
    private static let mostAtOnce = 64

    /// Tests servers, all at once, and waits for the end. Each has its own thread and its own time limit; none uses
    /// Swift's cooperative pool. Only connects and reads: no command of a protocol is sent.
    ///
    /// Returns the results in the order of the servers; empty for no servers. Throws ``NetworkError/tlsLibraryMissing(_:)``
    /// and ``NetworkError/tlsLibraryUnsuitable`` before it connects to any server, and
    /// ``NetworkError/noNetwork(servers:)`` when nothing answered for any of them.
    ///
    /// Page: docs/testing-servers.md.
    /// - Parameter timeLimit: the time for all steps of one server.
    /// - Parameter onProgress: is called on the caller's thread, several times a second, with the number of servers
    ///   whose test has ended.
    public static func run(
        _ targets: [ServerTestTarget], timeLimit: Duration = ServerTests.timeLimit,
        onProgress: (_ ended: Int) -> Void = { _ in }
    ) throws(NetworkError) -> [ServerTestResult] {
        if targets.isEmpty { return [] }
        if let reason = TLSSession.loadProblem { throw .tlsLibraryMissing(reason) }
        guard TLSSession.isSuitable else { throw .tlsLibraryUnsuitable }
        let work = Work(targets, timeLimit)
        for _ in 0..<min(targets.count, mostAtOnce) {
            let thread = Thread { work.perform() }
            thread.stackSize = 512 << 10
            thread.start()
        }
        while !work.waitForEnd() { onProgress(work.ended) }
        onProgress(targets.count)
        let results = work.results
        let tested = results.filter { $0.passed != nil }
        if !tested.isEmpty, tested.allSatisfy({ $0.failure?.isSilence == true }) {
            throw .noNetwork(servers: tested.count)
        }
        return results
    }
}

/// The servers of one run, and the results so far. Threads take servers until none is left.
private final class Work: Sendable {
    private struct State {
        var next = 0
        var results: [Int: ServerTestResult] = [:]
    }

    private let targets: [ServerTestTarget]
    private let timeLimit: Duration
    private let state = Mutex(State())
    private let allEnded = DispatchSemaphore(value: 0)

    init(_ targets: [ServerTestTarget], _ timeLimit: Duration) {
        self.targets = targets
        self.timeLimit = timeLimit
    }

    /// Tests servers until all have been taken.
    func perform() {
        SocketConnection.ignoreBrokenPipes()
        while let index = take() {
            let result = ServerProbe(targets[index], timeLimit).result()
            let isLast = state.withLock { state in
                state.results[index] = result
                return state.results.count == targets.count
            }
            if isLast { allEnded.signal() }
        }
    }

    /// Waits a moment; returns whether all tests have ended.
    func waitForEnd() -> Bool { allEnded.wait(timeout: .now() + .milliseconds(100)) == .success }

    var ended: Int { state.withLock { $0.results.count } }

    /// The results in the order of the servers.
    var results: [ServerTestResult] { state.withLock { state in targets.indices.compactMap { state.results[$0] } } }

    private func take() -> Int? {
        state.withLock { state in
            guard state.next < targets.count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }
}
