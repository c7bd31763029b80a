import Foundation
import Synchronization

/// A piece of work on a thread of its own.
///
/// Tests run on Swift's cooperative pool, which has one thread a processor. A test that blocks such a thread must not
/// wait for a `Task`, a task group or `concurrentPerform`: these need a thread of the same pool, and with two
/// processors two such tests wait forever.
package final class ThreadResult<Value: Sendable>: Sendable {
    private struct NotEnded: Error {}

    private let result = Mutex<Result<Value, any Error>>(.failure(NotEnded()))
    private let isDone = DispatchSemaphore(value: 0)

    /// Starts `body`.
    package init(_ body: @escaping @Sendable () throws -> Value) {
        let thread = Thread { [self] in
            let value = Result { try body() }
            result.withLock { $0 = value }
            isDone.signal()
        }
        // A secondary thread has half a megabyte of stack, and a debug build needs more.
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Waits for the end of the work, and returns its result or throws its error.
    package func value() throws -> Value {
        isDone.wait()
        isDone.signal()
        return try result.withLock(\.self).get()
    }
}

/// The same work several times at once, each time on a thread of its own.
package enum OwnThreads {
    /// Runs `body` with 0, 1, … `count` - 1 and returns what it returned, in that order, when all have ended. Throws
    /// the error of the lowest number that failed.
    package static func results<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (_ number: Int) throws -> Value
    ) throws -> [Value] {
        let threads = (0..<count).map { number in ThreadResult { try body(number) } }
        return try threads.map { thread in Result { try thread.value() } }.map { try $0.get() }
    }

    /// Runs `body` with 0, 1, … `count` - 1 and returns when all have ended.
    package static func perform(_ count: Int, _ body: @escaping @Sendable (_ number: Int) -> Void) {
        _ = try? results(count) { body($0) }
    }
}
