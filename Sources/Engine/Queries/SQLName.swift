/// Names of tables and columns as SQL.
public enum SQLName {
    /// The name in double quotes. Quotes in it are doubled and NUL bytes left out: a name that a hostile file made up
    /// cannot end the quotes (GRDB's own quoting lets it).
    public static func quoted(_ name: String) -> String {
        var text = "\""
        for character in name.unicodeScalars where character != "\0" {
            if character == "\"" { text.unicodeScalars.append("\"") }
            text.unicodeScalars.append(character)
        }
        return text + "\""
    }

    /// The name as people write it: bare where it can be, otherwise in double quotes.
    public static func written(_ name: String) -> String {
        SQLLexer.needsQuotes(name) ? quoted(name) : name
    }
}
