/// The contents that a disk may have after a power cut: images of the folder for a cut after each operation of a logged
/// run. The model and its limits are in docs/torture.md, "Power cuts".
package struct PowerCut: ~Copyable {
    /// The fate of changes of folders that no sync has made durable.
    package enum NameFate: Sendable, Hashable { case lost, kept, prefix }

    /// The fate of the writes to one file since its last sync.
    package enum DataFate: Sendable, Hashable, CaseIterable {
        case lost, kept
        /// Each write is kept or lost.
        case subset
        /// Each sector of each write is kept or lost.
        case torn
        /// Each sector of each write is kept, lost, or overwritten with random bytes.
        case garbage
    }

    package struct Image: Sendable, Hashable {
        package var content: FolderImage
        package var names: NameFate
        /// Nil when every file had its own fate.
        package var data: DataFate?
    }

    private let log: OperationLog
    private var replay: Replay
    private var done = 0
    private let seed: UInt64

    /// `initial` is the folder before the logged run.
    package init(initial: FolderImage, log: OperationLog, seed: UInt64 = 1) throws(FaultError) {
        let replay = try Replay(initial)
        self.replay = replay
        self.log = log
        self.seed = seed
    }

    /// The positions of cuts in a run: 0 is before its first operation, `operations.count` after its last.
    package static func positions(of log: OperationLog) -> ClosedRange<Int> { 0...log.operations.count }

    /// Up to `variants` images for a cut after `position` operations, equal ones only once. Positions must rise from
    /// call to call; for a position before the last one the list is empty.
    package mutating func images(after position: Int, variants: Int) throws(FaultError) -> [Image] {
        guard position >= done, position <= log.operations.count else { return [] }
        while done < position {
            try replay.apply(log.operations[done])
            done += 1
        }
        var seen: Set<FolderImage> = []
        var images: [Image] = []
        for variant in 0..<variants {
            let (names, data) = Self.fates(variant)
            let mixed = seed &* 1_000_003 &+ UInt64(position) &* 8_191 &+ UInt64(variant)
            let content = replay.afterPowerCut(names: names, data: data, seed: mixed)
            if seen.insert(content).inserted { images.append(Image(content: content, names: names, data: data)) }
        }
        return images
    }

    /// Repeats the whole log and compares the result with the folder after the run. This proves that the shim saw every
    /// change. SQLite's shared-memory index is left out, because SQLite writes it through a mapping.
    package static func verify(initial: FolderImage, log: OperationLog, result: FolderImage) throws(FaultError) {
        guard log.unseen.isEmpty else { throw .unseen(log.unseen) }
        var replay = try Replay(initial)
        for operation in log.operations { try replay.apply(operation) }
        let replayed = replay.afterPowerCut(names: .kept, data: .kept, seed: 0)
        let paths = Set(replayed.files.keys).union(result.files.keys)
        let wrong = paths.filter { !$0.hasSuffix("-shm") && replayed.files[$0] != result.files[$0] }
            .union(replayed.folders.symmetricDifference(result.folders))
        guard wrong.isEmpty else {
            throw .unseen(wrong.sorted().map { "\($0): differs from what the log says" })
        }
    }

    /// The number of bytes of output that the process had written when the power failed. They contain everything that
    /// it had promised.
    package func printed(after position: Int) -> Int? {
        position < log.operations.count ? log.operations[position].printed : nil
    }

    /// The four extremes come first, then images between them.
    private static func fates(_ variant: Int) -> (NameFate, DataFate?) {
        switch variant {
        case 0: (.lost, .lost)
        case 1: (.kept, .lost)
        case 2: (.lost, .kept)
        case 3: (.kept, .kept)
        default:
            (
                [NameFate.prefix, .kept, .prefix, .lost][variant / 4 % 4],
                [DataFate.subset, .torn, .garbage, nil][variant % 4]
            )
        }
    }
}
