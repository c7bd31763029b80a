import ChatDBKit
import Foundation

/// Shows the current step of a run on a bar, if it takes longer than half a second, also while the run reports nothing
/// new.
///
/// Unchecked, because the run's thread and a timer thread draw the bar; a lock guards all that changes.
final class RunProgress: @unchecked Sendable {
    private let output: Output
    private let showsBar: Bool
    /// Whether the migrations make the tables of a copy.
    private let isCopy: Bool
    private let start = ContinuousClock.now
    private let lock = NSLock()
    private var bar: ProgressBar?
    private var label = ""
    private var done: Int64 = 0
    private var isPaused = true
    private var isOver = false
    /// The statement of a migration that runs, and its start; nil for other work.
    private var statement: (text: String, start: ContinuousClock.Instant)?

    /// - Parameters:
    ///   - showsBar: false for work without a bar, whose stages are only details.
    ///   - isCopy: whether the run copies a store.
    init(_ output: Output, showsBar: Bool = true, isCopy: Bool = false) {
        self.output = output
        self.isCopy = isCopy
        self.showsBar = showsBar && output.canShowProgress
        guard self.showsBar else { return }
        Thread.detachWithoutSignals { [weak self] in
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
        case .migrating(let database, let step, let number, let count, let progress):
            if progress.isStart {
                lock.withLock {
                    bar?.clear()
                    output.detail("\(database): \(step.direction.rawValue) \(step.name)")
                }
            }
            update(
                isCopy ? "making the tables of the \(database) database" : "migrating the \(database) database",
                Int64(number - 1) * Self.parts + Self.done(progress),
                of: Int64(count) * Self.parts, statement: Self.text(progress))
        case .verifying(let database): update("verifying the \(database) database", 0, of: nil)
        case .rewriting(let database): update("writing and verifying the new \(database) database", 0, of: nil)
        case .copying(let database, let stage): show(stage, database)
        }
    }

    private func show(_ stage: CopyStage, _ database: DatabaseName) {
        switch stage {
        case .checking: update("checking the texts of the \(database) database", 0, of: nil)
        case .filling(_, let rows, let count):
            update("copying the \(database) database", Int64(rows), of: Int64(max(count, 1)))
        case .finishing(let parts, let count):
            update("making the indexes of the \(database) database", Int64(parts), of: Int64(max(count, 1)))
        case .verifying: update("verifying the copy of the \(database) database", 0, of: nil)
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

    /// The parts of a migration on the bar.
    private static let parts: Int64 = 1_000

    private static func done(_ progress: StatementProgress) -> Int64 {
        parts * Int64(progress.completed) / Int64(max(progress.total, 1))
    }

    private static func text(_ progress: StatementProgress) -> String {
        progress.total > 1 ? ", statement \(progress.completed + 1) of \(progress.total)" : ""
    }

    /// What changes at least each second while one statement runs, also while SQLite reports nothing, as in a sort.
    static func remark(_ statement: String, after time: Duration) -> String {
        time < .seconds(1) ? statement : statement + ", \(time.components.seconds) s"
    }

    private func update(_ label: String, _ done: Int64, of total: Int64?, statement text: String? = nil) {
        guard showsBar else { return }
        lock.withLock {
            let isSame = label == self.label && done == self.done && text != nil && text == statement?.text
            if !isSame { statement = text.map { ($0, .now) } }
            if label != self.label {
                bar?.clear()
                bar = output.progress(label, total: total, since: start)
                self.label = label
            }
            self.done = done
            isPaused = false
            draw(bar)
        }
    }

    private func draw(_ bar: ProgressBar?) {
        bar?.remark = statement.map { Self.remark($0.text, after: .now - $0.start) } ?? ""
        bar?.update(done)
    }

    /// Draws the bar when it is due; returns whether to continue.
    private func draw() -> Bool {
        lock.withLock {
            if !isPaused { draw(bar) }
            return !isOver
        }
    }
}
