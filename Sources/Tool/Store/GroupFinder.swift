import ChatDBKit

/// Finds groups and channels of a profile by the profile's name for them, by their own name, by id, or by the beginning
/// of a name.
enum GroupFinder {
    static func find(
        _ given: String, of user: User, by naming: NamedBy = .beginning, in chat: any ReadTransaction
    ) throws -> GroupSummary {
        let named = NameOrID(given)
        let groups = GroupsRepo(chat)
        if let name = named.name {
            // Throws for a group that cannot be read: a list leaves it out, and another group with its name is not meant.
            _ = try groups.find(named: name, of: user.id)
            if let group = try one(of: groups.all(called: name, of: user.id), given) { return group }
        }
        if let id = named.id, let group = try groups.find(GroupID(id), of: user.id) { return group }
        // Reads all groups only now: to compare names in any Unicode composition, and to suggest similar ones.
        let all = try groups.all(of: user.id)
        if let name = named.name {
            let named = all.filter { $0.names.contains(name) }
            if let group = try one(of: named, given) { return group }
        }
        if naming == .beginning {
            let names = try groups.withoutProfile(of: user.id).compactMap(\.localDisplayName)
            for name in names where named.isBeginning(of: [name]) {
                _ = try groups.find(named: name, of: user.id)
            }
            let begun = all.filter { named.isBeginning(of: $0.names) }
            // The whole name in another case.
            let key = NameRule.key(given)
            let whole = begun.filter { $0.names.contains { NameRule.key($0) == key } }
            if let group = try one(of: whole, given) ?? only(of: begun, given) { return group }
        }
        let message = "the profile \"\(user.name)\" has no group \"\(named.text)\""
        // Reports of a whole store name the groups of all profiles.
        let owners = try named.name.map { try Self.owners(of: $0, besides: user, in: chat) } ?? []
        if !owners.isEmpty {
            throw NameError.inOthers(
                code: "groupNotFound", message: message, name: named.text, owners: owners, list: .groupList)
        }
        if let lost = lostGroup(named, of: user, message, in: chat) { throw lost }
        let names = unique(all.flatMap(\.names))
        throw NameError.notFound(
            code: "groupNotFound", message: message, name: named.text, candidates: names,
            list: HintedCommand(.groupList)
        ).suggesting(named, by: naming, among: names)
    }

    /// The error for a group or channel whose row of `groups` is lost. A name is in the row of `group_profiles`, and
    /// nothing says to which of the lost groups it belongs. Nil for any other text.
    private static func lostGroup(
        _ named: NameOrID, of user: User, _ message: String, in chat: any ReadTransaction
    ) -> NameError? {
        let groups = GroupsRepo(chat)
        let lost = (try? chat.attempt { () throws(GroupsError) in try groups.lost(of: user.id) }) ?? []
        if lost.isEmpty { return nil }
        if let group = lost.first(where: { $0.id.rawValue == named.id }) {
            let noun = group.isChannel ? "channel" : "group"
            return .lost(
                code: "groupNotFound",
                message: """
                    the \(noun) id:\(group.id) of the profile "\(user.name)" is lost: its row is missing (groups), and its \
                    members still refer to it
                    """, name: named.text)
        }
        let names = try? chat.attempt { () throws(GroupsError) in try groups.namesWithoutGroup(of: user.id) }
        guard let name = named.name, names?.contains(name) == true else { return nil }
        let ids = lost.map { "id:\($0.id)" }.joined(separator: ", ")
        let clause =
            lost.count == 1
            ? "the row of \(ids) is lost (groups), and may be that of \"\(name)\""
            : "the rows of \(ids) are lost (groups), and one of them may be that of \"\(name)\""
        return .lost(code: "groupNotFound", message: "\(message); \(clause)", name: named.text)
    }

    /// The other profiles that are not hidden and have a group of this name.
    private static func owners(of name: String, besides user: User, in chat: any ReadTransaction) throws -> [User] {
        try UsersRepo(chat).all().filter { other in
            try other.id != user.id && !GroupsRepo(chat).all(called: name, of: other.id).isEmpty
        }
    }

    /// Lists show both names, so a text that is one name of this group and the other name of that one is ambiguous. But
    /// of `news` and `news_1`, which both call themselves news, `news` means the first.
    private static func one(of named: [GroupSummary], _ given: String) throws -> GroupSummary? {
        if let plain = named.first(where: { $0.group.localDisplayName == $0.group.displayName }), named.count > 1 {
            let beginning = plain.group.localDisplayName + "_"
            let others = named.filter { $0.group.id != plain.group.id }
            let areNumbered = others.allSatisfy { other in
                let name = other.group.localDisplayName
                return name.hasPrefix(beginning) && !name.dropFirst(beginning.count).contains { !$0.isNumber }
            }
            if areNumbered { return plain }
        }
        return try only(of: named, given)
    }

    /// The only one of these groups; nil for none. A beginning that several groups have means none of them.
    private static func only(of named: [GroupSummary], _ given: String) throws -> GroupSummary? {
        if named.count > 1 {
            throw NameError.ambiguous(
                what: "group", name: given, candidates: named.map { "id:\($0.group.id) (\($0.group.calledName))" })
        }
        return named.first
    }

    /// Each text once, in the order given.
    private static func unique(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }
}

extension GroupSummary {
    /// The names that lists show.
    fileprivate var names: [String] { [group.localDisplayName, group.displayName] }
}
