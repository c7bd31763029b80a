package import ChatDBKit
import Foundation

/// The copy that a deletion, removal or repair leaves behind, so that it can be undone: a preset file of relays and
/// servers, or a backup of the store.
package struct KeptCopy {
    package enum Kind: String {
        case preset
        case backup
        /// The archive that the command has read, which stays as it is.
        case archive
    }

    /// The change before which a copy is made.
    package enum Work: String {
        case deletion
        case removal
        case repair
    }

    package let kind: Kind
    /// The folder of the copy.
    package let folder: String
    /// The path of the copy, and the command that undoes the deletion; nil in the answer of a dry run.
    package let made: (path: String, command: String)?
    /// Whether the copy has the password of a server; a backup has all of them.
    package var hasPassword = false

    /// A preset file in the folder of a store; nil for one that a dry run only announces.
    package init(preset made: (path: String, command: String)?, hasPassword: Bool, of store: StoreLocation) {
        kind = .preset
        self.hasPassword = hasPassword
        folder = store.folder
        self.made = made
    }

    /// An archive of which a changed copy was made.
    package init(archive path: String) {
        kind = .archive
        folder = parentFolder(of: path)
        made = nil
    }

    /// A backup in a folder; `path` is nil for one that a dry run only announces.
    /// - Parameter passphrase: the option that gave the passphrase of an encrypted store, for the command.
    package init(
        backup path: String?, in folder: String, of store: StoreLocation, passphrase: GivenPassphrase? = nil
    ) {
        kind = .backup
        self.folder = folder
        // The store has this build's version: no other store is written.
        made = path.map {
            let command = RestoreCommandLine(
                folder: $0, store: store, versions: [:], build: [:], passphrase: passphrase)
            return ($0, command.text)
        }
    }

    package var json: JSONValue {
        [
            "kind": .string(kind.rawValue), "folder": .string(folder), "path": JSONValue(made?.path),
            "command": JSONValue(made?.command),
        ]
    }
}

extension KeptCopy? {
    package var json: JSONValue { self?.json ?? .null }

    /// The place of the copy, and the command that undoes the change, for people.
    package func blocks(of work: KeptCopy.Work = .deletion) -> [Block] {
        guard let copy = self, let made = copy.made else { return [.notes(notes(of: work))] }
        switch copy.kind {
        case .preset:
            let password = copy.hasPassword ? ", with the password" : ""
            return [
                .paragraph("What was deleted is in \(made.path)\(password). To put it back:"),
                .verbatim(made.command, language: "sh"),
            ]
        case .backup:
            return [
                .fields([Field("Backup", .text(made.path))]),
                .paragraph("To restore the backup, which takes back everything that was changed in the store since:"),
                .verbatim(made.command, language: "sh"), .notes(notes(of: work)),
            ]
        case .archive: return [.notes(notes(of: work))]
        }
    }

    package func notes(of work: KeptCopy.Work) -> [Note] {
        guard let copy = self else {
            return [.note("there is no copy to undo the \(work.rawValue) with (--no-backup)")]
        }
        switch copy.kind {
        case .preset where copy.made == nil:
            let password = copy.hasPassword ? ", with the password" : ""
            return [.note("chatdb would first keep what is deleted in a file in \(copy.folder)\(password)")]
        case .preset: return []
        case .archive: return [.note("the archive stays as it was; the changed copy is a new file")]
        case .backup where copy.made == nil:
            return [
                .note(
                    "chatdb would first make a backup in \(copy.folder); restoring it takes back everything that is "
                        + "changed in the store from then on")
            ]
        case .backup:
            let contents = work == .deletion ? "what was deleted" : "the store as it was before the \(work.rawValue)"
            return [.note("the backup contains \(contents); remove it when you no longer need it")]
        }
    }
}

/// Folders beside a store in which chatdb keeps older copies of its databases.
package enum StoreCopies {
    /// The folder of backups if it has one besides `backup`, and the folders of replaced and half-restored files;
    /// sorted.
    package static func paths(of store: StoreLocation, without backup: String?) -> [String] {
        let files = FileManager.default
        let backups = (try? files.contentsOfDirectory(atPath: store.backupsPath)) ?? []
        let own = backup.map { fileName(of: $0) }
        var found = backups.contains { $0 != own } ? [store.backupsPath] : []
        let prefix = store.keptPrefix
        let name = fileName(of: prefix)
        let beside = (try? files.contentsOfDirectory(atPath: parentFolder(of: prefix))) ?? []
        found += beside.filter { $0.hasPrefix(name + ".replaced-") || $0 == name + ".restoring" }
            .map { prefix.dropLast(name.count) + $0 }
        return found.sorted()
    }

    /// The databases in such a folder and in the folders in it, by path. An adopted database can have any name.
    package static func databases(in folder: String, of store: StoreLocation) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let own = Set(store.databases.map { fileName(of: store.path(of: $0)) })
        return names.filter { $0.hasSuffix(".db") || own.contains(fileName(of: $0)) }.sorted()
            .map { "\(folder)/\($0)" }
    }
}
