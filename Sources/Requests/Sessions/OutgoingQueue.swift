import ChatDBKit
import Synchronization

/// The events that wait for a client, in the order in which they are sent. A client that does not read gets the newest
/// state of each subject, and the number of transactions that it stands for.
public final class OutgoingQueue: Sendable {
    private struct State {
        var waiting: [StoreEvent] = []
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    init() {}

    /// Calls `wake` after every event that is added, on the thread that adds it. Nil ends the calls.
    public func whenAdded(_ wake: (@Sendable () -> Void)?) { state.withLock { $0.wake = wake } }

    /// The next line for the client, without a newline; nil when nothing waits.
    public func next() -> String? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }?.text
    }

    /// Adds an event. One that waits and is replaced by it keeps its place.
    func add(_ event: StoreEvent) {
        let wake = state.withLock { state in
            if let index = state.waiting.firstIndex(where: { $0.isReplaced(by: event) }) {
                let transactions = state.waiting[index].transactions + event.transactions
                state.waiting[index] = event
                state.waiting[index].transactions = transactions
            } else {
                state.waiting.append(event)
            }
            return state.wake
        }
        wake?()
    }

    /// Drops what waits.
    func removeAll() { state.withLock { $0.waiting = [] } }
}
