import ChatDBEngine
import Synchronization

/// The private copies that were made for one piece of work, such as a command: a database that is opened several times is
/// copied once. They go with this and with the last connection to them.
final class PrivateCopies: Sendable {
    private let copies = Mutex<[String: PrivateCopy]>([:])

    /// The copy of the database at an absolute path, made now unless there is one of these very files.
    func copy(of source: String, isOneOfSeveral: Bool) throws(StoreError) -> PrivateCopy {
        try copies.withLock { copies throws(StoreError) in
            if let copy = copies[source], copy.isCurrent { return copy }
            let copy = try PrivateCopy.make(of: source, isOneOfSeveral: isOneOfSeveral)
            copies[source] = copy
            return copy
        }
    }

    /// Lets go of the copy of a database that is about to be written: it is of no more use, and takes room.
    func forget(_ source: String) {
        copies.withLock { $0[source] = nil }
    }
}
