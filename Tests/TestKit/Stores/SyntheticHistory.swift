package import ChatDBKit

/// Histories invented for one test, from SQL in the test.
package enum SyntheticHistory {
    /// One migration. `name` has only its words; the date before it follows from the position.
    package struct Step {
        let words: String
        package let up: String
        package let down: String?

        package init(_ words: String, _ up: String, down: String? = nil) {
            self.words = words
            self.up = up
            self.down = down
        }
    }

    /// The migrations of both databases. The default for the agent is one table.
    package static func make(
        chat: [Step], agent: [Step] = [Step("agent_first", "CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT")]
    ) throws -> [DatabaseName: [Migration]] {
        var files: [(path: String, content: String)] = []
        for (database, steps) in [(DatabaseName.chat, chat), (.agent, agent)] {
            for (index, step) in steps.enumerated() {
                let path = "sqlite/\(database)/\(name(index, step.words))"
                files.append((path + ".up.sql", "-- Why: a test.\n" + step.up))
                if let down = step.down { files.append((path + ".down.sql", down)) }
            }
        }
        return try MigrationSource.embedded(files).load()
    }

    /// The name of the migration at a place, counted from 0.
    package static func name(_ index: Int, _ words: String) -> String {
        let day = index % 28 + 1
        let month = index / 28 % 12 + 1
        return "\(2030 + index / 336)\(month < 10 ? "0" : "")\(month)\(day < 10 ? "0" : "")\(day)_\(words)"
    }
}
