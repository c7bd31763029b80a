import ChatDBPOSIX
import Foundation
import Synchronization

/// A folder for private copies of databases in the system's temporary folder; other users cannot read it. It holds a
/// locked file, by which a later run recognizes the folders of dead processes and removes them.
package final class LockedFolder: Sendable {
    /// The purpose of a folder, which is part of its name.
    package enum Purpose: String, CaseIterable, Sendable {
        /// A copy of a database that cannot be read in place.
        case copy
        /// A copy whose full-text index is checked.
        case search
        /// A copy on which migrations are rehearsed.
        case rehearsal
        /// The new databases of a salvage, until they are complete.
        case salvage

        var prefix: String { "\(namePrefix)\(rawValue)-" }
    }

    /// The beginning of the name of every such folder.
    private static let namePrefix = "chatdb-"

    package let path: String
    /// The descriptor of the locked file; nil once the folder is removed.
    private let lock: Mutex<CInt?>

    private init(path: String, lock: CInt) {
        self.path = path
        self.lock = Mutex(lock)
    }

    deinit { remove() }

    /// The folders of this process, and what runs before it makes the first.
    private struct Living {
        var paths: Set<String> = []
        var preparation: (@Sendable () -> Void)?
    }

    private static let living = Mutex(Living())

    /// Registers `preparation` to run once, before this process makes its first folder. A program uses it to install
    /// the signal handlers that call `removeAll`.
    package static func beforeFirst(_ preparation: @escaping @Sendable () -> Void) {
        living.withLock { $0.preparation = preparation }
    }

    /// Removes all folders of this process, also those in use: for a process that ends.
    package static func removeAll() {
        // Another thread may be making a file in one of them at this moment.
        for _ in 1...5 {
            for path in living.withLock({ $0.paths }) where FileState(at: path) != .missing {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }

    /// Makes a folder called `chatdb-<purpose>-` and a random id, after removing those that dead processes left.
    package static func make(
        for purpose: Purpose, in parent: String = NSTemporaryDirectory()
    ) throws(StoreError) -> LockedFolder {
        let preparation = living.withLock { living in
            defer { living.preparation = nil }
            return living.preparation
        }
        preparation?()
        let parent = parent.hasSuffix("/") ? parent : parent + "/"
        removeAbandoned(in: parent)
        let id = UUID().uuidString
        // The folder gets its name after the lock, so that no process takes it for abandoned before that.
        let unlocked = "\(parent)\(namePrefix)new-\(purpose.rawValue)-\(id)"
        let folder = parent + purpose.prefix + id
        living.withLock { $0.paths.formUnion([unlocked, folder]) }
        guard mkdir(unlocked, 0o700) == 0 else {
            let reason = errno
            // Not `missing`, which would mean the store.
            throw StoreError(
                reason == ENOSPC || reason == EDQUOT ? .diskFull : .inputOutput,
                "a folder for a private copy cannot be created in \(parent), which TMPDIR names: "
                    + systemMessage(reason),
                engineCode: Int(reason))
        }
        let lock = open(unlocked + "/lock", O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0, rename(unlocked, folder) == 0 else {
            let error = SystemError.current("a folder for a private copy cannot be locked")
            if lock >= 0 { close(lock) }
            try? FileManager.default.removeItem(atPath: unlocked)
            living.withLock { $0.paths.subtract([unlocked, folder]) }
            throw error
        }
        living.withLock { _ = $0.paths.remove(unlocked) }
        return LockedFolder(path: folder, lock: lock)
    }

    /// Throws `diskFull` when a folder has no room for this number of bytes.
    package static func requireSpace(_ bytes: Int64, in folder: String) throws(StoreError) {
        guard let free = FileSpace.free(at: folder), free < bytes else { return }
        throw StoreError(
            .diskFull,
            "a private copy needs \(FileSpace.text(bytes)) in \(folder), in the folder that TMPDIR names, and "
                + "\(FileSpace.text(free)) are free")
    }

    /// Removes the folder and its content. A second call does nothing.
    package func remove() {
        let held = lock.withLock { lock in
            defer { lock = nil }
            return lock
        }
        guard let held else { return }
        try? FileManager.default.removeItem(atPath: path)
        Self.living.withLock { _ = $0.paths.remove(path) }
        close(held)
    }

    /// Removes the folders that dead processes left: no process holds their lock.
    package static func removeAbandoned(in parent: String = NSTemporaryDirectory()) {
        let parent = parent.hasSuffix("/") ? parent : parent + "/"
        let names = (try? folderNames(parent, prefix: namePrefix)) ?? []
        for name in names where isOfPurpose(name) && isOwn(parent + name) {
            let lock = open("\(parent)\(name)/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard lock >= 0 else { continue }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { try? FileManager.default.removeItem(atPath: parent + name) }
            close(lock)
        }
    }

    private static func isOfPurpose(_ name: String) -> Bool {
        Purpose.allCases.contains { name.hasPrefix($0.prefix) }
    }

    /// Whether this user made the folder. All users share the temporary folder; other users' folders, and links, stay.
    private static func isOwn(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR && info.st_uid == geteuid()
    }
}
