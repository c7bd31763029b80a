import Engine
import Migrations
import Repos
import Schema

// What is wrong with a store, the heaviest first, what is worth knowing, and what to do.

extension InspectReport {
    var warnings: [String] {
        var lines = status.problems.map { $0.error.report(of: $0.path).message }
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
        for (database, part) in parts { lines += part.notes.map { "the \(database) database: \($0)" } }
        switch status.kind {
        case .simplex: lines.append("a store of SimpleX Chat: its profiles, relays and channels are not read yet")
        case .unknown where status.problems.isEmpty: lines.append("neither chatdb nor SimpleX Chat made this store")
        default: break
        }
        if status.parts[.chat] == nil {
            lines.append("profiles, relays and channels are in the chat database, so they are not shown")
        }
        return lines + (contents?.notes ?? [])
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
        return (contents?.warnings ?? []).filter { $0.kind == .noEnabledRelays }.compactMap(\.user).map { user in
            "chatdb relay add ADDRESS --user id:\(user.id) \(store)"
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
