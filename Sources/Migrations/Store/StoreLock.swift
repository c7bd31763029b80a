package import ChatDBEngine
import ChatDBSchema
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The lock on a store: the file `<prefix>.lock`. A migration takes it exclusively, other writing commands share it.
/// The file stays, because commands that read share the lock on it, and make none. A command that made it and failed
/// removes it. The kernel frees the lock of a process that died.
package final class StoreLock: Sendable {
    /// Exclusive, or shared with others that do not migrate.
    package enum Mode: Sendable {
        case alone
        case shared

        fileprivate var operation: CInt { self == .alone ? LOCK_EX : LOCK_SH }
    }

    private let descriptor: CInt
    private let path: String
    /// Whether this process made the file.
    private let isNew: Bool

    private init(descriptor: CInt, at path: String, isNew: Bool) {
        (self.descriptor, self.path, self.isNew) = (descriptor, path, isNew)
    }

    deinit { close(descriptor) }

    /// Takes the lock, waiting up to `timeout` seconds for others; `storeLocked` after that.
    /// - Parameter progress: called once, before it waits.
    package static func take(
        _ path: String, _ mode: Mode, timeout: Double, cancellation: Cancellation,
        progress: MigrationProgress.Handler = { _ in }
    ) throws(MigrationError) -> StoreLock {
        let deadline = Waiting(seconds: timeout)
        while true {
            let lock = try takeOnce(path, mode, deadline, cancellation: cancellation, progress: progress)
            // A command that failed may have removed the file while this process waited for its lock.
            guard lock.isInPlace else { continue }
            if mode == .alone { lock.writeHolder() }
            return lock
        }
    }

    private static func takeOnce(
        _ path: String, _ mode: Mode, _ deadline: Waiting, cancellation: Cancellation,
        progress: MigrationProgress.Handler
    ) throws(MigrationError) -> StoreLock {
        let lock = try openOrMake(path)
        let descriptor = lock.descriptor
        guard lock.isFile else { throw .system(StoreError(.notAFile, "\(path) is not a file; move it away")) }
        var isWaiting = false
        while flock(descriptor, mode.operation | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw .system(SystemError.current("\(path) cannot be locked"))
            }
            guard !deadline.isOver else { throw .storeLocked(by: lock.writtenHolder()) }
            if cancellation.isRequested { throw .interrupted }
            if !isWaiting { progress(.waiting(for: lock.writtenHolder().map { [$0] } ?? [])) }
            isWaiting = true
            deadline.pause()
        }
        return lock
    }

    private static func openOrMake(_ path: String) throws(MigrationError) -> StoreLock {
        // O_NONBLOCK: opening a FIFO in its place must not block.
        let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        while true {
            var descriptor = open(path, flags)
            if descriptor >= 0 { return StoreLock(descriptor: descriptor, at: path, isNew: false) }
            if errno == ENOENT {
                descriptor = open(path, flags | O_CREAT | O_EXCL, 0o600)
                if descriptor >= 0 { return StoreLock(descriptor: descriptor, at: path, isNew: true) }
                // Another process has made it meanwhile.
                if errno == EEXIST { continue }
            }
            throw .system(SystemError.current("\(path) cannot be created to lock the store"))
        }
    }

    /// Removes the file if this process made it, and no other process has a lock on it. Others that wait for the lock then
    /// make a new file.
    func removeIfNew() {
        guard isNew, flock(descriptor, LOCK_EX | LOCK_NB) == 0, isInPlace else { return }
        unlink(path)
    }

    /// Whether the file is still the one at the path.
    private var isInPlace: Bool {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return false }
        return FileIdentity(at: path) == FileIdentity(info)
    }

    /// Shares the lock to read, without creating or writing the file. Nil without a lock file, or when time runs out. If
    /// a command that failed has removed the file meanwhile, the lock is that of the next file; without one, that of the
    /// removed file.
    static func shareExisting(_ path: String, timeout: Double) -> StoreLock? {
        let deadline = Waiting(seconds: timeout)
        var removed: StoreLock?
        while true {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { return removed }
            let lock = StoreLock(descriptor: descriptor, at: path, isNew: false)
            guard lock.isFile else { return nil }
            while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
                guard !deadline.isOver else { return nil }
                deadline.pause()
            }
            if lock.isInPlace { return lock }
            removed = lock
        }
    }

    private var isFile: Bool {
        var info = stat()
        return fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    }

    /// The pid in the file is only for the error message of a process that waits in vain.
    private func writeHolder() {
        let text = Array("\(getpid())\n".utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    /// The pid in the file may be that of an earlier run, and now belong to another program: the run is the process
    /// that has the lock file open. Where the system does not list open files, the pid is trusted.
    private func mayHold(_ pid: Int32) -> Bool {
        let folder = "/proc/\(pid)/fd"
        guard let names = try? folderNames(folder) else { return true }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return true }
        let own = FileIdentity(info)
        return names.contains { FileIdentity(at: "\(folder)/\($0)") == own }
    }

    private func writtenHolder() -> FileHolder? {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0,
            let pid = Int32(String(decoding: buffer[..<count], as: UTF8.self).trimmingCharacters(in: .newlines)),
            kill(pid, 0) == 0 || errno == EPERM, mayHold(pid)
        else { return nil }
        let name = try? String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8)
        return FileHolder(pid: pid, program: name?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "")
    }
}

/// Waits for other programs, in small steps.
struct Waiting {
    private let end: ContinuousClock.Instant

    init(seconds: Double) {
        end = .now + .milliseconds(Int64(max(0, min(seconds, 86_400)) * 1000))
    }

    var isOver: Bool { ContinuousClock.now >= end }

    func pause() {
        usleep(20_000)
    }
}

/// Other programs that have the store open. chatdb cannot change it meanwhile.
struct OtherPrograms {
    let engine: any StorageEngine
    let waiting: Waiting
    let cancellation: Cancellation
    /// Called once per database, before it waits.
    let progress: MigrationProgress.Handler

    /// - Parameter seconds: the longest time to wait, for all databases together.
    init(_ context: StoreContext, waiting seconds: Double) {
        (engine, waiting) = (context.engine, Waiting(seconds: seconds))
        (cancellation, progress) = (context.cancellation, context.progress)
    }

    /// Waits until no other program has a database open; throws `inUse` when time runs out.
    func waitToLeave(_ database: DatabaseName, at path: String) throws(MigrationError) {
        var isWaiting = false
        while let holders = holders(of: path) {
            guard !waiting.isOver else { throw .inUse(database, by: holders) }
            if cancellation.isRequested { throw .interrupted }
            if !isWaiting { progress(.waiting(for: holders)) }
            isWaiting = true
            waiting.pause()
        }
    }

    /// Nil when no program has it open; empty when the system does not name the program.
    private func holders(of path: String) -> [FileHolder]? {
        guard let holders = engine.holders(of: path) else { return engine.isOpenInAnotherProcess(path) ? [] : nil }
        return holders.isEmpty ? nil : holders
    }
}

extension StoreContext {
    /// Takes the lock on the store; throws `storeLocked` if others keep it for `lockTimeout`. Nil for a store on a
    /// server, whose locks belong to the transactions.
    func takeLock(_ mode: StoreLock.Mode) throws(MigrationError) -> StoreLock? {
        if location.server != nil { return nil }
        return try StoreLock.take(
            location.lockPath, mode, timeout: lockTimeout, cancellation: cancellation, progress: progress)
    }

    /// Runs `body` while this process alone has the lock on the store. If `body` fails, removes a lock file that was not
    /// there before.
    func withLockAlone<T>(_ body: () throws -> T) throws -> T {
        let lock = try takeLock(.alone)
        defer { withExtendedLifetime(lock) {} }
        do {
            return try body()
        } catch {
            lock?.removeIfNew()
            throw error
        }
    }

    /// Throws `inUse` if another process has a database open, after waiting for it to close the database.
    /// - Parameter holdsLock: whether this process has a lock on the database. It then cannot look where the system
    /// does not list open files, and the lock keeps other writers away.
    package func requireAlone(waiting seconds: Double, holdsLock: Bool) throws(MigrationError) {
        let others = OtherPrograms(self, waiting: seconds)
        for database in databases {
            let path = location.path(of: database)
            if holdsLock, engine.holders(of: path) == nil { continue }
            try others.waitToLeave(database, at: path)
        }
    }

    /// Throws `inUse` if another process has a database open, after waiting for it to close the database: chatdb cannot
    /// replace the files of a running program.
    func requireReplaceable() throws(MigrationError) {
        let others = OtherPrograms(self, waiting: lockTimeout)
        for database in location.databases where location.state(of: database) != .missing {
            try others.waitToLeave(database, at: location.path(of: database))
        }
    }
}

extension [FileHolder] {
    /// What these programs do with a database, a clause. On a server many programs may be connected to it, and only the
    /// lock of the store is in the way.
    func use(of database: DatabaseName) -> String {
        if isEmpty { return "another program has the \(database) database open or is writing to it" }
        return contains(where: \.isOfServer)
            ? "another program has the lock of the store: \(namesOfServer)"
            : "the \(database) database is open in \(map(\.description).joined(separator: ", "))"
    }
}
