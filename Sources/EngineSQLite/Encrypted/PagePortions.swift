import ChatDBEngine
import Dispatch
import Foundation
import Synchronization

/// The pages of a file in portions, for work on all processors.
final class PagePortions: Sendable {
    private let pages: Int64
    private let pagesAtOnce: Int64
    private let isStopped: @Sendable () -> Bool
    private let next = Atomic<Int64>(1)
    private let failure = Mutex<StoreError?>(nil)

    /// - Parameter pagesAtOnce: the pages of a portion.
    init(of pages: Int64, pagesAtOnce: Int64, stoppedWhen isStopped: @escaping @Sendable () -> Bool) {
        (self.pages, self.pagesAtOnce, self.isStopped) = (pages, pagesAtOnce, isStopped)
    }

    /// Calls a closure with each portion once, on several threads, and returns when all have ended. The first error ends
    /// the work; the other threads end with their portions.
    func forEach(_ work: @escaping @Sendable (ClosedRange<Int64>) throws(StoreError) -> Void) throws(StoreError) {
        let portions = Int((pages + pagesAtOnce - 1) / pagesAtOnce)
        let threads = max(1, min(ProcessInfo.processInfo.activeProcessorCount, portions))
        let others = DispatchGroup()
        for _ in 1..<threads {
            others.enter()
            Thread.detachWithoutSignals {
                self.run(work)
                others.leave()
            }
        }
        run(work)
        others.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private func run(_ work: (ClosedRange<Int64>) throws(StoreError) -> Void) {
        do throws(StoreError) {
            while true {
                let first = next.add(pagesAtOnce, ordering: .relaxed).oldValue
                guard first <= pages else { return }
                if isStopped() { throw StoreError(.interrupted, "stopped on request") }
                try work(first...min(pages, first + pagesAtOnce - 1))
            }
        } catch {
            next.store(pages + 1, ordering: .relaxed)
            failure.withLock { $0 = $0 ?? error }
        }
    }
}

/// Memory for pages that follow each other.
struct PageBuffer: ~Copyable {
    let bytes: UnsafeMutableRawBufferPointer
    private let first: Int64
    private let pageSize: Int

    init(_ pages: ClosedRange<Int64>, pageSize: Int) {
        bytes = .allocate(byteCount: pages.count * pageSize, alignment: 16)
        (first, self.pageSize) = (pages.lowerBound, pageSize)
    }

    deinit { bytes.deallocate() }

    /// The bytes of a page.
    subscript(number: Int64) -> UnsafeMutableRawBufferPointer {
        let start = Int(number - first) * pageSize
        return UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + pageSize])
    }
}
