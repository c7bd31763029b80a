package import ChatDBKit

/// The changes that a preset makes in a profile, as a diff.
package struct PresetPlanReport: Report {
    package let mode: String
    package let user: User
    package let plan: PresetPlan
    package var isApplied = false
    /// The copy of the configuration from before; nil if none was kept.
    package var before: PresetBefore?
    /// The problems that validation finds since the change and did not find before; of a plan, those it would find.
    package var warnings: [String] = []
    /// Whether the user chose to leave out what is in conflict.
    package var skipsConflicts = false
    /// What SimpleX Chat does with the change; nil for chatdb's own stores.
    package var simplex: SimplexEffect?
    /// Whether the reader has just seen the plan, so that the answer only sums it up.
    package var wasShown = false
    /// The options for the commands of the next steps; nil for the answer to a request, whose program runs none.
    package var given: GivenOptions?

    package init(
        mode: String, user: User, plan: PresetPlan, isApplied: Bool = false, before: PresetBefore? = nil,
        warnings: [String] = [], simplex: SimplexEffect? = nil
    ) {
        self.mode = mode
        self.user = user
        self.plan = plan
        self.isApplied = isApplied
        self.before = before
        self.warnings = warnings
        self.simplex = simplex
    }

    /// The warnings for people, marked if they describe the time after the change. Who has seen the plan has seen the
    /// warning about the file.
    package var shownWarnings: [String] {
        (wasShown ? [] : fileWarnings) + (isApplied ? warnings : warnings.map { "after the change: \($0)" })
    }

    /// The warning about a file that the mode restore should not have.
    private var fileWarnings: [String] {
        guard plan.restoresFromPart, plan.blocking.isEmpty else { return [] }
        return [
            "the file has no operators, so it is not the configuration of a whole profile: the mode restore removes "
                + "all that the file lacks, and the mode merge removes nothing"
        ]
    }

    package var notes: [String] {
        let names = plan.switchedOtherwise
        if names.isEmpty { return plan.notes }
        let most = 3
        let shown =
            names.prefix(most).joined(separator: ", ") + (names.count > most ? " and \(names.count - most) more" : "")
        let (entries, stay) =
            names.count == 1
            ? ("1 entry is", "stays as it is") : ("\(names.count) entries are", "stay as they are")
        return plan.notes + [
            "\(entries) enabled or disabled differently in the file, and \(stay): \(shown) (see --set-enabled)"
        ]
    }

    /// The command lines that add the passwords that the file omits, and enable their servers; the reader replaces
    /// PASSWORD. Each enables its server only if it has the password. SimpleX Chat adds passwords itself.
    package var next: [String] {
        guard let given, simplex == nil, isApplied || !plan.changesAnything, plan.blocking.isEmpty else { return [] }
        return plan.withoutPassword.prefix(Self.mostCommands).map { address in
            // Another server may have the host: the address names one of them.
            let name = address.text(withPassword: false)
            let complete = name.replacing("@", with: ":PASSWORD@", maxReplacements: 1)
            let edit = HintedCommand(.serverEdit, [name, "--address", complete]).text(given)
            return "\(edit) && \(HintedCommand(.serverEnable, [name]).text(given))"
        }
    }

    private static let mostCommands = 3

    package var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("mode", .string(mode)), .init("user", user.reference),
            .init("changes", .array(plan.changes.map(\.json))), .init("unchanged", JSONValue(plan.unchanged)),
            .init("applied", .bool(isApplied)), .init("notes", JSONValue(notes)),
            .init("before", before?.json ?? .null), .init("warnings", JSONValue(fileWarnings + warnings)),
        ]
        if given != nil { members.append(.init("next", JSONValue(next))) }
        return .object(members + simplex.members)
    }

    package var document: Document {
        var document: Document =
            wasShown
            ? [.paragraph("\(heading): \(summary).")]
            : [
                .heading(heading + headingOfRefused),
                .table(PresetChange.listed(refused: refused).table(plan.changes, whenEmpty: nothing)),
            ]
        if !wasShown {
            // Of a file without entries, the table says that it has none.
            let hasEntries = !plan.changes.isEmpty || plan.unchanged > 0
            if hasEntries { document.blocks.append(.paragraph(summary)) }
            document.blocks.append(.notes(notes.map { .note($0) }))
        }
        if !next.isEmpty {
            document.blocks += [
                .paragraph("To add a password in the place of PASSWORD, and to enable the server:"),
                .verbatim(next.joined(separator: "\n"), language: "sh"),
            ]
        }
        if let before {
            let place =
                before.isBackup
                ? "A backup of the store is in \(before.path). To restore it, which takes back everything that was "
                    + "changed since:"
                : "The previous configuration is in \(before.contents). To restore it:"
            document.blocks += [.paragraph(place), .verbatim(before.command, language: "sh")]
        }
        document.blocks += simplex.blocks
        return document
    }

    package var csvTable: Table { PresetChange.reported.csv(plan.changes) }

    private var heading: String {
        if isApplied { return "Changed in \(user.name)" }
        let isNothing = !plan.changes.isEmpty && !plan.changesAnything && plan.blocking.isEmpty
        return "\(isNothing ? "Nothing to change" : "To change") in \(user.name)"
    }

    /// What the heading adds if rows below it are no changes: ` (2 left out)`.
    private var headingOfRefused: String {
        let count = plan.changes.count { $0.action == .conflict }
        return count == 0 ? "" : " (\(count) \(refused))"
    }

    /// What happens to the entries that are not imported. A conflict that leaves nothing of an import, or about which
    /// the user has to decide, is an error.
    private var refused: String {
        let isError = !plan.blocking.isEmpty || mode != "sync" && plan.isAllInConflict
        return isError && !skipsConflicts ? "in conflict" : "left out"
    }

    /// That there is nothing to change, and the reason, unless the line below says it.
    private var nothing: String {
        let reason: String? =
            switch mode {
            case _ where plan.unchanged == 0: "the file has no entries"
            case "sync": "the profile matches the preset"
            // It also removes what the file does not have.
            case "restore": "the profile is as the file says"
            default: nil
            }
        return ["nothing", reason].compactMap(\.self).joined(separator: ": ")
    }

    /// `2 added, 1 changed, 14 other entries of the file, 2 operators included, were there already`, or `2 to add, …`
    /// before the change.
    private var summary: String {
        let words: [(action: PresetChange.Action, done: String, planned: String)] = [
            (.add, "added", "to add"), (.update, "changed", "to change"), (.restore, "restored", "to restore"),
            (.remove, "removed", "to remove"), (.softDelete, "soft-deleted", "to soft-delete"),
            (.conflict, refused, refused),
        ]
        let parts = words.compactMap { word in
            let count = plan.changes.count { $0.action == word.action }
            return count == 0 ? nil : "\(count) \(isApplied ? word.done : word.planned)"
        }
        if plan.unchanged == 0, !parts.isEmpty { return parts.joined(separator: ", ") }
        let (entries, verb) =
            plan.unchanged == 1 ? ("entry", isApplied ? "was" : "is") : ("entries", isApplied ? "were" : "are")
        // The operators are no relays and servers, and so the numbers of an export have them apart.
        let operators =
            plan.unchangedOperators == 0 ? "" : ", \(counted(plan.unchangedOperators, "operator")) included,"
        let there =
            "\(plan.unchanged) \(parts.isEmpty ? "" : "other ")\(entries) of the "
            + "\(mode == "sync" ? "preset" : "file")\(operators) \(verb) there already"
        return (parts + [there]).joined(separator: ", ")
    }
}

extension PresetChange {
    /// The columns for programs and spreadsheets.
    package static var reported: [FieldSpec<PresetChange>] {
        [
            .text("action") { $0.action.rawValue }, .text("kind") { $0.kind.rawValue }, called, at,
            .json("fields") { .object($0.fields.map { .init($0.name, ["from": $0.from.json, "to": $0.to.json]) }) },
            .csv("change") { .text($0.fieldsText) }, .count("channelsUsing") { $0.channelsUsing },
            .text("reason") { $0.reason },
        ]
    }

    /// The changes of a plan, for people. `refused` says of entries that are not imported what happens to them; nil for
    /// a list of differences.
    package static func listed(refused: String? = nil) -> [FieldSpec<PresetChange>] {
        [
            .shown("") { $0.sign }, .shown("Kind") { .text($0.kind.shown) }, called,
            .shown("Address", shrinking: .address) { .text($0.address, $0.isNamedWithoutAddress ? .dim : nil) },
            .shown("Change", shrinking: .wrapped) { .text($0.clauses(refused: refused).joined(separator: ", ")) },
        ]
    }

    private static var called: FieldSpec<PresetChange> { .text("name", "Name", shrinking: .wrapped) { $0.name } }
    private static var at: FieldSpec<PresetChange> { .text("address", "Address") { $0.address } }

    /// Whether the name says which entry it is, and the address, which stays, is only context. Servers of one host
    /// differ in the port.
    private var isNamedWithoutAddress: Bool {
        guard action == .update, !name.isEmpty, !fields.contains(where: { $0.name == "address" }) else { return false }
        return kind == .relay || address.flatMap { try? ServerAddress($0) }?.port == nil
    }

    private var sign: Cell {
        switch action {
        case .add: .text(reason == nil ? "+" : "+!", .good)
        case .update: "~"
        case .remove: .text("-", .bad)
        case .softDelete: "◌"
        case .restore: reason == nil ? "↺" : "↺!"
        case .conflict: .text("!", .bad)
        }
    }

    private func clauses(refused: String?) -> [String] {
        let isRefused = action == .conflict
        var clauses = isRefused ? [textOfRefused(refused)] : fields.isEmpty ? [] : [fieldsText]
        if let channelsUsing, channelsUsing > 0 {
            let kept = action == .softDelete ? ", which \(channelsUsing == 1 ? "keeps" : "keep") it" : ""
            clauses.append("used by \(counted(channelsUsing, "channel"))\(kept)")
        }
        if action == .softDelete, channelsUsing == 0 {
            clauses.append("used by no channel, but one refers to it, and keeps it")
        }
        return clauses + (isRefused ? [] : reason.map { [$0] } ?? [])
    }

    /// `left out: a preset relay cannot be changed; the file has name: other`. The values of the profile, which stay, are
    /// not in it, so that it does not look like a change.
    private func textOfRefused(_ refused: String?) -> String {
        let values = fields.map { "\($0.name): \($0.to.shown)" }.joined(separator: ", ")
        let text = [reason, values.isEmpty ? nil : "the file has \(values)"].compactMap(\.self).joined(separator: "; ")
        return refused.map { "\($0): \(text)" } ?? text
    }

    /// `enabled: no → yes`, a clause for each field.
    private var fieldsText: String {
        fields.map { field in
            let from = field.from == .none ? "" : "\(field.from.shown) → "
            return "\(field.name): \(from)\(field.to.shown)"
        }.joined(separator: ", ")
    }

    /// The change in JSON.
    package var json: JSONValue { Self.reported.json(self) }
}

extension PresetChange.Kind {
    fileprivate var shown: String {
        switch self {
        case .operator: "operator"
        case .smpServer: "SMP server"
        case .xftpServer: "XFTP server"
        case .relay: "relay"
        }
    }
}

extension PresetValue {
    fileprivate var shown: String {
        switch self {
        case .none: "none"
        case .flag(let flag): flag ? "yes" : "no"
        case .text(let text): text.isEmpty ? "none" : text
        case .texts(let texts): texts.isEmpty ? "none" : texts.joined(separator: ", ")
        case .secret: "(secret)"
        }
    }
}
