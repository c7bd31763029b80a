import ChatDBKit
import Synchronization

/// The notifications that wait for a client, in the order in which they are sent. A client that does not read gets the
/// newest state of each subject, and is told how many notifications it stands for.
public final class OutgoingQueue: Sendable {
    private struct Notification {
        let method: String
        let parameters: [JSONValue.Member]
        let key: String?
        /// How many notifications it stands for, itself included.
        var merged = 1

        var text: String {
            let merged = JSONValue.Member("merged", JSONValue(merged))
            let line: JSONValue = [
                "jsonrpc": "2.0", "method": .string(method), "params": .object(parameters + [merged]),
            ]
            return line.text(.compact)
        }
    }

    private struct State {
        var waiting: [Notification] = []
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    init() {}

    /// Calls `wake` after every notification that is added, on the thread that adds it. Nil ends the calls.
    public func whenAdded(_ wake: (@Sendable () -> Void)?) { state.withLock { $0.wake = wake } }

    /// The next line for the client, without a newline; nil when nothing waits.
    public func next() -> String? {
        state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }?.text
    }

    /// Adds a notification. One that waits with the same key is replaced, and keeps its place.
    func add(_ method: String, _ parameters: [JSONValue.Member], replacing key: String?) {
        var new = Notification(method: method, parameters: parameters, key: key)
        let wake = state.withLock { state in
            if let key, let index = state.waiting.firstIndex(where: { $0.key == key }) {
                new.merged = state.waiting[index].merged + 1
                state.waiting[index] = new
            } else {
                state.waiting.append(new)
            }
            return state.wake
        }
        wake?()
    }
}
