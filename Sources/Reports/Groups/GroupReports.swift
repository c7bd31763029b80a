package import ChatDBKit

/// The groups and channels of a profile.
package struct GroupListReport: Report {
    package let user: User
    package let groups: [GroupSummary]
    package let unfinished: [UnfinishedChannel]
    package let relays: [GroupID: [ChannelRelayRow]]
    /// The rows of channels that lack their relay or their member.
    package let incomplete: [GroupID: [IncompleteGroupRelay]]
    /// Other profiles that have groups, with the numbers of these. Only a list without groups names them.
    package let others: [(user: User, groups: Int)]
    /// The groups and channels of the profile that the list leaves out.
    package let lost: LostGroupWarnings
    /// The options for the next command.
    package let given: GivenOptions
    /// Whether chatdb can change the groups of the store.
    package let isWritable: Bool

    package init(
        user: User, groups: [GroupSummary], unfinished: [UnfinishedChannel], relays: [GroupID: [ChannelRelayRow]],
        incomplete: [GroupID: [IncompleteGroupRelay]] = [:], others: [(user: User, groups: Int)] = [],
        lost: LostGroupWarnings = LostGroupWarnings(), given: GivenOptions, isWritable: Bool = true
    ) {
        self.user = user
        self.groups = groups
        self.unfinished = unfinished
        self.relays = relays
        self.incomplete = incomplete
        self.others = others
        self.lost = lost
        self.given = given
        self.isWritable = isWritable
    }

    private var rows: [GroupRow] {
        groups.map { group in
            let id = group.group.id
            return GroupRow(summary: group, relays: relays[id] ?? [], incomplete: incomplete[id] ?? [])
        }
    }

    package var json: JSONValue {
        [
            "user": user.reference,
            "groups": .array(
                rows.map { row in
                    .object(GroupRow.fields.members(row) + [.init("relays", .array(row.relays.map(\.json)))])
                }),
            "warnings": JSONValue(warnings),
        ]
    }

    /// The warnings, as texts. CSV has no place for them.
    package var warnings: [String] { lost.texts(given) }

    package var document: Document {
        let creating: Hint = isWritable ? "; \(.groupCreate, "NAME") creates a channel" : ""
        return [
            .table(GroupRow.listed.table(rows, whenEmpty: given.text("no groups of \(user.name)\(creating)"))),
            .notes(unfinishedNotes + (groups.isEmpty ? otherNotes : []) + warnings.map(Note.warning)),
        ]
    }

    /// The profiles that have groups, with the commands that list them.
    private var otherNotes: [Note] {
        others.map { other, count in
            let list = HintedCommand(.groupList, ["-u", other.name])
            return .note(given.text("\(other.name) has \(counted(count, "group")): \(list)"))
        }
    }

    /// The next step of unfinished channels. Channels that lack different parts have notes of their own, with names.
    private var unfinishedNotes: [Note] {
        if !isWritable {
            return unfinished.isEmpty
                ? [] : [.note("not finished: in the app, open the channel to complete it, or delete it")]
        }
        let cancel: Hint = "\(.groupCancel, "GROUP") deletes it"
        let kinds: [(missing: (UnfinishedChannel) -> Bool, step: Hint)] = [
            ({ $0.missing.isEmpty }, "\(.groupFinish, "GROUP") completes a channel, and \(cancel)"),
            (
                { $0.missing == [.link] },
                "\(.groupFinish, "GROUP", "--link", "LINK") completes a channel, and \(cancel)"
            ),
            (
                { $0.missing.contains(.relay) && incomplete[$0.summary.group.id] == nil },
                LostRelayAdvice.inList(orElse: cancel)
            ),
            (
                { $0.missing.contains(.relay) && incomplete[$0.summary.group.id] != nil },
                LostRelayAdvice.ofIncompleteRows
            ),
        ]
        let found = kinds.map { (channels: unfinished.filter($0.missing), step: $0.step) }
            .filter { !$0.channels.isEmpty }
        return found.map { channels, step in
            let names = channels.map(\.summary.group.calledName).joined(separator: ", ")
            return .note("not finished\(found.count > 1 ? " (\(names))" : ""): " + given.text(step))
        }
    }

    package var csvTable: Table { GroupRow.fields.csv(rows) }
}

/// A page of the members of a group.
package struct GroupMembersReport: Report {
    package let user: User
    package let group: GroupSummary
    package let page: GroupMemberPage

    package init(user: User, group: GroupSummary, page: GroupMemberPage) {
        self.user = user
        self.group = group
        self.page = page
    }

    package var json: JSONValue {
        [
            "user": user.reference, "group": group.json, "members": .array(page.members.map(\.json)),
            "next": page.next.map { .integer($0.rawValue) } ?? .null,
        ]
    }

    package var document: Document {
        var blocks: [Block] = [
            .heading("Members of \(group.group.calledName)"),
            .table(GroupMember.listed.table(page.members, whenEmpty: "no members")),
        ]
        if let next = page.next { blocks.append(.notes([.note("more members follow: --after \(next)")])) }
        return Document(blocks)
    }
}

extension GroupMember {
    /// The member as programs read it.
    package var json: JSONValue { Self.fields.json(self) }

    private static var fields: [FieldSpec<GroupMember>] {
        [
            idField, memberIDField, .text("name") { $0.localDisplayName }, roleField,
            .text("category") { $0.category.text },
            statusField, .flag("own") { $0.isOwn }, .text("relayLink") { $0.relayLink },
        ]
    }

    package static var listed: [FieldSpec<GroupMember>] {
        [
            idField,
            FieldSpec("name", Column("Name", key: "name", shrinking: .end), json: nil, csv: nil) {
                .text($0.localDisplayName, $0.isOwn ? .strong : nil)
            }, roleField, statusField,
            FieldSpec("category", Column("Category", key: "category"), json: nil, csv: nil) {
                .text($0.isOwn ? "you" : $0.category.text)
            }, memberIDField,
        ]
    }

    private static var idField: FieldSpec<GroupMember> { .number("groupMemberId", "Id") { $0.id.rawValue } }
    private static var roleField: FieldSpec<GroupMember> { .text("role", "Role") { $0.role.text } }
    private static var statusField: FieldSpec<GroupMember> { .text("status", "Status") { $0.status.text } }
    private static var memberIDField: FieldSpec<GroupMember> {
        .text("memberId", "Member id", shrinking: .middle) { $0.memberID }
    }
}
