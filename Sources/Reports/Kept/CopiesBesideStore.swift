package import ChatDBKit

/// The copies beside a store, by whether they are encrypted. Rule: docs/encryption.md, "Changing the passphrase".
package struct CopiesBesideStore {
    /// The folders and files with content of the store in plain text. Each backup has a path of its own: the folder of
    /// the backups may also have other files.
    package let plain: [String]
    /// The folders with an encrypted database. One of them may also have a plain database.
    package let encrypted: [String]

    /// - Parameter leftOut: the path of a folder that is left out.
    package init(of store: StoreLocation, without leftOut: String?, with engine: SQLiteEngine) {
        let folders = StoreCopies.paths(of: store, without: nil).flatMap { folder in
            folder == store.backupsPath
                ? ((try? FoundBackup.all(in: folder)) ?? []).map(\.path).sorted() : [folder]
        }
        var (plain, encrypted): ([String], [String]) = ([], [])
        // The check abandonedFiles names the new files of an interrupted command, which the next one removes.
        for folder in folders where folder != leftOut && folder != store.keptPrefix + ".restoring" {
            let forms = StoreCopies.databases(in: folder, of: store).map(engine.looksEncrypted)
            if forms.contains(false) { plain.append(folder) }
            if forms.contains(true) { encrypted.append(folder) }
        }
        self.plain = plain + PresetBefore.paths(beside: store.keptPrefix)
        self.encrypted = encrypted
    }

    /// The plain copies beside a store that has an encrypted database; empty for any other store, and while a restore or
    /// a change of the passphrase is interrupted, which may need them. chatdb looks at no file that this process has
    /// open.
    package static func plain(besideEncrypted store: StoreLocation, with engine: SQLiteEngine) -> [String] {
        guard store.server == nil, (try? RestoreRecord.refuse(at: store)) != nil,
            store.databases.contains(where: { engine.isEncrypted(store.path(of: $0)) })
        else { return [] }
        return CopiesBesideStore(of: store, without: nil, with: engine).plain
    }

    /// The notes of a check about plain copies beside an encrypted store.
    static func notes(_ context: StoreContext) -> [String] {
        guard let engine = context.engine as? SQLiteEngine else { return [] }
        return plain(besideEncrypted: context.location, with: engine).map(sentence(ofPlain:))
    }

    /// What a plain copy beside an encrypted store is.
    package static func fact(ofPlain path: String) -> String { "\(path) holds content of the store in plain text" }

    /// What a user has to know of a plain copy beside an encrypted store.
    package static func sentence(ofPlain path: String) -> String {
        "\(fact(ofPlain: path)); remove it when the encrypted store works: \(removal(of: path))"
    }

    /// The command that removes a copy. It leaves files there that another program made.
    package static func removal(of path: String) -> String {
        let made = FileMadeMeanwhile.all(in: path)
        if !made.isEmpty {
            let others = FileMadeMeanwhile.others(in: path, than: made)
            return "rm \(others.map(ShellWord.quoted).joined(separator: " "))"
        }
        let command = FileState(at: path) == .notRegular(.directory) ? "rm -r" : "rm"
        return "\(command) \(ShellWord.quoted(path))"
    }
}
