import ChatDBSchema

/// Words for the edited files of applied migrations.
extension MigrationError {
    /// The error with this sentence.
    func infoOfEdits(_ names: [String], _ sentence: String, state: String? = nil) -> ErrorInfo {
        ErrorInfo(.wrongVersion, "editedMigration", sentence, ["migrations": JSONValue(names)], state: state)
    }

    /// The edit of files, a clause.
    func edit(of names: [String]) -> String {
        "\(listed(names)) \(names.count == 1 ? "was" : "were") edited after being applied (the checksum differs)"
    }

    /// The edit of files after an accepted one, a clause.
    func change(of names: [String]) -> String {
        "\(listed(names)) \(names.count == 1 ? "differs" : "differ") from the text that was accepted last"
    }

    /// The loss of the text of files, a clause.
    func emptying(of names: [String]) -> String {
        names.count == 1
            ? "the file of the applied migration \(names[0]) is empty"
            : "the files of the applied migrations \(listed(names)) are empty"
    }
}
