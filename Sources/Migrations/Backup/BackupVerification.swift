import ChatDBEngine
import ChatDBSchema

extension StoreContext {
    /// What is wrong with a backup, a clause for each problem; empty if every file is as chatdb wrote it. Compares sizes
    /// and SHA-256, checks each database in full, and counts the rows of every table. Opens only the backup.
    ///
    /// Works for backups of any store: also of one of SimpleX Chat, and of a single database. A backup with another
    /// passphrase than that of the engine, or an encrypted one for an engine without a passphrase, has this problem once;
    /// sizes and SHA-256 are compared all the same.
    ///
    /// Throws `interrupted`, and a `StoreError` if a file cannot be read.
    public func problems(of backup: FoundBackup) throws -> [String] {
        guard let manifest = backup.manifest else {
            return [backup.state == .unfinished ? "it was not completed: backup.json is missing" : Self.unreadable]
        }
        var problems: [String] = []
        for (database, part) in manifest.parts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            progress(.verifyingBackup(database))
            guard BackupManifest.isFileName(part.file) else {
                problems.append("backup.json names a file elsewhere")
                continue
            }
            if let change = try part.change(in: backup.path) {
                problems.append(change)
            } else if let problem = try self.problem(of: part, in: backup.path) {
                if ![Self.otherPassphrase, Self.noPassphrase].contains(problem) {
                    problems.append("\(part.file): \(problem)")
                } else if !problems.contains(problem) {
                    problems.append(problem)
                }
            }
        }
        if let record = manifest.interrupted {
            let path = backup.path + "/" + record.file
            let isThere = BackupManifest.isFileName(record.file) && FileState(at: path).bytes != nil
            if try !isThere || FileHash.sha256(of: path) != record.sha256 {
                problems.append("\(record.file) is missing, or was changed")
            }
        }
        // A file that was changed says nothing about the store.
        return problems.isEmpty ? try identityProblems(of: manifest, in: backup.path) : problems
    }

    /// Why a restore refuses chatdb's databases although each is as chatdb wrote it, a clause for each problem: a row of
    /// the table `store` is missing, or the rows differ and no interrupted migration explains that.
    private func identityProblems(of manifest: BackupManifest, in folder: String) throws -> [String] {
        var problems: [String] = []
        var places: [DatabaseName: IntentRecord.Place] = [:]
        for (database, part) in manifest.parts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            do throws(StoreError) {
                let path = folder + "/" + part.file
                let copy = try engine.open(path, as: .untrusted)
                defer { try? copy.close() }
                let found = try FoundDatabase(database, at: path, build: [], on: copy)
                guard found.kind == .chatdb else { continue }
                places[database] = found.place
                if found.identity == nil {
                    problems.append("\(part.file): the row of its table store is missing, so no restore accepts it")
                }
            } catch {
                guard ![.interrupted, .encrypted].contains(error.kind), !error.isOfDisk else { throw error }
                problems.append("\(part.file): \(error.message)")
            }
        }
        if problems.isEmpty, let difference = Self.difference(of: places, manifest, in: folder) { return [difference] }
        return problems
    }

    /// Why two databases with rows of the table `store` do not belong together, a clause; nil if they do. A restore
    /// accepts different rows if the record of an interrupted migration explains them.
    private static func difference(
        of places: [DatabaseName: IntentRecord.Place], _ manifest: BackupManifest, in folder: String
    ) -> String? {
        if Set(places.values.map(\.identity)).count < 2 { return nil }
        guard let file = manifest.interrupted?.file else {
            return "the two databases do not belong together, so no restore accepts them"
        }
        do throws(MigrationError) {
            let record = try IntentRecord.read(folder + "/" + file)
            if record?.identity(of: places) != nil { return nil }
            return "the two databases differ, and \(file) does not explain how, so no restore accepts them"
        } catch {
            return "\(file): \(error.message)"
        }
    }

    private static let unreadable = "its backup.json cannot be read"

    /// The problem of a backup that the passphrase does not open. Its files are as chatdb wrote them.
    package static let otherPassphrase = "it has another passphrase than the given one"

    /// The problem of an encrypted backup without a passphrase. Its files are as chatdb wrote them.
    package static let noPassphrase = "it is encrypted, and no passphrase was given"

    /// What is wrong with the contents of a file that is as chatdb wrote it; nil if nothing is.
    private func problem(of part: BackupManifest.Part, in folder: String) throws -> String? {
        do {
            let copy = try engine.open(folder + "/" + part.file, as: .untrusted)
            defer { try? copy.close() }
            return try cancellation.whileRegistered(copy.interrupt) {
                if let problem = KnownNames.shown(try copy.integrityProblems()).first { return problem }
                for (table, count) in part.counts.sorted(by: { $0.key < $1.key }) {
                    let found = try copy.rowCount(of: table)
                    if found != count {
                        let rows = found == 1 ? "1 row" : "\(found) rows"
                        return "\(KnownNames.shown([table])[0]) has \(rows) instead of \(count)"
                    }
                }
                return nil
            }
        } catch let error as StoreError where error.kind != .interrupted && !error.isOfDisk {
            return switch error.kind {
            case .wrongPassphrase: Self.otherPassphrase
            case .encrypted: Self.noPassphrase
            default: error.message
            }
        }
    }
}

extension FoundBackup {
    /// Whether every database is the one that was backed up. Files that cannot be read are not.
    var isUnchanged: Bool {
        guard let manifest else { return false }
        return manifest.parts.values.allSatisfy { part in
            do throws(StoreError) {
                return try part.change(in: path) == nil
            } catch {
                return false
            }
        }
    }
}

extension BackupManifest.Part {
    /// How the file differs from the one that was backed up: in its size, its SHA-256, or the files beside it. Nil if
    /// it does not.
    func change(in folder: String) throws(StoreError) -> String? {
        let path = folder + "/" + file
        guard let found = FileState(at: path).bytes else { return "\(file) is missing, or is not a regular file" }
        guard found == bytes else { return "\(file) has \(found) bytes instead of \(bytes)" }
        guard try FileHash.sha256(of: path) == sha256 else { return "\(file) was changed (its SHA-256 differs)" }
        for suffix in ["-wal", "-journal"] where FileState(at: path + suffix).bytes.map({ $0 > 0 }) == true {
            return "\(file)\(suffix) does not belong to the backup"
        }
        return nil
    }
}
