import ChatDBKit
import Foundation

extension PresetBefore {
    /// The contents of such a file.
    enum Contents {
        /// The whole configuration of the profile. Putting it back makes the profile equal to the file.
        case profile
        /// Entries that are deleted. Putting them back changes nothing else.
        case entries(PresetEntries)
    }

    /// Writes the file and reads it again. Throws if that fails, `CannotKeepBefore` for example, and then leaves no
    /// file.
    private static func write(
        _ contents: Contents, of user: User, in chat: any ReadTransaction, beside store: StoreLocation
    ) throws -> PresetBefore {
        if store.server != nil { try DefaultFolder.make(parentFolder(of: store.keptPrefix)) }
        let time = (StoredTime(Date()).iso8601 as NSString).replacingOccurrences(of: ":", with: "")
        let stem = "\(store.keptPrefix)-\(contents.mark)-\(time)"
        // Two copies in the same millisecond are still two files.
        var (path, attempt) = (stem + ".json", 1)
        while FileManager.default.fileExists(atPath: path) {
            attempt += 1
            path = "\(stem)-\(attempt).json"
        }
        do {
            try NewOutputFile.write(to: path, replacing: false, of: store) { sink in
                try contents.write(of: user, in: chat, to: sink)
            }
        } catch let error as OutputFileError {
            throw HintedError(error, state: "Nothing was changed.", hint: error.hintForCopy)
        }
        let kept: PresetFile
        do {
            kept = try readBack(InputFile.read(path, upTo: PresetFile.largestKeptFile), named: path)
        } catch {
            unlink(path)
            throw error
        }
        // The name of the file is on the disk before anything is deleted.
        try FileSync.folder(parentFolder(of: stem))
        return PresetBefore(
            path: path, contents: contents, user: user, prefix: store.prefix,
            hasPasswords: kept.allServers.contains { $0.address.password != nil })
    }

    private static func check(_ contents: Contents, of user: User, in chat: any ReadTransaction) throws {
        var bytes: [UInt8] = []
        try contents.write(of: user, in: chat) { bytes += $0 }
        _ = try readBack(bytes, named: "")
    }

    /// Keeps the contents in a file beside the store, or makes a backup of an encrypted store: the file would have them
    /// in plain text.
    static func keep(
        _ contents: @autoclosure () throws -> Contents = .profile, of user: User, in chat: any ReadTransaction,
        _ store: StoreOptions, _ output: Output
    ) throws -> PresetBefore {
        guard try store.isEncrypted() else {
            return try write(contents(), of: user, in: chat, beside: store.location())
        }
        let location = try store.location()
        let folder = try UndoOptions.backUp(store, to: nil, output)
        let copy = KeptCopy(backup: folder, in: location.backupsPath, of: location, passphrase: .ofCommandLine)
        return PresetBefore(path: folder, command: copy.made?.command ?? "", isBackup: true)
    }

    /// Throws `CannotKeepBefore` like `keep`, and writes nothing.
    static func check(
        _ contents: @autoclosure () throws -> Contents = .profile, of user: User, in chat: any ReadTransaction,
        _ store: StoreOptions
    ) throws {
        if try !store.isEncrypted() { try check(contents(), of: user, in: chat) }
    }

    /// Reads what was written. Throws `CannotKeepBefore` if an import could not.
    private static func readBack(_ bytes: [UInt8], named name: String) throws -> PresetFile {
        do {
            return try PresetFile.read(bytes, named: name, upTo: PresetFile.largestKeptFile).file
        } catch {
            guard case PresetError.invalidPreset(let problems, _) = error, let problem = problems.first else {
                throw error
            }
            throw CannotKeepBefore(
                problem: problem.path.isEmpty ? problem.message : "\(problem.path): \(problem.message)")
        }
    }

    private init(path: String, contents: Contents, user: User, prefix: String, hasPasswords: Bool) {
        let hidden = user.isHidden ? " --show-hidden" : ""
        self.init(
            path: path,
            command: "chatdb preset import \(Self.quoted(path)) \(contents.option) --user id:\(user.id)\(hidden) "
                + "--store \(Self.quoted(prefix))", hasPasswords: hasPasswords)
    }

    /// Removes the copy after a change that failed. Returns whether no copy of this change is left. A backup stays: an
    /// earlier command may have made it.
    func remove() -> Bool { isBackup || unlink(path) == 0 || errno == ENOENT }

    /// A word of the shell.
    private static func quoted(_ text: String) -> String {
        let plain = text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789/._-+:@%,".unicodeScalars.contains(scalar))
        }
        return plain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}

extension PresetBefore.Contents {
    /// The word in the name of the file, between the store and the time. With `--mode restore`, a file of deleted
    /// entries would remove all others, so its name differs from that of a whole configuration.
    fileprivate var mark: String {
        switch self {
        case .profile: "before"
        case .entries: "deleted"
        }
    }

    /// The options with which `preset import` puts the contents back exactly, with results of tests. A relay whose name
    /// another one has by now comes back with a number behind its name.
    fileprivate var option: String {
        switch self {
        case .profile: "--mode restore"
        case .entries(let entries) where !entries.relays.isEmpty: "--trust-operators --on-conflict rename"
        case .entries: "--trust-operators"
        }
    }

    fileprivate func write(
        of user: User, in chat: any ReadTransaction, to sink: @escaping StandardStreams.Sink
    ) throws {
        let disclosure = PresetDisclosure(secrets: true, testResults: true)
        switch self {
        case .profile:
            _ = try PresetExport(of: user.id, in: chat, hidden: .shown).write(disclosure, to: sink)
        case .entries(let entries):
            var file = PresetFile(custom: entries)
            file.tellsOperators = false
            try sink(Array(file.text(disclosure).utf8))
        }
    }
}

extension PresetEntries {
    /// Contains only this relay. Throws `CannotKeepBefore` if the address is invalid: a preset file cannot contain it.
    init(keeping relay: ChatRelay) throws {
        guard let address = try? RelayAddress(relay.address) else {
            throw CannotKeepBefore(problem: "the address of the relay is not valid")
        }
        self.init(
            relays: [
                PresetRelay(
                    name: relay.name, address: address, domains: relay.domains, isEnabled: relay.isEnabled,
                    tested: relay.tested)
            ])
        lists = [.relays]
    }

    /// Contains only this server, with its password. Throws `CannotKeepBefore` if the address is invalid.
    init(keeping server: ProtocolServer) throws {
        guard let address = try? server.address() else {
            throw CannotKeepBefore(problem: "the address of the server is not valid")
        }
        let kept = PresetServer(
            address: address, isEnabled: server.isEnabled, roles: server.roles, tested: server.tested)
        switch server.serverProtocol {
        case .smp:
            self.init(smpServers: [kept])
            lists = [.smpServers]
        case .xftp:
            self.init(xftpServers: [kept])
            lists = [.xftpServers]
        }
    }
}

extension OutputFileError {
    /// The next step if the copy of what a command removes cannot be written.
    fileprivate var hintForCopy: Hint {
        if case .cannotWrite(_, let reason) = self, [ENOSPC, EDQUOT].contains(reason) {
            return "free some space there, or use --no-backup to go on without a copy"
        }
        return "make the folder of the store writable, or use --no-backup to go on without a copy"
    }
}

/// What a command removes cannot be written to a file that could be read again.
struct CannotKeepBefore: Reportable {
    /// The reason, a clause.
    let problem: String

    var report: ErrorReport {
        ErrorReport(
            "cannotKeepBefore",
            "what would be removed could not be restored from a file: \(problem)",
            state: "Nothing was changed.",
            hint: "use --no-backup to go on without a copy", exit: .no)
    }
}
