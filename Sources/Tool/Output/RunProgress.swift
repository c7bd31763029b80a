import ChatDBKit
import Foundation

/// Shows the current step of a run on a bar, if it takes longer than half a second, also while the run reports nothing
/// new.
///
/// Unchecked, because the run's thread and a timer thread draw the bar; a lock guards all that changes.
final class RunProgress: @unchecked Sendable {
    private let output: Output
    private let showsBar: Bool
    private let start = ContinuousClock.now
    private let lock = NSLock()
    private var bar: ProgressBar?
    private var label = ""
    private var done: Int64 = 0
    private var isPaused = true
    private var isOver = false

    /// - Parameter showsBar: false for work without a bar, whose stages are only details.
    init(_ output: Output, showsBar: Bool = true) {
        self.output = output
        self.showsBar = showsBar && output.canShowProgress
        guard self.showsBar else { return }
        Thread.detachNewThread { [weak self] in
            while self?.draw() == true { Thread.sleep(forTimeInterval: 0.1) }
        }
    }

    func show(_ progress: MigrationProgress) {
        switch progress {
        case .waiting(let programs):
            lock.withLock {
                bar?.clear()
                let names = programs.isEmpty ? "another program" : programs.map(\.description).joined(separator: ", ")
                output.detail("the store is in use by \(names): waiting")
            }
            update("waiting for the store", 0, of: nil)
        case .completed(let record): output.detail("the interrupted run of \(record.startedAt) was completed")
        case .checking(let database): update("checking the \(database) database", 0, of: nil)
        case .backingUp(let database, let part):
            update("backing up the \(database) database", Int64(part * 100), of: 100)
        case .verifyingBackup(let database): update("verifying the backup of the \(database) database", 0, of: nil)
        case .migrating(let database, let step, let number, let count):
            lock.withLock {
                bar?.clear()
                output.detail("\(database): \(step.direction.rawValue) \(step.name)")
            }
            update("migrating the \(database) database", Int64(number - 1), of: Int64(count))
        case .verifying(let database): update("verifying the \(database) database", 0, of: nil)
        }
    }

    /// Removes the bar until there is news.
    func clear() {
        lock.withLock {
            isPaused = true
            bar?.clear()
        }
    }

    func finish() {
        lock.withLock {
            isOver = true
            bar?.finish()
            bar = nil
        }
    }

    private func update(_ label: String, _ done: Int64, of total: Int64?) {
        guard showsBar else { return }
        lock.withLock {
            if label != self.label {
                bar?.clear()
                bar = output.progress(label, total: total, since: start)
                self.label = label
            }
            self.done = done
            isPaused = false
            bar?.update(done)
        }
    }

    /// Draws the bar when it is due; returns whether to continue.
    private func draw() -> Bool {
        lock.withLock {
            if !isPaused { bar?.update(done) }
            return !isOver
        }
    }
}
