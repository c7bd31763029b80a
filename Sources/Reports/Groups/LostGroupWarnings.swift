package import ChatDBKit

/// The warnings about groups and channels that the list of a profile leaves out, because their row of `groups` or of
/// `group_profiles` is lost. Rule: docs/domain.md, "Groups and channels", Lost groups.
package struct LostGroupWarnings: Sendable {
    /// Those without a row of `groups`.
    private let lost: [LostGroup]
    /// The names of group profiles that no group has; empty if no group is lost.
    private let names: [String]
    /// Those without a row of `group_profiles`.
    private let withoutProfile: [LostGroup]

    /// No warnings.
    package init() { (lost, names, withoutProfile) = ([], [], []) }

    /// Without what the version of the store lacks, or what cannot be read.
    package init(of user: UserID, in chat: any ReadTransaction) {
        let groups = GroupsRepo(chat)
        lost = (try? chat.attempt { () throws(GroupsError) in try groups.lost(of: user) }) ?? []
        if lost.isEmpty {
            names = []
        } else {
            let left = try? chat.attempt { () throws(GroupsError) in try groups.namesWithoutGroup(of: user) }
            names = left ?? []
        }
        withoutProfile = (try? chat.attempt { () throws(GroupsError) in try groups.withoutProfile(of: user) }) ?? []
    }

    /// The warnings as texts, at most one of each kind.
    package func texts(_ given: GivenOptions) -> [String] {
        [lostRows, lostProfiles].compactMap { clause in
            clause.map { given.text("\($0); \(.check) says what still works") }
        }
    }

    private var lostRows: String? {
        if lost.isEmpty { return nil }
        let ids = Self.listed(lost.map { "id:\($0.id)" })
        guard lost.count == 1 else {
            return "\(Self.noun(lost)) \(ids) are lost: their rows are missing (groups), and their members still refer "
                + "to them\(names.isEmpty ? "" : "; their names may be among \(Self.listed(names))")"
        }
        let name = names.count == 1 ? "; its name may be " : "; its name may be one of "
        return "\(Self.noun(lost)) \(ids) is lost: its row is missing (groups), and its members still refer to it"
            + (names.isEmpty ? "" : name + Self.listed(names))
    }

    private var lostProfiles: String? {
        if withoutProfile.isEmpty { return nil }
        let named = withoutProfile.map { group in
            group.localDisplayName.map { "\($0) (id:\(group.id))" } ?? "id:\(group.id)"
        }
        let (subject, ids) = (Self.noun(withoutProfile), Self.listed(named))
        return withoutProfile.count == 1
            ? "\(subject) \(ids) is left out: its profile row is missing (group_profiles)"
            : "\(subject) \(ids) are left out: their profile rows are missing (group_profiles)"
    }

    private static func noun(_ groups: [LostGroup]) -> String {
        let channels = groups.count(where: \.isChannel)
        let isOne = groups.count == 1
        if channels == groups.count { return isOne ? "channel" : "channels" }
        if channels == 0 { return isOne ? "group" : "groups" }
        return "groups and channels"
    }

    /// Of many texts, the first ten.
    private static func listed(_ texts: [String]) -> String {
        texts.prefix(FoundRows.mostShown).joined(separator: ", ") + (texts.count > FoundRows.mostShown ? ", …" : "")
    }
}
