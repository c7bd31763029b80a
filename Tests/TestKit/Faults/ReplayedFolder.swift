/// A folder as the processes see it, and as the disk has it when only synced changes are kept.
final class ReplayedFolder {
    enum Entry {
        case file(ReplayedFile)
        case folder(ReplayedFolder)

        func isSame(as file: ReplayedFile) -> Bool {
            if case .file(let own) = self { own === file } else { false }
        }
    }

    var entries: [String: Entry] = [:]
    var durable: [String: Entry] = [:]

    /// A durable entry from before the run.
    func begin(with entry: Entry, named name: String) {
        entries[name] = entry
        durable[name] = entry
    }
}

/// One operation on names. It reaches the disk whole or not at all: when `home` is synced, or at any time before. The
/// operations of one folder reach the disk in their order.
struct NameChange {
    struct Effect {
        var folder: ReplayedFolder
        var name: String
        var entry: ReplayedFolder.Entry?
    }

    /// The folder whose sync makes this durable; for a rename, the target folder.
    var home: ReplayedFolder
    var effects: [Effect]
}

/// A file as the disk has it and as the processes see it. The difference is the changes since the file's last sync.
final class ReplayedFile {
    private enum Change {
        case write(offset: Int, bytes: [UInt8])
        case setLength(Int)
    }

    /// The unit that a disk writes whole or not at all.
    static let sector = 512

    private var durable: [UInt8] = []
    private var current: [UInt8] = []
    private var pending: [Change] = []
    private var durableContent = FileContent([])

    /// A new, empty file.
    init() {}

    /// A durable file from before the run.
    init(_ content: FileContent) {
        durable = content.bytes
        current = content.bytes
        durableContent = content
    }

    func write(_ bytes: [UInt8], at offset: Int) {
        guard !bytes.isEmpty else { return }
        pending.append(.write(offset: offset, bytes: bytes))
        Self.put(bytes, at: offset, in: &current)
    }

    func setLength(_ length: Int) {
        pending.append(.setLength(length))
        Self.resize(&current, to: length)
    }

    func allocate(upTo length: Int) {
        if length > current.count { setLength(length) }
    }

    /// Handles fsync and fdatasync alike: fdatasync also writes the length, because the data cannot be read without it.
    func sync() {
        guard !pending.isEmpty else { return }
        durable = current
        durableContent = FileContent(current)
        pending = []
    }

    /// The content that the disk may have if the power fails now.
    func afterPowerCut(_ fate: PowerCut.DataFate, using random: inout FaultRandom) -> FileContent {
        if pending.isEmpty || fate == .lost { return durableContent }
        if fate == .kept { return FileContent(current) }
        var bytes = durable
        for change in pending {
            switch change {
            case .setLength(let length):
                if Bool.random(using: &random) { Self.resize(&bytes, to: length) }
            case .write(let offset, let written):
                Self.settle(written, at: offset, in: &bytes, fate: fate, using: &random)
            }
        }
        return FileContent(bytes)
    }

    private static func settle(
        _ written: [UInt8], at offset: Int, in bytes: inout [UInt8], fate: PowerCut.DataFate,
        using random: inout FaultRandom
    ) {
        if fate == .subset {
            if Bool.random(using: &random) { put(written, at: offset, in: &bytes) }
            return
        }
        var start = 0
        while start < written.count {
            let end = min(written.count, start + sector - (offset + start) % sector)
            let choice = Int.random(in: 0..<3, using: &random)
            if choice == 0 {
                put(Array(written[start..<end]), at: offset + start, in: &bytes)
            } else if choice == 1 && fate == .garbage {
                put(garbage(end - start, using: &random), at: offset + start, in: &bytes)
            }
            start = end
        }
    }

    private static func garbage(_ count: Int, using random: inout FaultRandom) -> [UInt8] {
        var words: [UInt64] = []
        words.reserveCapacity(count / 8 + 1)
        for _ in 0...count / 8 { words.append(random.next()) }
        return words.withUnsafeBytes { Array($0.prefix(count)) }
    }

    private static func put(_ written: [UInt8], at offset: Int, in bytes: inout [UInt8]) {
        if bytes.count == offset {
            bytes.append(contentsOf: written)
            return
        }
        let end = offset + written.count
        if bytes.count < end { resize(&bytes, to: end) }
        bytes.withUnsafeMutableBytes { target in
            written.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: target[offset..<end]).copyMemory(from: source)
            }
        }
    }

    private static func resize(_ bytes: inout [UInt8], to length: Int) {
        if length < bytes.count {
            bytes.removeLast(bytes.count - length)
        } else {
            bytes.append(contentsOf: [UInt8](repeating: 0, count: length - bytes.count))
        }
    }
}
