package import ChatDBKit

/// The findings of a check, and the repairs that were or would be made.
package struct CheckReport: Report {
    /// The current state of the store.
    package let found: CheckedStore
    package let repaired: [StoreRepair.Repaired]
    /// The findings before the repair.
    let before: [Finding]
    /// The repairs that a dry run shows.
    package let planned: CheckFixPlan?
    /// Whether repairs were asked for, and there was none to make.
    package var hadNothingToRepair = false
    package let backup: String?
    /// The backup of a repair or of its dry run.
    package let kept: KeptCopy?
    /// The options for the commands in remedies.
    package let given: GivenOptions
    /// The databases that a finding says are damaged.
    private let damaged: [DatabaseName]
    /// The checks whose findings may only come from the damage. Such a finding has no remedy: it would change rows that
    /// are in order in a backup.
    private let doubtful: Set<String>

    package init(
        found: CheckedStore, repaired: [StoreRepair.Repaired] = [], of before: [Finding] = [],
        planned: CheckFixPlan? = nil, backup: String? = nil, kept: KeptCopy? = nil, _ given: GivenOptions
    ) {
        self.found = found
        self.given = given
        let ids = Set(found.checkup.findings.map(\.id))
        damaged = DatabaseName.allCases.filter {
            ids.contains(StoreCheck.damageID($0)) || ids.contains(StoreCheck.damagedPageID($0))
        }
        doubtful = StoreCheck.doubtful(damaged: damaged).intersection(ids)
        self.repaired = repaired
        self.before = before
        self.planned = planned
        self.backup = backup
        self.kept = kept
    }

    private var findings: [Finding] { found.checkup.findings }

    package var notes: [String] {
        found.notes + notesOnCopies.map(\.text) + [found.status.movedNote, damageNote].compactMap(\.self)
    }

    private var notesOnCopies: [Note] {
        found.copies.notes(.note, of: found.context.location, given)
    }

    /// The note that other findings may come from damage; nil when there are none.
    package var damageNote: String? {
        if doubtful.isEmpty { return nil }
        let isCaused = findings.contains(where: isCausedByLog)
        let advice = isCaused ? "move the log away first (foreignLog), and check again" : adviceOnDamage
        let subject = damaged.count > 1 ? "both databases are" : "the \(damaged.first?.rawValue ?? "") database is"
        return "\(subject) damaged, and findings without a remedy may come from the damage: \(advice)"
    }

    /// What comes first. A damaged index loses no row, so the database needs no backup.
    private var adviceOnDamage: String {
        let ids = damaged.map(StoreCheck.damageID)
        let damages = findings.filter { ids.contains($0.id) }
        let losesRows = damages.isEmpty || damages.contains { $0.damage.isEmpty || DamageRemedies.losesRows($0.damage) }
        if !losesRows { return "no row is lost, so see \(damages.map(\.id).joined(separator: " and ")) first" }
        return found.status.kind == .simplex ? "get an undamaged copy first" : "restore a backup first"
    }

    package func remedy(of finding: Finding) -> String { given.text(hint(for: finding)) }

    /// The remedy as a value; empty if the finding has none.
    private func hint(for finding: Finding) -> Hint {
        let own = ownHint(for: finding)
        return found.hasHiddenProfiles ? HiddenRows.named(in: own, for: finding) : own
    }

    /// The same without the advice about hidden profiles.
    private func ownHint(for finding: Finding) -> Hint {
        if doubtful.contains(finding.id) { return "" }
        // A log of another database causes the damage, and any repair would keep it.
        if isCausedByLog(finding) { return "Move the log away first (foreignLog), and check again." }
        if let remedy = folderRemedy(for: finding) { return withBackups(remedy) }
        if let follows = remedyOfCause(finding) { return withBackups(follows) }
        if let loss = loss(before: finding) {
            return "They may be all that is left of lost rows, so chatdb does not remove them: see \(loss) first."
        }
        if let caution = LossCautions.remedy(for: finding, among: findings, in: owner) { return withBackups(caution) }
        let shared =
            owner == .chatdb
            ? UnfinishedChannels.remedy(for: finding, among: findings)
                ?? SharedRelays.remedy(for: finding, among: findings) : nil
        let ofDamage = DamageRemedies.remedy(for: finding, in: found.context, found.status.kind)
        let location = found.context.location
        let bare =
            owner == .chatdb
            ? ChannelsWithoutRelay.remedy(for: finding, in: location)
                ?? LostMemberSteps.remedy(for: finding, in: location) : nil
        let own = shared ?? ofDamage ?? bare ?? remedyOfInterruption(finding) ?? finding.remedy(in: owner)
        return withBackups(LossCautions.remedy(insteadOf: own, for: finding, among: findings, in: owner) ?? own)
    }

    /// The remedy for an interrupted run of migrations that are not chatdb's own, and whose folder was not named. It is nil
    /// for other findings.
    private func remedyOfInterruption(_ finding: Finding) -> Hint? {
        guard finding.id == StoreCheck.interruptedMigration, given.migrationsDir == nil,
            let record = found.status.interrupted, record.copiedFrom == nil, record.isOfOtherMigrations
        else { return nil }
        return "\(record.completion) completes or undoes it; DIR is the folder of the store's migrations."
    }

    /// A remedy. If it names `restore` without a backup, and backups are beside the store, it names the command that
    /// lists them.
    private func withBackups(_ remedy: Hint) -> Hint {
        let commands = remedy.commands
        guard commands.contains(where: { $0.name == .restore && $0.arguments.first == "FOLDER" }),
            !commands.contains(where: { $0.name == .backupList }), found.context.location.hasBackups
        else { return remedy }
        let lines = remedy.lines
        let first: Hint = "\(lines[0]) \(.backupList) lists the backups."
        return first.with(lines: Array(lines.dropFirst()))
    }

    /// The program whose stores the remedies are for. chatdb knows its own databases without their lists of migrations.
    private var owner: FoundDatabase.Kind {
        let isSimplex = found.status.kind == .unknown && findings.contains { $0.id == StoreCheck.lostMigrations }
        return isSimplex ? .simplex : found.status.kind
    }

    /// The remedy for a finding that follows from other findings: another remedy would contradict theirs. It is nil for
    /// a finding that does not.
    private func remedyOfCause(_ finding: Finding) -> Hint? {
        let ids = Set(findings.map(\.id))
        if finding.id == "agentProfileWithoutProfile", ids.contains("sharedAgentProfile") {
            return """
                It may belong to a profile of sharedAgentProfile, which lost the reference to it, so keep it: see \
                sharedAgentProfile first.
                """
        }
        if finding.id == StoreCheck.mismatchedPair,
            let remedy = LostStoreRowRemedy.remedy(for: found.status, in: found.context)
        {
            return remedy
        }
        if [StoreCheck.mismatchedPair, StoreCheck.foreignPair].contains(finding.id),
            let separate = SeparateAdoption(found.status, found.context)
        {
            return "\(separate.hint)."
        }
        if let remedy = MisplacedFiles.remedy(for: finding, found.status, at: found.context.location) { return remedy }
        let location = found.context.location
        if let remedy = OtherPassphraseRemedy.remedy(for: finding, found.status, at: location) { return remedy }
        if let remedy = EncryptedLogRemedy.remedy(for: finding, found.status) { return remedy }
        if finding.id == StoreCheck.olderVersion, let remedy = Remedies.upgrade(ofArchive: location) { return remedy }
        let lacking = found.status.readable.values.flatMap(\.unknownWithoutDown).sorted()
        if finding.id == StoreCheck.newerVersion, owner == .chatdb, !lacking.isEmpty {
            return """
                Use the newer app or chatdb that migrated them; no other can migrate them down: there is no SQL to undo \
                \(lacking.joined(separator: ", ")). \(.migrateStatus) lists the migrations.
                """
        }
        // A salvage refuses an encrypted database.
        let damages = found.status.problems.filter(\.isOfDamage)
        if finding.id == StoreCheck.unreadableDatabase, damages.count == found.status.problems.count,
            damages.contains(where: { !$0.canBeSalvaged })
        {
            return DamageRemedies.general(ofEncrypted: owner)
        }
        if let lost = LostDatabaseRemedy.remedy(for: finding, found.status, at: location) { return lost }
        if finding.id == StoreCheck.interruptedPassphraseChange, let record = found.status.interruptedRestore {
            return "\(record.completion) completes or undoes it. Until then, start no app with the store."
        }
        if finding.id == StoreCheck.abandonedFiles, let files = found.status.abandoned { return files.remedy }
        if finding.id == StoreCheck.lostMigrations, let remedy = LostListRemedy.remedy(for: found) { return remedy }
        // An adopted database has the tables of its program, and neither chats nor profiles.
        if found.context.location.hasNamedFiles, Remedies.danglingReferences.contains(finding.id) {
            return Remedies.ofAdoptedReferences
        }
        if let first = LostLinkRemedy.ofChannels(finding, among: findings) { return first }
        if let owners = OwnerlessRemedy.ofReferences(finding, among: findings) { return owners }
        guard finding.id == StoreCheck.duplicateRow(.chat), finding.count == finding.sample.count else { return nil }
        let causes = finding.sample.map { sample in
            Self.checksOfIndexes.first { sample.description.hasSuffix("(\($0.index))") }?.id
        }
        guard causes.allSatisfy({ $0.map(ids.contains) == true }) else { return nil }
        let fix = HintedCommand(.check, ["--fix"])
        let names = Set(causes.compactMap(\.self)).sorted().joined(separator: ", ")
        return "These are the rows of \(names): see there. After that, \(fix) creates the index."
    }

    /// Unique indexes, with the checks that find the rows which violate them.
    private static let checksOfIndexes: [(index: String, id: String)] = [
        ("idx_users_agent_user_id", "sharedAgentProfile"), ("idx_users_active_user", "severalActiveProfiles"),
        ("idx_chat_relays_address_key", "duplicateRelay"), ("idx_protocol_servers_host", "duplicateServer"),
    ]

    /// The id of the finding of lost rows that stops the removal of these rows. It is nil for findings whose repair
    /// removes no rows, and if no rows were lost.
    private func loss(before finding: Finding) -> String? {
        guard found.status.kind == .chatdb,
            StoreCheck.all.contains(where: { $0.id == finding.id && $0.isRepairRemoval })
        else { return nil }
        return findings.first { StoreCheck.ofLoss.contains($0.id) }?.id
    }

    private func isCausedByLog(_ finding: Finding) -> Bool {
        guard let log = findings.first(where: { $0.id == StoreCheck.foreignLog }) else { return false }
        if finding.id == StoreCheck.unreadableDatabase { return true }
        return DatabaseName.allCases.contains { database in
            finding.id == StoreCheck.damageID(database)
                && log.sample.contains { $0.description.hasPrefix("\(database): ") }
        }
    }

    /// The explanation and the remedy, in sentences, and then the samples, which can take as many lines as they need.
    package func explanation(of finding: Finding) -> String { explanation(of: finding, remedy(of: finding)) }

    /// The same for people: the steps of the remedy have lines of their own.
    ///
    /// - Parameter beginning: a sentence before it, with a blank at its end.
    package func field(of finding: Finding, beginning: String = "") -> Field {
        let hint = hint(for: finding)
        let lines = hint.lines.map { $0.text(given) }
        return Field(
            finding.id, .text(beginning + explanation(of: finding, lines.first ?? "")),
            steps: Array(lines.dropFirst()), commands: hint.commands.map { $0.text(given) })
    }

    private func explanation(of finding: Finding, _ remedy: String) -> String {
        let detail = finding.detail.map { ": \($0)" } ?? ""
        let found = sentence(of: finding)
        let sentence = "\(found.prefix(1).uppercased())\(found.dropFirst())\(detail)."
        return [sentence, remedy].filter { !$0.isEmpty }.joined(separator: " ") + finding.shownSamples
    }

    package var json: JSONValue {
        [
            "findings": .array(findings.map { $0.json(remedy: remedy(of: $0), sentence: sentence(of: $0)) }),
            "ok": .bool(found.isOK),
            "leftOut": found.checkup.leftOut.json,
            "fixed": planned?.json
                ?? .array(
                    repaired.map {
                        ["id": .string($0.id), "action": .string($0.act), "changed": JSONValue($0.changed)]
                    }),
            "backup": JSONValue(backup), "kept": kept.json, "notes": JSONValue(notes),
            "applied": .bool(!repaired.isEmpty),
        ]
    }

    package var document: Document {
        var blocks: [Block] = []
        if !repaired.isEmpty {
            blocks += [.heading("Repaired")] + repairs + kept.blocks(of: .repair)
        }
        if let planned { blocks += [.heading("Repairs")] + planned.document.blocks + kept.blocks(of: .repair) }
        blocks.append(.paragraph(verdict, style: findings.isEmpty ? .good : nil))
        if hadNothingToRepair, !findings.isEmpty {
            blocks.append(.paragraph("Nothing was repaired: chatdb can repair none of these findings."))
        }
        if !findings.isEmpty {
            blocks += [
                .table(table), .heading("Findings"),
                .fields(findings.map { field(of: $0) }),
            ]
        }
        let commands = [[CheckResult.LeftOut].checkOfFolder.text(given)] + (notesOnCopies.last?.commands ?? [])
        let all = notes + found.checkup.leftOut.notes(given)
        blocks.append(.notes(all.map { Note(kind: .note, text: $0, commands: commands) }))
        return Document(blocks)
    }

    private var verdict: String {
        if findings.isEmpty {
            let leftOut = found.checkup.leftOut.count
            return leftOut == 0
                ? "The store is in order."
                : "The checks found no problems; \([CheckResult.LeftOut].counted(leftOut)) left out."
        }
        let counts = CheckSeverity.allCases.compactMap { severity -> String? in
            let count = findings.count { $0.severity == severity }
            return count == 0 ? nil : severity.shown(count)
        }
        return "Found: " + counts.joined(separator: ", ") + "."
    }

    private var table: Table {
        Table(
            [Column("Severity"), Column("Id"), Column("Count", alignment: .right), Column("Fixable")],
            rows: findings.map { finding in
                [
                    .text(finding.severity.rawValue, finding.severity == .info ? .dim : .bad), .text(finding.id),
                    .count(finding.count), .yesNo(finding.isFixable),
                ]
            }, whenEmpty: "nothing")
    }

    package var csvTable: Table {
        Table(
            ["severity", "id", "count", "message", "sample", "fixable", "remedy", "detail"].map { Column($0, key: $0) },
            rows: findings.map { finding in
                [
                    .text(finding.severity.rawValue), .text(finding.id), .count(finding.count),
                    .text(sentence(of: finding)), .text(finding.samples), .yesNo(finding.isFixable),
                    .text(remedy(of: finding)), .text(finding.detail ?? ""),
                ]
            }, whenEmpty: "")
    }
}

extension Finding {
    package func json(remedy: String, sentence: String? = nil) -> JSONValue {
        [
            "id": .string(id), "severity": .string(severity.rawValue), "message": .string(sentence ?? self.sentence),
            "count": JSONValue(count), "sample": .array(sample.map(\.json)), "detail": JSONValue(detail),
            "remedy": .string(remedy), "fixable": .bool(isFixable), "damage": .array(damage.map(\.json)),
            "rows": .array(rows.map(\.json)),
        ]
    }

    /// Damaged parts have clauses with commas, so each of them is a sentence.
    var shownSamples: String {
        if sample.isEmpty { return "" }
        guard !damage.isEmpty else { return " Examples: \(list { self.shown($0) })." }
        let shown = sample.prefix(FoundRows.mostShown)
        let sentences = shown.map { "\($0.description.prefix(1).uppercased())\($0.description.dropFirst())." }
        return " " + sentences.joined(separator: " ") + (count > shown.count ? " …" : "")
    }

    /// The samples of a spreadsheet, with numbers alone.
    fileprivate var samples: String { list(\.description) }

    private func list(_ text: (CheckSample) -> String) -> String {
        let listed = sample.prefix(FoundRows.mostShown)
        return listed.map(text).joined(separator: ", ") + (count > listed.count && !listed.isEmpty ? ", …" : "")
    }
}

extension FoundRow {
    /// The row as programs read it.
    package var json: JSONValue {
        [
            "database": .string(database.rawValue), "table": .string(table), "row": .integer(row),
            "userId": JSONValue(userID), "groupId": JSONValue(groupID), "missing": JSONValue(missing),
        ]
    }
}

extension CheckSeverity {
    /// How many kinds of findings there are. The table has the number of rows of each kind.
    fileprivate func shown(_ count: Int) -> String {
        let noun =
            switch self {
            case .error: "error"
            case .warning: "warning"
            case .info: "leftover"
            }
        return count == 1 ? "1 kind of \(noun)" : "\(count) kinds of \(noun)s"
    }
}
