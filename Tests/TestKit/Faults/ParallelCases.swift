package import Foundation

/// Runs many cases on several threads. Each worker has a folder of its own below `root`, removed at the end.
package struct ParallelCases: Sendable {
    package var root: URL
    package var workers: Int

    /// The number of workers: one per core of the machine.
    package init(root: URL, workers: Int = ProcessInfo.processInfo.activeProcessorCount) {
        self.root = root
        self.workers = max(1, workers)
    }

    /// The results in the order of the cases. Workers take the cases one by one. The first error stops the workers from
    /// taking more cases, and is thrown.
    package func run<Case: Sendable, Result: Sendable>(
        _ cases: [Case], _ body: @escaping @Sendable (_ folder: URL, _ oneCase: Case) throws -> Result
    ) throws -> [Result] {
        let desk = Desk<Result>(count: cases.count)
        try eachWorker { folder, _ in
            while let index = desk.next() {
                let result = Swift.Result { try body(folder, cases[index]) }
                desk.hand(in: result, for: index)
            }
        }
        return try desk.results()
    }

    /// Runs the body once per worker, with the worker's folder and number.
    package func eachWorker(_ body: @escaping @Sendable (_ folder: URL, _ worker: Int) throws -> Void) throws {
        let desk = Desk<Void>(count: workers)
        OwnThreads.perform(workers) { worker in
            let folder = root.appendingPathComponent("worker-\(worker)-\(UUID().uuidString)")
            desk.hand(
                in: Result {
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    defer { try? FileManager.default.removeItem(at: folder) }
                    try body(folder.resolvingSymlinksInPath(), worker)
                }, for: worker)
        }
        _ = try desk.results()
    }
}

/// Distributes cases and collects results. `@unchecked`, because a lock protects everything that changes.
private final class Desk<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private let count: Int
    private var given = 0
    private var values: [Int: Value] = [:]
    private var failure: (any Error)?

    init(count: Int) { self.count = count }

    func next() -> Int? {
        lock.withLock {
            guard failure == nil, given < count else { return nil }
            given += 1
            return given - 1
        }
    }

    func hand(in result: Result<Value, any Error>, for index: Int) {
        lock.withLock {
            switch result {
            case .success(let value): values[index] = value
            case .failure(let error): failure = failure ?? error
            }
        }
    }

    func results() throws -> [Value] {
        try lock.withLock {
            if let failure { throw failure }
            return values.sorted { $0.key < $1.key }.map(\.value)
        }
    }
}
