import Foundation
import Synchronization

/// Files of stores that the harness itself has open. A child that starts meanwhile would inherit them, and would then
/// seem to have the store open.
enum HarnessFiles {
    private static let lock = Mutex(())

    /// Runs `body` while no child is started.
    static func open<T>(_ body: () throws -> T) rethrows -> T {
        try lock.withLock { _ in try body() }
    }

    /// Runs `body`, which starts a child, while no such file is open.
    static func closed<T>(_ body: () throws -> T) rethrows -> T {
        try lock.withLock { _ in try body() }
    }
}
