package import ChatDBKit

/// The copies beside a store, by whether they are encrypted. Rule: docs/encryption.md, "Changing the passphrase".
package struct CopiesBesideStore {
    /// The folders and files with content of the store in plain text. Each backup has a path of its own: the folder of
    /// the backups may also have other files.
    package let plain: [String]
    /// The folders with an encrypted database. One of them may also have a plain database.
    package let encrypted: [String]

    /// Whether the store has a whole encrypted backup that its passphrase opens. False without plain copies.
    private let hasBackup: Bool

    /// - Parameters:
    ///   - leftOut: the path of a folder that is left out.
    ///   - engine: tells plain files from encrypted ones.
    ///   - context: has the passphrase of the store. Without one, no encrypted backup counts.
    package init(
        of store: StoreLocation, without leftOut: String?, with engine: SQLiteEngine, opening context: StoreContext?
    ) {
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
        // Each encrypted backup costs the derivation of a key.
        hasBackup = !self.plain.isEmpty && context.map(Self.hasBackup) == true
    }

    /// No copies.
    private init() { (plain, encrypted, hasBackup) = ([], [], false) }

    /// The copies beside a store that has an encrypted database. There are none for any other store, and while a restore
    /// or a change of the passphrase is interrupted, which may need them. chatdb looks at no file that this process has
    /// open.
    /// - Parameter engine: tells plain files from encrypted ones; nil for that of the context.
    package static func besideEncrypted(
        _ context: StoreContext, with engine: SQLiteEngine? = nil
    ) -> CopiesBesideStore {
        let store = context.location
        guard let engine = engine ?? context.engine as? SQLiteEngine, store.server == nil,
            (try? RestoreRecord.refuse(at: store)) != nil,
            store.databases.contains(where: { engine.isEncrypted(store.path(of: $0)) })
        else { return CopiesBesideStore() }
        return CopiesBesideStore(of: store, without: nil, with: engine, opening: context)
    }

    /// Whether an encrypted backup leads back to the whole store, and the passphrase opens it. Stores of SimpleX Chat have
    /// no id: for them, the names of the files decide.
    private static func hasBackup(_ context: StoreContext) -> Bool {
        guard let engine = context.engine as? SQLiteEngine else { return false }
        let store = context.location
        let id = try? context.storeID()
        return FoundBackup.complete(of: store).contains { backup in
            let counts =
                id.map { backup.counts(for: $0, at: store) }
                ?? (!backup.isOfInterrupted && backup.onlyDatabase(of: store) == nil)
            return counts
                && backup.databases.allSatisfy { engine.looksEncrypted($0) && engine.examine($0).problem == nil }
        }
    }

    /// What a user has to know of the plain copies beside an encrypted store: what each is, and how all are removed.
    ///
    /// - Parameter proposed: the copies that the same answer proposes to restore, and does not propose to remove.
    package func notes(
        _ kind: Note.Kind, of store: StoreLocation, proposing proposed: Set<String> = [], _ given: GivenOptions
    ) -> [Note] {
        let removed = plain.filter { !proposed.contains($0) }
        return plain.map { Note(kind: kind, text: Self.fact(ofPlain: $0, of: store)) }
            + (removed.isEmpty ? [] : [removal(ofPlain: removed, of: store, kind, given)])
    }

    /// What a plain copy beside an encrypted store is.
    package static func fact(ofPlain path: String, of store: StoreLocation) -> String {
        let fact = "\(path) holds content of the store in plain text"
        let undoesAdoption = store.hasNamedFiles && FoundBackup(at: path)?.isBeforeAdoption == true
        return undoesAdoption ? "\(fact); a restore of it undoes the adoption" : fact
    }

    /// How plain copies beside an encrypted store are removed. They may be all the backups that the store has, so it
    /// gets an encrypted one first.
    package func removal(
        ofPlain paths: [String], of store: StoreLocation, _ kind: Note.Kind, _ given: GivenOptions
    ) -> Note {
        let removal = Self.removalCommand(of: paths)
        let advice =
            "when the encrypted store works, and you need none of their older states, which cannot be restored "
            + "afterwards, remove the plain copies: \(removal)"
        if hasBackup { return Note(kind: kind, text: advice, commands: [removal]) }
        let backup = HintedCommand(.backupMake, store.words).text(given)
        let which = encrypted.isEmpty ? "encrypted backup" : "encrypted backup that its passphrase is known to open"
        return Note(
            kind: kind, text: "the store has no \(which); make one first: \(backup); \(advice)",
            commands: [backup, removal])
    }

    /// The command that removes copies. It leaves files there that another program made.
    package static func removalCommand(of paths: [String]) -> String {
        let removed = paths.flatMap { path in
            let made = FileMadeMeanwhile.all(in: path)
            return made.isEmpty ? [path] : FileMadeMeanwhile.others(in: path, than: made)
        }
        let hasFolder = removed.contains { FileState(at: $0) == .notRegular(.directory) }
        return (hasFolder ? "rm -r " : "rm ") + removed.map(ShellWord.quoted).joined(separator: " ")
    }
}
