import ChatDBSchema

/// Tells whether the two databases of a store of SimpleX Chat can belong together, by their versions.
/// Rule: docs/checks.md, "A pair that does not belong together".
package enum SimpleXPair {
    /// How long an app may go on with a database while the other database has migrations of a later date. The longest
    /// time in the described stores is 74 days.
    private static let longestLag = 365

    /// The reason why no release had the two versions together, a clause. It is nil if a release may have had them.
    ///
    /// A release has the newest migrations of both databases at its date. So a version whose successor was known for
    /// more than a year when the other version was made was not with it.
    ///
    /// - Parameters:
    ///   - chat: the last migration of the chat database that this build knows.
    ///   - agent: the last migration of the agent database that this build knows.
    package static func disagreement(chat: String, agent: String) -> String? {
        let names = [DatabaseName.chat: chat, .agent: agent].mapValues(SimpleXHistory.withoutMark)
        for (old, new) in [(DatabaseName.chat, DatabaseName.agent), (.agent, .chat)] {
            guard let last = names[old], let other = names[new],
                let next = SimpleXMigrations.known(of: old).map(SimpleXHistory.withoutMark).first(where: { $0 > last }),
                let known = day(of: next), let made = day(of: other), made - known > longestLag
            else { continue }
            return "versions: no release had \(old) \(SimpleXHistory.date(of: last)) and \(new) "
                + "\(SimpleXHistory.date(of: other)) together"
        }
        return nil
    }

    /// The day on which a migration was made, counted from any day. It is nil for a name without a date.
    private static func day(of name: String) -> Int? {
        StoredTime(text: "\(SimpleXHistory.date(of: name)) 00:00:00").map { Int($0.microseconds / 86_400_000_000) }
    }
}
