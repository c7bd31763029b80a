/// A folder as the processes see it, and as the disk would have it if the power failed with nothing but the synced.
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

    /// An entry that was there, durable, before the run.
    func begin(with entry: Entry, named name: String) {
        entries[name] = entry
        durable[name] = entry
    }
}

/// One operation on names. It reaches the disk whole or not at all, when `home` is synced or at the file system's
/// own pleasure; those of one folder in their order.
struct NameChange {
    struct Effect {
        var folder: ReplayedFolder
        var name: String
        var entry: ReplayedFolder.Entry?
    }

    /// The folder whose sync makes this durable: of a rename, the one it leads to.
    var home: ReplayedFolder
    var effects: [Effect]
}
