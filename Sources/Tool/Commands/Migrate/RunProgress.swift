import Migrations

/// Shows on a bar where a run is.
///
/// Unchecked, because the run tells its progress on the thread it was started on, which is the command's own.
final class RunProgress: @unchecked Sendable {
    private let output: Output
    private var bar: ProgressBar?
    private var label = ""

    init(_ output: Output) {
        self.output = output
    }

    func show(_ progress: MigrationProgress) {
        switch progress {
        case .waiting: update("waiting for the store", 0, of: nil)
        case .completed(let record): output.detail("the interrupted run of \(record.startedAt) was completed")
        case .checking(let database): update("checking the \(database) database", 0, of: nil)
        case .backingUp(let database, let part):
            update("backing up the \(database) database", Int64(part * 100), of: 100)
        case .verifyingBackup(let database): update("verifying the backup of the \(database) database", 0, of: nil)
        case .migrating(let database, let step, let number, let count):
            output.detail("\(database): \(step.direction.rawValue) \(step.name)")
            update("migrating the \(database) database", Int64(number), of: Int64(count))
        case .verifying(let database): update("verifying the \(database) database", 0, of: nil)
        }
    }

    /// Takes the bar away until there is something new to show.
    func clear() {
        bar?.clear()
    }

    func finish() {
        bar?.finish()
        bar = nil
    }

    private func update(_ label: String, _ done: Int64, of total: Int64?) {
        if label != self.label {
            bar?.clear()
            bar = output.progress(label, total: total)
            self.label = label
        }
        bar?.update(done)
    }
}
