/// The folder at one moment of a logged run, moved forward operation by operation.
struct Replay: ~Copyable {
    private let root = ReplayedFolder()
    private var namedBy: [UInt64: ReplayedFile] = [:]
    private var pending: [NameChange] = []

    init(_ initial: FolderImage) throws(FaultError) {
        for path in initial.folders.sorted() {
            let (parent, name) = try locate(path, in: 0)
            parent.begin(with: .folder(ReplayedFolder()), named: name)
        }
        for (path, content) in initial.files {
            let (parent, name) = try locate(path, in: 0)
            parent.begin(with: .file(ReplayedFile(content)), named: name)
        }
    }

    mutating func apply(_ operation: FileOperation) throws(FaultError) {
        // A write that failed halfway has bytes; everything else that failed did nothing.
        guard operation.error == 0 || !operation.bytes.isEmpty else { return }
        switch operation.kind {
        case .write: try file(of: operation).write(operation.bytes, at: operation.offset)
        case .truncate: try file(of: operation).setLength(operation.length)
        case .allocate: try file(of: operation).allocate(upTo: operation.offset + operation.length)
        case .fsync, .fdatasync:
            if operation.isFolder { try sync(folder(operation)) } else { try file(of: operation).sync() }
        case .create:
            let made = ReplayedFile()
            namedBy[operation.inode] = made
            try change(operation, operation.path, to: .file(made))
        case .makeFolder: try change(operation, operation.path, to: .folder(ReplayedFolder()))
        case .unlink, .removeFolder: try change(operation, operation.path, to: nil)
        case .link: try change(operation, operation.newPath, to: entry(operation, operation.path))
        case .rename: try rename(operation)
        case .symlink: throw .unseen(["\(operation.path): a symbolic link, which the model does not know"])
        }
    }

    /// The content that the disk may have if the power fails now.
    func afterPowerCut(names: PowerCut.NameFate, data: PowerCut.DataFate?, seed: UInt64) -> FolderImage {
        var random = FaultRandom(seed: seed)
        let kept = survivors(names, using: &random)
        var image = FolderImage()
        collect(root, path: "", kept: kept, data: data, using: &random, into: &image)
        return image
    }

    // MARK: - Names

    private func locate(_ path: String, in operation: Int) throws(FaultError) -> (ReplayedFolder, String) {
        var folder = root
        let parts = path.split(separator: "/")
        guard let name = parts.last else { throw .logDoesNotFit(operation: operation, path: path) }
        for part in parts.dropLast() {
            guard case .folder(let next) = folder.entries[String(part)] else {
                throw .logDoesNotFit(operation: operation, path: path)
            }
            folder = next
        }
        return (folder, String(name))
    }

    private func entry(_ operation: FileOperation, _ path: String) throws(FaultError) -> ReplayedFolder.Entry {
        let (folder, name) = try locate(path, in: operation.number)
        guard let entry = folder.entries[name] else {
            throw .logDoesNotFit(operation: operation.number, path: path)
        }
        return entry
    }

    private func folder(_ operation: FileOperation) throws(FaultError) -> ReplayedFolder {
        if operation.path.isEmpty { return root }
        guard case .folder(let folder) = try entry(operation, operation.path) else {
            throw .logDoesNotFit(operation: operation.number, path: operation.path)
        }
        return folder
    }

    /// The file by its inode, because an open file may have been renamed or unlinked since; compared with the name.
    private mutating func file(of operation: FileOperation) throws(FaultError) -> ReplayedFile {
        if operation.isUnlinked {
            let known = namedBy[operation.inode] ?? ReplayedFile()
            namedBy[operation.inode] = known
            return known
        }
        guard case .file(let file) = try entry(operation, operation.path) else {
            throw .logDoesNotFit(operation: operation.number, path: operation.path)
        }
        namedBy[operation.inode] = file
        return file
    }

    private mutating func change(
        _ operation: FileOperation, _ path: String, to entry: ReplayedFolder.Entry?
    ) throws(FaultError) {
        let (folder, name) = try locate(path, in: operation.number)
        perform(NameChange(home: folder, effects: [.init(folder: folder, name: name, entry: entry)]))
    }

    private mutating func rename(_ operation: FileOperation) throws(FaultError) {
        let moved = try entry(operation, operation.path)
        let (source, oldName) = try locate(operation.path, in: operation.number)
        let (target, newName) = try locate(operation.newPath, in: operation.number)
        // By POSIX, a rename between two names of one file does nothing.
        if case .file(let file) = moved, target.entries[newName]?.isSame(as: file) == true { return }
        perform(
            NameChange(
                home: target,
                effects: [
                    .init(folder: source, name: oldName, entry: nil),
                    .init(folder: target, name: newName, entry: moved),
                ]))
    }

    private mutating func perform(_ change: NameChange) {
        for effect in change.effects { effect.folder.entries[effect.name] = effect.entry }
        pending.append(change)
    }

    private mutating func sync(_ folder: ReplayedFolder) {
        var left: [NameChange] = []
        for change in pending {
            guard change.home === folder else {
                left.append(change)
                continue
            }
            for effect in change.effects {
                effect.folder.durable[effect.name] = effect.entry
                // Earlier operations on this name no longer count, even if its folder is not synced yet.
                for index in left.indices {
                    left[index].effects.removeAll { $0.folder === effect.folder && $0.name == effect.name }
                }
            }
        }
        pending = left
    }

    // MARK: - Power cut

    /// The pending changes that reach the disk: for each folder all, none, or the first few.
    private func survivors(_ fate: PowerCut.NameFate, using random: inout FaultRandom) -> [NameChange] {
        switch fate {
        case .lost: return []
        case .kept: return pending
        case .prefix:
            var counts: [ObjectIdentifier: Int] = [:]
            for change in pending { counts[ObjectIdentifier(change.home), default: 0] += 1 }
            var limits: [ObjectIdentifier: Int] = [:]
            var kept: [NameChange] = []
            for change in pending {
                let home = ObjectIdentifier(change.home)
                let limit = limits[home] ?? Int.random(in: 0...(counts[home] ?? 0), using: &random)
                limits[home] = limit - 1
                if limit > 0 { kept.append(change) }
            }
            return kept
        }
    }

    private func collect(
        _ folder: ReplayedFolder, path: String, kept: [NameChange], data: PowerCut.DataFate?,
        using random: inout FaultRandom, into image: inout FolderImage
    ) {
        var entries = folder.durable
        for change in kept {
            for effect in change.effects where effect.folder === folder { entries[effect.name] = effect.entry }
        }
        for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
            let place = path.isEmpty ? name : "\(path)/\(name)"
            switch entry {
            case .folder(let inner):
                image.folders.insert(place)
                collect(inner, path: place, kept: kept, data: data, using: &random, into: &image)
            case .file(let file):
                let fate = data ?? PowerCut.DataFate.allCases.randomElement(using: &random) ?? .kept
                image.files[place] = file.afterPowerCut(fate, using: &random)
            }
        }
    }
}
