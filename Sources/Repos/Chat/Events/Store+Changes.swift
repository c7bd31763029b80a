public import ChatDBEngine
public import ChatDBReposKit
import ChatDBSchema

/// An observation of a store. It ends when the last reference to it is released.
public final class StoreObservation: Sendable {
    private let onEnd: @Sendable () -> Void

    fileprivate init(_ onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    /// Ends the observation. A call that another thread makes at this moment may still come. A second call does nothing.
    public func cancel() { onEnd() }
}

/// Rule: docs/events.md.
extension Store {
    /// The default of the time between two comparisons with the changes of other connections.
    public static let comparisonInterval: Duration = .milliseconds(250)

    /// Calls `body` with every change that is committed after this returns, until the returned observation ends or the
    /// store is closed. The calls come one after the other, from a queue that belongs to the observation; `body` may
    /// use the store. Changes that are committed while `body` runs are merged.
    ///
    ///     let observation = try store.observe { change in
    ///         if change.subject == .relays { print("relays of profile \(change.profile)") }
    ///     }
    ///
    /// Commits of this `Store` are reported at once. Those of other connections are found by comparing the databases at
    /// an interval, and have no details. Throws if the store was opened for reading while no other program had it open,
    /// because it then shows no later changes; if it is closed; and inside a transaction of the store.
    ///
    /// - Parameter interval: the time between two comparisons, from 10 milliseconds to an hour; other values count as
    ///   the nearest of these. The shortest interval of all observations counts.
    public func observe(
        comparingEvery interval: Duration = Store.comparisonInterval, _ body: @escaping @Sendable (StoreChange) -> Void
    ) throws(StoreError) -> StoreObservation {
        let receiver = ObservingReceiver(try? connection(.chat), body)
        let stop = try start(receiver, interval)
        return StoreObservation {
            stop()
            receiver.cancel()
        }
    }

    /// Every change that is committed after this returns, until the store is closed or the iterating task is cancelled.
    /// Changes that are committed while the receiver does something else are merged. The sequence is for one receiver.
    ///
    ///     for await change in try store.changes {
    ///         if change.subject == .groupRelays { show(change.channels) }
    ///     }
    ///
    /// Throws as ``observe(comparingEvery:_:)``, with the default interval.
    public var changes: AsyncStream<StoreChange> {
        get throws(StoreError) {
            let receiver = QueuedReceiver(try? connection(.chat))
            // The stream has the only reference, so that the observation ends with the stream.
            let observation = StoreObservation(try start(receiver, Self.comparisonInterval))
            return AsyncStream(unfolding: { await withExtendedLifetime(observation) { receiver }.next() })
        }
    }

    /// Adds a receiver, and returns what removes it.
    private func start(
        _ receiver: any ChangeReceiver, _ interval: Duration
    ) throws(StoreError) -> @Sendable () -> Void {
        let bounded = min(max(interval, .milliseconds(10)), .seconds(3_600))
        let number = try changeFeed.add(receiver, recording: ObservedTable.names, comparingEvery: bounded)
        return { [weak feed = changeFeed] in feed?.remove(number) }
    }
}
