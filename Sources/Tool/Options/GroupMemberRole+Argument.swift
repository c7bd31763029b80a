public import ArgumentParser
public import Schema

/// Roles are written as they are stored; one that no build knows is a slip of the finger.
extension GroupMemberRole: ExpressibleByArgument {
    public init?(argument: String) {
        guard let role = Self.known.first(where: { $0.text == argument.lowercased() }) else { return nil }
        self = role
    }

    public static var allValueStrings: [String] { known.map(\.text) }
}
