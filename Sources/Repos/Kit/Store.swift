public import ChatDBEngine
public import ChatDBSchema
import Dispatch
import Foundation

/// An open store: the chat and the agent database. Rule: docs/domain.md.
///
/// Versions, locks between programs and backups are not its business: whoever opens it for writing has seen to them.
public final class Store: Sendable {
    /// Where it is.
    public let location: StoreLocation
    /// The databases that were not there when it was opened, or left out; never both, and none when it was opened for
    /// writing.
    public let missing: [DatabaseName]

    private let connections: [DatabaseName: any StorageConnection]
    /// Held by the one caller that is in both databases.
    let turns = NSLock()
    /// Runs what asynchronous callers do in both databases.
    let queue = DispatchQueue(label: "chatdb.store.both")

    private init(location: StoreLocation, missing: [DatabaseName], connections: [DatabaseName: any StorageConnection]) {
        self.location = location
        self.missing = missing
        self.connections = connections
    }

    /// Opens a store that anybody may have sent, to read it without changing anything. One of the two databases may be
    /// missing (`missing` tells which); when both are, the error is `missing`.
    ///
    /// - Parameters:
    ///   - plans: how a database of another version is shown as this build's; see `VersionViews`.
    ///   - leftOut: databases that are not opened though they are there, such as one that cannot be read; they are as
    ///     good as missing.
    public static func openForReading(
        _ location: StoreLocation, with engine: any StorageEngine, through plans: [DatabaseName: ViewPlan] = [:],
        without leftOut: [DatabaseName] = []
    ) throws(StoreError) -> Store {
        let missing = DatabaseName.allCases.filter { location.missing.contains($0) || leftOut.contains($0) }
        if missing.count == DatabaseName.allCases.count {
            throw StoreError(.missing, "there is no store at \(location.prefix)")
        }
        return try open(location, missing: missing) { name throws(StoreError) in
            let path = location.path(of: name)
            if let plan = plans[name] { return try engine.open(path, through: plan) }
            return try engine.open(path, as: .untrusted)
        }
    }

    /// Opens a store to read and write it. Both databases must be there, otherwise the error is `missing`.
    public static func openForWriting(
        _ location: StoreLocation, with engine: any StorageEngine
    ) throws(StoreError) -> Store {
        let missing = location.missing
        if missing.count == DatabaseName.allCases.count {
            throw StoreError(.missing, "there is no store at \(location.prefix)")
        }
        if let first = missing.first { throw noDatabase(first, at: location) }
        return try open(location, missing: []) { name throws(StoreError) in
            try engine.open(location.path(of: name), as: .existing)
        }
    }

    private static func open(
        _ location: StoreLocation, missing: [DatabaseName],
        _ connect: (DatabaseName) throws(StoreError) -> any StorageConnection
    ) throws(StoreError) -> Store {
        var connections: [DatabaseName: any StorageConnection] = [:]
        do throws(StoreError) {
            for name in DatabaseName.allCases where !missing.contains(name) {
                connections[name] = try connect(name)
            }
        } catch {
            // What is open must not stay open; that it cannot be closed matters less than why the other did not open.
            for connection in connections.values { try? connection.close() }
            throw error
        }
        return Store(location: location, missing: missing, connections: connections)
    }

    /// What was done to read the databases without changing them, a clause each, chat first; empty for the usual case.
    public var notes: [String] {
        DatabaseName.allCases.flatMap { name in
            connections[name]?.notes.map { "the \(name) database: \($0)" } ?? []
        }
    }

    /// The connection to one database; fails with `missing` when it was not there.
    public func connection(_ name: DatabaseName) throws(StoreError) -> any StorageConnection {
        guard let connection = connections[name] else { throw Self.noDatabase(name, at: location) }
        return connection
    }

    /// Stops the statements that are running, from any thread.
    public func interrupt() {
        for connection in connections.values { connection.interrupt() }
    }

    /// Closes both databases. Further calls fail. The first error is thrown after both were tried.
    public func close() throws(StoreError) {
        var failure: StoreError?
        for name in DatabaseName.allCases {
            do throws(StoreError) {
                try connections[name]?.close()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private static func noDatabase(_ name: DatabaseName, at location: StoreLocation) -> StoreError {
        StoreError(.missing, "the \(name) database of the store is missing (\(location.path(of: name)))")
    }
}
