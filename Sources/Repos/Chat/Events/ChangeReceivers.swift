import ChatDBEngine
import ChatDBReposKit
import Dispatch
import Synchronization

/// Calls a closure with the changes of a store, one call at a time, on a queue of its own.
final class ObservingReceiver: ChangeReceiver {
    private struct State {
        var pending = PendingChanges()
        /// The chat database, where details are read; nil after the end.
        var source: (any StorageConnection)?
        /// Whether the queue has work to deliver what is pending.
        var isScheduled = false
        var isCancelled = false
    }

    private let body: @Sendable (StoreChange) -> Void
    private let state: Mutex<State>
    private let queue = DispatchQueue(label: "chatdb.store.observer")

    init(_ source: (any StorageConnection)?, _ body: @escaping @Sendable (StoreChange) -> Void) {
        self.body = body
        state = Mutex(State(source: source))
    }

    func receive(_ change: SeenChange) {
        let isIdle = state.withLock { state in
            if state.isCancelled { return false }
            state.pending.add(change)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isIdle { queue.async { self.deliver() } }
    }

    func end() { state.withLock { $0.source = nil } }

    /// Drops what is pending.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.source = nil
            state.pending = PendingChanges()
        }
    }

    private func deliver() {
        while let (pending, source) = taken() {
            let changes = (try? source?.read { try pending.changes(in: $0) }) ?? pending.changesWithoutDetails
            for change in changes {
                if state.withLock(\.isCancelled) { return }
                body(change)
            }
        }
    }

    private func taken() -> (PendingChanges, (any StorageConnection)?)? {
        state.withLock { state in
            if state.isCancelled || state.pending.isEmpty {
                state.isScheduled = false
                return nil
            }
            defer { state.pending = PendingChanges() }
            return (state.pending, state.source)
        }
    }
}

/// Keeps the changes of a store until an asynchronous sequence takes them.
final class QueuedReceiver: ChangeReceiver {
    private struct State {
        var pending = PendingChanges()
        /// What the last reading made of the pending changes, in reverse.
        var ready: [StoreChange] = []
        /// The chat database, where details are read; nil after the end.
        var source: (any StorageConnection)?
        var hasEnded = false
        /// The callers of `next` that wait, by number.
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        /// The callers that were cancelled.
        var cancelled: Set<UInt64> = []
        var nextNumber: UInt64 = 0

        /// Whether there is nothing to do but wait.
        var isIdle: Bool { pending.isEmpty && ready.isEmpty && !hasEnded }

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [:] }
            return Array(waiting.values)
        }
    }

    /// What `next` does next.
    private enum Step {
        case answer(StoreChange?)
        case read(PendingChanges, (any StorageConnection)?)
        case wait
    }

    private let state: Mutex<State>

    init(_ source: (any StorageConnection)?) {
        state = Mutex(State(source: source))
    }

    func receive(_ change: SeenChange) {
        let waiting = state.withLock { state in
            state.pending.add(change)
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            state.source = nil
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// The next change; nil after the end of the store, and if the task is cancelled.
    func next() async -> StoreChange? {
        while true {
            switch step() {
            case .answer(let change): return change
            case .read(let pending, let source):
                let changes =
                    (try? await source?.read { try pending.changes(in: $0) }) ?? pending.changesWithoutDetails
                state.withLock { $0.ready = changes.reversed() + $0.ready }
            case .wait:
                if await !arrival() { return nil }
            }
        }
    }

    private func step() -> Step {
        state.withLock { state in
            if let change = state.ready.popLast() { return .answer(change) }
            if !state.pending.isEmpty {
                defer { state.pending = PendingChanges() }
                return .read(state.pending, state.source)
            }
            return state.hasEnded ? .answer(nil) : .wait
        }
    }

    /// Waits until there is something to do. Returns false if the task is cancelled.
    private func arrival() async -> Bool {
        let number = state.withLock { state in
            defer { state.nextNumber += 1 }
            return state.nextNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard state.isIdle, !state.cancelled.contains(number) else { return false }
                    state.waiting[number] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                state.cancelled.insert(number)
                return state.waiting.removeValue(forKey: number)
            }
            continuation?.resume()
        }
        return state.withLock { $0.cancelled.remove(number) == nil }
    }
}
