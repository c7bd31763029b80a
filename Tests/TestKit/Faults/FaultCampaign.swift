import ChatDBKit
package import Foundation

/// Runs a program many times, each time on a new copy of a folder with a fault at another operation, and checks each
/// resulting folder.
package struct FaultCampaign: Sendable {
    /// Examines the folder after the fault. It may change the folder, which is removed afterwards, and create others
    /// beside it. The campaign calls it from several threads.
    package typealias Check = @Sendable (_ folder: URL, _ fault: FaultCase) throws -> FaultVerdict

    package var command: FaultCommand
    /// The folder that is copied for every run; never changed.
    package var seedFolder: URL
    /// The folder for all files of the campaign; by default the one of ``fastFolder``.
    package var workFolder: URL
    package var sample: FaultSample
    package var workers: Int
    package var seed: UInt64
    package var check: Check

    package init(
        command: FaultCommand, seedFolder: URL, workFolder: URL = fastFolder,
        sample: FaultSample = .every, workers: Int = ProcessInfo.processInfo.activeProcessorCount,
        seed: UInt64 = 1, check: @escaping Check
    ) {
        self.command = command
        self.seedFolder = seedFolder
        self.workFolder = workFolder
        self.sample = sample
        self.workers = workers
        self.seed = seed
        self.check = check
    }

    /// A folder in memory, where no sync waits for a disk, if the system has one with room for several campaigns;
    /// otherwise its temporary folder.
    package static let fastFolder: URL = {
        let memory = "/dev/shm"
        let hasRoom = FileSpace.free(at: memory) ?? 0 > 2 << 30
        return hasRoom && FileManager.default.isWritableFile(atPath: memory)
            ? URL(fileURLWithPath: memory) : FileManager.default.temporaryDirectory
    }()

    /// Runs the campaign. The program must succeed without a fault.
    package func run(_ faults: [Fault]) throws -> FaultSummary {
        let seedImage = try FolderImage(of: seedFolder)
        let parallel = ParallelCases(root: workFolder, workers: workers)
        let reference = try parallel.run([0]) { folder, _ in
            try Workplace(folder, command: command, seed: seedImage).logged().log
        }
        guard let log = reference.first else { throw FaultError.referenceFailed("it was not run") }

        let cases = faults.filter { $0.plan(at: 1) != nil }.flatMap { fault in
            sample.pick(log.operations.filter { $0.kind == .write || !fault.concernsOnlyWrites })
                .map { (fault: fault, operation: $0) }
        }
        var results = try parallel.run(cases) { folder, one in
            try Workplace(folder, command: command, seed: seedImage).run(one.fault, at: one.operation, check: check)
        }
        for case .powerCut(let variants) in faults {
            results += try powerCuts(variants, from: seedImage, parallel: parallel)
        }
        return summary(operations: log.operations.count, faults: faults, results: results)
    }

    /// Each worker logs a run of its own and puts the images into the folder of that run, because databases may contain
    /// their own paths.
    private func powerCuts(
        _ variants: Int, from seedImage: FolderImage, parallel: ParallelCases
    ) throws -> [FaultSummary.Finding] {
        let shares = try parallel.run(Array(0..<workers)) { folder, worker in
            let place = try Workplace(folder, command: command, seed: seedImage)
            let (log, outcome) = try place.logged()
            try PowerCut.verify(initial: seedImage, log: log, result: FolderImage(of: place.folder))
            let mine = sample.pick(Array(PowerCut.positions(of: log))).enumerated()
                .filter { $0.offset % workers == worker }
            var cut = try PowerCut(initial: seedImage, log: log, seed: seed)
            var seen: Set<[Int]> = []
            var results: [FaultSummary.Finding] = []
            for (_, position) in mine {
                let printed = cut.printed(after: position)
                for image in try cut.images(after: position, variants: variants) {
                    // The image equals an earlier one, and the program promised nothing more: no second check is
                    // needed.
                    let key = [image.content.hashValue, printed ?? -1]
                    guard seen.insert(key).inserted else { continue }
                    let fault = FaultCase(
                        fault: .powerCut(variants: variants), operation: position,
                        operationName: position == 0 ? "the beginning" : log.operations[position - 1].name,
                        termination: nil,
                        output: String(decoding: outcome.output.utf8.prefix(printed ?? .max), as: UTF8.self),
                        errors: "", finished: printed == nil)
                    results.append(try place.check(image.content, as: fault, check))
                }
            }
            return results
        }
        return shares.flatMap { $0 }.sorted { $0.at.operation < $1.at.operation }
    }

    private func summary(
        operations: Int, faults: [Fault], results: [FaultSummary.Finding]
    ) -> FaultSummary {
        var rows: [FaultSummary.Row] = []
        for fault in faults {
            var row = FaultSummary.Row(fault: fault)
            for result in results where result.at.fault == fault {
                row.cases += 1
                if result.at.finished { row.survived += 1 }
                switch result.verdict {
                case .whole(let state): row.states[state, default: 0] += 1
                case .lost: row.lost += 1
                case .damaged: row.damaged += 1
                }
            }
            rows.append(row)
        }
        let findings = results.filter { if case .whole = $0.verdict { false } else { true } }
        return FaultSummary(operations: operations, rows: rows, findings: findings)
    }
}

/// The folder of one worker: the program's folder, and the harness's own files beside it.
private struct Workplace {
    let folder: URL
    let scratch: URL
    let command: FaultCommand
    let seed: FolderImage

    init(_ root: URL, command: FaultCommand, seed: FolderImage) throws {
        folder = root.appendingPathComponent("store")
        scratch = root.appendingPathComponent("scratch")
        self.command = command
        self.seed = seed
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        try seed.materialise(into: folder)
    }

    /// A run without a fault, which must succeed, and its log.
    func logged() throws -> (log: OperationLog, outcome: FaultOutcome) {
        let file = scratch.appendingPathComponent("log")
        let outcome = try FaultRun(command, in: folder, scratch: scratch, plan: .log(to: file)).run()
        guard outcome.termination == .exit(0) else {
            throw FaultError.referenceFailed("\(outcome.termination): \(outcome.errors)")
        }
        guard outcome.unseen.isEmpty else { throw FaultError.unseen(outcome.unseen) }
        let log = try OperationLog(contentsOf: file)
        guard !log.operations.isEmpty else { throw FaultError.referenceFailed("it changed nothing in the folder") }
        return (log, outcome)
    }

    func run(
        _ fault: Fault, at operation: FileOperation, check: FaultCampaign.Check
    ) throws -> FaultSummary.Finding {
        let plan = fault.plan(at: operation.number) ?? .count
        let outcome = try FaultRun(command, in: folder, scratch: scratch, plan: plan).run()
        let one = FaultCase(
            fault: fault, operation: operation.number, operationName: operation.name,
            termination: outcome.termination, output: outcome.output, errors: outcome.errors,
            finished: outcome.termination == .exit(0))
        return judged(one, check)
    }

    func check(
        _ image: FolderImage, as fault: FaultCase, _ check: FaultCampaign.Check
    ) throws -> FaultSummary.Finding {
        try image.materialise(into: folder)
        return judged(fault, check)
    }

    private func judged(_ fault: FaultCase, _ check: FaultCampaign.Check) -> FaultSummary.Finding {
        do {
            return .init(at: fault, verdict: try check(folder, fault))
        } catch {
            return .init(at: fault, verdict: .damaged("\(error)"))
        }
    }
}
