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

    @Test("what the work holds is released when the caller has its result")
    func released() throws {
        for _ in 1...500 {
            weak var held: Held?
            do {
                let new = Held()
                held = new
                let work = BesideWork { new.number }
                withExtendedLifetime(work) { #expect((try? work.wait()) == 1) }
            }
            #expect(held == nil)
        }
    }

    private final class Held: Sendable {
        let number = 1
    }
}
