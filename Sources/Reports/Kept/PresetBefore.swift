package import ChatDBKit

/// A preset file that a command keeps beside the store before it removes or replaces relays and servers. It holds
/// passwords and test results, with mode 600.
package struct PresetBefore {
    package let path: String
    /// The command that puts the contents of the file back.
    package let command: String

    package init(path: String, command: String) {
        self.path = path
        self.command = command
    }

    package var json: JSONValue { ["file": .string(path), "command": .string(command)] }
}
