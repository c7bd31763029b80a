/// An applied migration whose up or down file was edited afterwards, and which a run accepts: the ledger gets the
/// checksum and the down SQL of the file. The ledger does not have the up text that was applied, so only the results can
/// be compared.
/// Rule: docs/migrations.md, "Edited migrations".
public struct AcceptedEdit: Sendable, Hashable {
    /// The migration.
    public let name: String
    /// The checksum of its file.
    public let checksum: String
    /// The down SQL of its file. Nil without a down file: the ledger then keeps the SQL that it has.
    let down: String?
    /// The differences of the down SQL in the file from that in the ledger, as a diff with a few lines around them: each
    /// line begins with `-` (in the ledger), `+` (in the file) or a blank (in both), or is `…` for lines left out. Empty
    /// if they are the same, and without a file.
    public let downDifference: [String]
}

/// Finds applied migrations whose files were edited afterwards.
enum EditedMigrations {
    /// What a run records of them if it accepts them, and of those whose down file alone was edited. Throws if a down file
    /// is not valid: the ledger would store it.
    static func accepted(
        _ ledger: [LedgerEntry], _ build: [Migration]
    ) throws(MigrationFileError) -> [AcceptedEdit] {
        try found(ledger, build).map { found throws(MigrationFileError) in
            let (entry, migration) = found
            _ = try migration.down?.statements
            return AcceptedEdit(
                name: entry.name, checksum: migration.checksum, down: migration.down?.text,
                downDifference: migration.down.map { LineDifference.lines(from: entry.down ?? "", to: $0.text) } ?? [])
        }
    }

    /// The names of the migrations whose down files differ from the down SQL in the ledger, in order.
    static func otherDowns(_ ledger: [LedgerEntry], _ build: [Migration]) -> [String] {
        let known = Dictionary(build.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return ledger.filter { entry in known[entry.name]?.down.map { hasOtherDown(entry, $0) } ?? false }.map(\.name)
    }

    /// Whether the ledger has down SQL of a migration, and its file has other SQL.
    static func hasOtherDown(_ entry: LedgerEntry, _ down: MigrationScript) -> Bool {
        guard let noted = entry.down, noted != down.text else { return false }
        return !LineDifference.lines(from: noted, to: down.text).isEmpty
    }

    /// Those of which a file was edited, up or down. Without a checksum in the ledger, an edit of the up file is not known.
    static func found(
        _ ledger: [LedgerEntry], _ build: [Migration]
    ) -> [(entry: LedgerEntry, migration: Migration)] {
        let known = Dictionary(build.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return ledger.compactMap { entry in
            guard let noted = entry.checksum, let now = known[entry.name] else { return nil }
            let isEdited = noted != now.checksum || now.down.map { hasOtherDown(entry, $0) } ?? false
            return isEdited ? (entry, now) : nil
        }
    }
}

/// A small diff of two texts.
enum LineDifference {
    /// Larger texts take too long to compare line by line.
    private static let mostLines = 5_000
    /// The lines shown around a difference.
    private static let around = 2

    /// The differences; empty if all lines are the same.
    static func lines(from old: String, to new: String) -> [String] {
        let (old, new) = (lines(of: old), lines(of: new))
        if old == new { return [] }
        guard old.count + new.count <= mostLines else { return ["-(\(old.count) lines)", "+(\(new.count) lines)"] }
        var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): inserted.insert(offset)
            }
        }
        var all: [String] = []
        var (before, after) = (0, 0)
        while before < old.count || after < new.count {
            if removed.contains(before) {
                all.append("-" + old[before])
                before += 1
            } else if inserted.contains(after) {
                all.append("+" + new[after])
                after += 1
            } else {
                all.append(" " + old[before])
                (before, after) = (before + 1, after + 1)
            }
        }
        return withoutDistant(all)
    }

    /// Without blank lines at the end, and without the form of line ends.
    private static func lines(of text: String) -> [Substring] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        return lines
    }

    private static func withoutDistant(_ lines: [String]) -> [String] {
        let changes = lines.indices.filter { !lines[$0].hasPrefix(" ") }
        let shown = Set(changes.flatMap { max(0, $0 - around)...min(lines.count - 1, $0 + around) })
        var result: [String] = []
        for (index, line) in lines.enumerated() {
            if shown.contains(index) {
                result.append(line)
            } else if result.last != "…" {
                result.append("…")
            }
        }
        return result
    }
}
