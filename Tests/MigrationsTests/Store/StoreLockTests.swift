import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

@testable import ChatDBMigrations

/// Which commands may work on a store at the same time.
@Suite struct StoreLockTests {
    private func old() throws -> [DatabaseName: [Migration]] { try SplitStore.history(1) }
    private func new() throws -> [DatabaseName: [Migration]] { try SplitStore.history(2) }

    private func oldStore() throws -> SyntheticStore {
        let store = try SyntheticStore()
        _ = try store.migrator(old()).run()
        return store
    }

    private func code(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return (error as? MigrationFailure)?.error.code ?? (error as? MigrationError)?.code
        }
    }

    @Test("the default waiting time for locks is five seconds")
    func patience() throws {
        let location = try StoreLocation(prefix: "/nowhere/x")
        #expect(StoreContext(engine: SQLiteEngine(), location: location, build: [:]).lockTimeout == 5)
    }

    @Test("a second run waits for the first and then names it")
    func locked() throws {
        let store = try oldStore()
        let cancellation = Cancellation()
        var lock: StoreLock? = try StoreLock.take(
            store.location.lockPath, .alone, timeout: 0, cancellation: cancellation)
        #expect(code { _ = try store.migrator(new()).run() } == "storeLocked")
        withExtendedLifetime(lock) {}
        lock = nil
        _ = try store.migrator(new()).run()
        #expect(try store.applied().count == 2)
    }

    @Test("a run that has to wait says so once, before it waits, with the process that has the lock")
    func waiting() throws {
        let store = try oldStore()
        let path = store.location.lockPath
        var lock: StoreLock? = try StoreLock.take(path, .alone, timeout: 60, cancellation: Cancellation())
        let seen = Mutex<[MigrationProgress]>([])
        let cancellation = Cancellation()
        #expect(throws: MigrationError.interrupted) {
            try StoreLock.take(path, .alone, timeout: 60, cancellation: cancellation) { progress in
                seen.withLock { $0.append(progress) }
                cancellation.request()
            }
        }
        guard case .waiting(let programs)? = seen.withLock(\.self).first else {
            Issue.record("no progress")
            return
        }
        #expect(programs.map(\.pid) == [getpid()])
        #expect(seen.withLock(\.count) == 1)
        withExtendedLifetime(lock) {}
        lock = nil
    }

    @Test("the error names a run that has the lock, not another program that now has its pid")
    func lockHolder() throws {
        let store = try oldStore()
        let path = store.location.lockPath
        func named() -> FileHolder? {
            do {
                _ = try StoreLock.take(path, .alone, timeout: 0, cancellation: Cancellation())
                return nil
            } catch {
                guard case .storeLocked(let holder) = error else { return nil }
                return holder
            }
        }
        // A program that another test is starting inherits the lock of oldStore() until it runs.
        let alone = try StoreLock.take(path, .alone, timeout: 60, cancellation: Cancellation())
        #expect(named()?.pid == getpid())
        let other = Process()
        other.executableURL = URL(fileURLWithPath: "/bin/cat")
        other.standardInput = Pipe()
        try other.run()
        defer { other.terminate() }
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data("\(other.processIdentifier)\n".utf8))
        #expect(throws: MigrationError.storeLocked(by: nil)) {
            try StoreLock.take(path, .alone, timeout: 0, cancellation: Cancellation())
        }
        try file.close()
        withExtendedLifetime(alone) {}
    }

    @Test("a run that fails removes the lock file that it made, and keeps one that was there, or that another uses")
    func removed() throws {
        let store = try oldStore()
        let path = store.location.lockPath
        try FileManager.default.removeItem(atPath: path)
        struct Failure: Error {}
        let context = store.migrator(try old()).context
        #expect(throws: Failure.self) {
            try context.withLockAlone {
                #expect(FileState(at: path) != .missing)
                throw Failure()
            }
        }
        #expect(FileState(at: path) == .missing)
        try context.withLockAlone {}
        #expect(FileState(at: path) != .missing)
        #expect(throws: Failure.self) { try context.withLockAlone { throw Failure() } }
        #expect(FileState(at: path) != .missing)

        try FileManager.default.removeItem(atPath: path)
        let lock = try StoreLock.take(path, .shared, timeout: 0, cancellation: Cancellation())
        let other = try #require(StoreLock.shareExisting(path, timeout: 0))
        lock.removeIfNew()
        #expect(FileState(at: path) != .missing)
        withExtendedLifetime(other) {}
    }

    @Test("a command that waited for one that failed takes the lock on the next file, not on the removed one")
    func waitedForRemoved() throws {
        let store = try oldStore()
        let path = store.location.lockPath
        for mode in [StoreLock.Mode.alone, .shared] {
            try FileManager.default.removeItem(atPath: path)
            let held = Mutex<StoreLock?>(try StoreLock.take(path, .alone, timeout: 60, cancellation: Cancellation()))
            let lock = try StoreLock.take(path, mode, timeout: 60, cancellation: Cancellation()) { _ in
                held.withLock { lock in
                    lock?.removeIfNew()
                    lock = nil
                }
            }
            // An exclusive lock on the file at the path fails, so the command has the lock on that file.
            #expect(throws: MigrationError.self) {
                try StoreLock.take(path, .alone, timeout: 0, cancellation: Cancellation())
            }
            withExtendedLifetime(lock) {}
        }
    }

    @Test("a reader that waited for a command that failed waits for the next one too", arguments: [true, false])
    func readerOfRemoved(_ isFollowed: Bool) throws {
        let store = try oldStore()
        let path = store.location.lockPath
        try FileManager.default.removeItem(atPath: path)
        let held = Mutex<StoreLock?>(try StoreLock.take(path, .alone, timeout: 60, cancellation: Cancellation()))
        Thread.detachNewThread {
            Self.awaitReader(of: path)
            held.withLock { lock in
                lock?.removeIfNew()
                lock =
                    isFollowed
                    ? try? StoreLock.take(path, .alone, timeout: 60, cancellation: Cancellation()) : nil
            }
            if isFollowed { Self.awaitReader(of: path) }
            held.withLock { $0 = nil }
        }
        let lock = try #require(StoreLock.shareExisting(path, timeout: 120))
        #expect((FileState(at: path) != .missing) == isFollowed)
        if isFollowed {
            #expect(throws: MigrationError.self) {
                try StoreLock.take(path, .alone, timeout: 0, cancellation: Cancellation())
            }
        }
        withExtendedLifetime(lock) {}
    }

    /// Returns when the reader has opened the file too, and waits for its lock.
    private static func awaitReader(of path: String) {
        var tries = 0
        while descriptors(of: path) < 2, tries < 1_000_000 {
            sched_yield()
            tries += 1
        }
    }

    /// How many times this process has a file open; 0 where the system does not list open files.
    private static func descriptors(of path: String) -> Int {
        let folder = "/proc/self/fd"
        guard let file = FileIdentity(at: path), let names = try? folderNames(folder) else { return 0 }
        return names.count { FileIdentity(at: "\(folder)/\($0)") == file }
    }

    @Test("writers share the lock with each other, and wait for a migration")
    func sharedLock() throws {
        let store = try oldStore()
        let gate = StoreGate(store.migrator(try old()).context)
        let pass = try gate.enter()
        let other = try gate.enter()
        #expect(code { _ = try store.migrator(new()).run() } == "storeLocked")
        withExtendedLifetime((pass, other)) {}
        #expect(code { _ = try StoreGate(store.migrator(new()).context).enter() } == "needsUpgrade")
    }
}
