import Foundation
import Testing

@testable import ChatDBEngine

@Suite("Work beside the caller") struct BesideWorkTests {
    @Test("the caller gets what the work returned, each time that it asks")
    func returned() throws {
        let work = BesideWork { 6 * 7 }
        #expect(try work.wait() == 42)
        #expect(try work.wait() == 42)
    }

    @Test("an error of the work is thrown to the caller")
    func failed() {
        let work = BesideWork<Int> { throw StoreError(.busy, "another program writes") }
        let error = #expect(throws: StoreError.self) { try work.wait() }
        #expect(error?.kind == .busy)
    }

    @Test("the work has a thread of its own, which takes no signals")
    func thread() throws {
        let own = Thread.current
        let (other, blocked) = try BesideWork { () -> (ObjectIdentifier, Bool) in
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            return (ObjectIdentifier(Thread.current), sigismember(&mask, SIGINT) == 1)
        }.wait()
        #expect(other != ObjectIdentifier(own))
        #expect(blocked)
    }
}
