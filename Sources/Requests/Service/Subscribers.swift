import ChatDBKit
import Synchronization

/// A session, as far as events concern it.
protocol EventReceiver: AnyObject, Sendable {
    /// Sends an event to the client.
    func notify(_ event: StoreEvent)
}

/// The sessions that want to know what changes in the store, and the observation of the store for all of them. Without
/// subscribers, nothing is observed. Rule: docs/requests.md, "Events".
final class Subscribers: Sendable {
    private struct Subscriber {
        weak var session: (any EventReceiver)?
    }

    private struct State {
        var sessions: [ObjectIdentifier: Subscriber] = [:]
        /// Nil without subscribers, and while the store is closed.
        var observation: StoreObservation?
    }

    private let state = Mutex(State())

    /// Subscribes a session; once is enough. Throws if the store cannot be observed.
    func add(_ session: some EventReceiver, to store: Store) throws {
        state.withLock { $0.sessions[ObjectIdentifier(session)] = Subscriber(session: session) }
        do {
            try observe(store)
        } catch {
            remove(ObjectIdentifier(session))
            throw error
        }
    }

    /// Removes a session. The observation ends with the last one.
    func remove(_ session: ObjectIdentifier) {
        let ended = state.withLock { state -> StoreObservation? in
            state.sessions[session] = nil
            guard state.sessions.isEmpty else { return nil }
            defer { state.observation = nil }
            return state.observation
        }
        ended?.cancel()
    }

    /// Observes a store that was opened, if there are subscribers and it is not observed yet.
    func observe(_ store: Store) throws {
        guard state.withLock({ !$0.sessions.isEmpty && $0.observation == nil }) else { return }
        // The store keeps no reference to the observation's closure after it was closed.
        let new = try store.observe { [weak self, weak store] change in
            if let store { self?.send(change, of: store) }
        }
        let spare = state.withLock { state -> StoreObservation? in
            guard !state.sessions.isEmpty, state.observation == nil else { return new }
            state.observation = new
            return nil
        }
        spare?.cancel()
    }

    /// Forgets the observation of a store that was closed.
    func storeWasClosed() {
        let ended = state.withLock { state in
            defer { state.observation = nil }
            return state.observation
        }
        ended?.cancel()
    }

    /// Sends all subscribers the event that the service has migrated the store.
    func storeWasMigrated() { send([StoreEvent(.migrated)]) }

    /// Sends all subscribers the event that anything may have changed while the store was closed.
    func storeWasReopened() { send([StoreEvent(.store)]) }

    private func send(_ change: StoreChange, of store: Store) {
        var events: [StoreEvent] = []
        if change.channels.isEmpty {
            events = [StoreEvent(change.subject, transactions: change.transactions)]
        } else {
            // One for each channel: of those that wait, only the newest state of each channel is kept.
            events = change.channels.map { StoreEvent(change.subject, transactions: change.transactions, channel: $0) }
        }
        if let profile = change.profile {
            // A profile that is gone, or cannot be read, counts as hidden.
            let user = try? store.read { try UsersRepo($0).find(profile, hidden: .shown) }
            for index in events.indices {
                events[index].profile = profile
                events[index].isOfHiddenProfile = user?.isHidden ?? true
            }
        }
        send(events)
    }

    private func send(_ events: [StoreEvent]) {
        let sessions = state.withLock { $0.sessions.values.compactMap(\.session) }
        for session in sessions { for event in events { session.notify(event) } }
    }
}
