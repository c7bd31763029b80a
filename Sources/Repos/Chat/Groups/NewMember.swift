public import ChatDBSchema

/// A member that is to be added to a group.
/// Rule: docs/domain.md, "Groups and channels", Members.
public struct NewMember: Sendable, Hashable {
    /// The name it gives itself.
    public let name: String
    /// By which the group knows it.
    public let memberID: String
    /// What it may do.
    public let role: GroupMemberRole
    /// How the profile came to know it; anything but `user`.
    public let category: GroupMemberCategory
    /// Where it stands.
    public let status: GroupMemberStatus

    /// A member; nothing is checked before it is added.
    public init(
        name: String, memberID: String, role: GroupMemberRole, category: GroupMemberCategory,
        status: GroupMemberStatus
    ) {
        self.name = name
        self.memberID = memberID
        self.role = role
        self.category = category
        self.status = status
    }
}

/// The id by which a group knows a member: 12 random bytes as 16 characters of base64url.
enum MemberIDText {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    static func make(using generator: inout some RandomNumberGenerator) -> String {
        String((0..<16).map { _ in letters[Int(generator.next(upperBound: UInt64(letters.count)))] })
    }
}
