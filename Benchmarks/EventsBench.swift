import ChatDBKit
import Dispatch
import Foundation

/// The time of a commit until its observer is called, against the commit alone.
struct EventsBench {
    let bench: Bench
    init(_ bench: Bench) { self.bench = bench }

    /// The longest time from a commit to the call.
    private static let limit = 0.010
    private static let commits = 201

    func measure() throws -> Measurement {
        try bench.chatdb("migrate", "run", "-d", "\(bench.folder)/events", "-q")
        try bench.chatdb("user", "add", "me", "--no-preset", "-d", "\(bench.folder)/events")
        let location = try StoreLocation(prefix: "\(bench.folder)/events")
        let store = try Store.openForWriting(location, with: SQLiteEngine())
        defer { try? store.close() }
        let alone = Bench.median(
            try (0..<Self.commits).map { number in try bench.seconds { try change(store, number) } })
        let called = DispatchSemaphore(value: 0)
        let observation = try store.observe { _ in called.signal() }
        defer { observation.cancel() }
        var waits: [Double] = []
        let observed = Bench.median(
            try (0..<Self.commits).map { number in
                try bench.seconds {
                    try change(store, number + Self.commits)
                    waits.append(bench.seconds { called.wait() })
                }
            })
        let wait = Bench.median(waits)
        return Measurement(
            work: "a commit and the event of it, in process, against the commit alone", ours: observed, peer: alone,
            aim: 1.5,
            note: String(format: "%.2f ms from the commit to the event; at most %.0f ms", wait * 1e3, Self.limit * 1e3),
            breaksLimit: wait > Self.limit)
    }

    private func change(_ store: Store, _ number: Int) throws {
        _ = try store.write { try $0.run("UPDATE users SET show_ntfs = \(number % 2) WHERE user_id = 1") }
    }
}
