import Engine
import Migrations
import Repos
import Schema

// What is wrong with a store, the heaviest first, what is worth knowing, and what to do.

extension InspectReport {
    var warnings: [String] {
        var lines = status.problems.map { $0.error.report(of: $0.path).message }
        for (database, part) in parts where part.kind == .chatdb {
            for view in spaces[database]?.views ?? [] where Catalogue.table(view, of: database) != nil {
                lines.append("the \(database) database: \(view) is a view, not a table; it was not run")
            }
        }
        if let record = status.interrupted {
            lines.append("a migration begun at \(record.startedAt) was interrupted between the two databases")
        }
        if let record = status.interruptedRestore {
            lines.append("a restore of \(record.backup) begun at \(record.startedAt) was interrupted")
        }
        if status.isMismatched { lines.append("the chat and the agent database do not belong together") }
        for (database, part) in parts where !part.unknown.isEmpty {
            lines.append("the \(database) database is newer than this build: \(part.unknown.joined(separator: ", "))")
        }
        for (database, part) in parts where part.kind == .chatdb && !part.pending.isEmpty {
            let count = part.pending.count == 1 ? "1 migration" : "\(part.pending.count) migrations"
            lines.append("the \(database) database is older than this build by \(count)")
        }
        for (database, part) in parts where !part.edited.isEmpty {
            lines.append(
                "migrations of the \(database) database were edited after being applied: "
                    + part.edited.joined(separator: ", "))
        }
        lines += (contents?.warnings ?? []).map { warning in
            warning.user.map { "\($0.name): \(warning.message)" } ?? warning.message
        }
        return lines
    }

    var notes: [String] {
        var lines: [String] = []
        for database in DatabaseName.allCases where status.parts[database] == nil {
            lines.append("the \(database) database is not there (\(location.path(of: database)))")
        }
        for (database, part) in parts {
            let all = part.notes + [files[database]?.meaning, tables(of: database)].compactMap { $0 }
            lines += all.map { "the \(database) database: \($0)" }
        }
        if let backup = status.interrupted?.backup { lines.append("the interrupted migration has a backup: \(backup)") }
        switch status.kind {
        case .simplex: lines += simplexNotes
        case .unknown where status.problems.isEmpty: lines.append("neither chatdb nor SimpleX Chat made this store")
        default: break
        }
        if status.parts[.chat] == nil {
            lines.append("profiles, relays and channels are in the chat database, so they are not shown")
        }
        return lines + (contents?.notes ?? [])
    }

    private var simplexNotes: [String] {
        var lines = ["chatdb reads a store of SimpleX Chat and never changes it"] + SimpleXText.newer(simplexVersions)
        for (database, part) in parts {
            guard let held = part.database, held != database else { continue }
            lines.append("what is called the \(database) database is the app's \(held) database")
        }
        return lines
    }

    /// The versions of SimpleX Chat's databases; empty for stores of other programs.
    var simplexVersions: [DatabaseName: SimpleXVersion] { status.readable.compactMapValues(\.simplexVersion) }

    /// What there is to know about the room it takes.
    private func tables(of database: DatabaseName) -> String? {
        guard let space = spaces[database] else { return "its tables cannot be counted" }
        if !space.tables.isEmpty, space.tables.allSatisfy({ $0.rows == nil }) { return "its tables cannot be counted" }
        let free = space.freePages.multipliedReportingOverflow(by: space.pageSize).partialValue
        guard space.freePages > space.pages / 4, free > 1 << 20 else { return nil }
        return "\(CellText.size(free)) of it are free pages, which new rows will use"
    }

    var next: [String] {
        if let record = status.interruptedRestore {
            return ["chatdb restore \(ShellWord.quoted(record.backup)) -d \(ShellWord.quoted(location.prefix))"]
        }
        guard status.kind == .chatdb, status.problems.isEmpty, status.parts.count == 2 else { return [] }
        let store = "-d \(ShellWord.quoted(location.prefix))"
        if status.interrupted != nil { return ["chatdb migrate run \(store)"] }
        if status.isMismatched { return [] }
        if parts.contains(where: { !$1.unknown.isEmpty }) {
            return ["chatdb migrate plan \(store)", "chatdb migrate run \(store)"]
        }
        if status.hasPending { return ["chatdb migrate plan \(store)", "chatdb migrate up \(store)"] }
        if contents?.profiles?.isEmpty == true, contents?.hiddenProfiles == 0 {
            return ["chatdb user add NAME \(store)"]
        }
        return (contents?.warnings ?? []).compactMap { warning in
            guard let user = warning.user else { return nil }
            switch warning.kind {
            case .noEnabledRelays: return "chatdb relay add ADDRESS --user id:\(user.id) \(store)"
            case .channelsWithoutActiveRelay: return "chatdb group list --user id:\(user.id) \(store)"
            case .noActiveProfile, .noEnabledSMPServers, .noEnabledXFTPServers: return nil
            }
        }
    }

    private var parts: [(database: DatabaseName, part: StoreStatus.Part)] {
        DatabaseName.allCases.compactMap { database in status.readable[database].map { (database, $0) } }
    }
}

/// A text as one word of a shell's command line.
enum ShellWord {
    static func quoted(_ text: String) -> String {
        let isPlain = !text.isEmpty && text.utf8.allSatisfy(isPlain)
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "/._-+:,@%".utf8.contains(byte)
        }
    }
}
