import ChatDBKit
import Testing

@Suite struct MigrationChecksumTests {
    // printf -- '-- why\nCREATE TABLE a (b);\n\nSELECT 1;' | sha256sum
    static let text = "-- why\nCREATE TABLE a (b);\n\nSELECT 1;"
    static let known = "abe3553018914e763e74a316dacb04c8cba8bba6e22815aba10b9c5a65723d5a"

    @Test(
        "the checksum ignores line ends, blanks at line ends and blanks at both ends of the file",
        arguments: [
            text, text + "\n", text.replacing("\n", with: "\r\n"), "\n \t\r\n" + text + "\r\n\t \n\n",
            text.replacing("\n", with: "  \t\n"), text.replacing("\n", with: " \r\n"), "  " + text,
        ])
    func same(_ text: String) throws {
        #expect(try checksum(text) == Self.known)
    }

    @Test(
        "the checksum includes comments, blanks inside a line, inner empty lines and lone carriage returns",
        arguments: [
            text + " -- x", text.replacing("why", with: "Why"), text.replacing("a (b)", with: "a  (b)"),
            text.replacing("\n\n", with: "\n"), text.replacing("\nS", with: "\n S"),
            text.replacing("\n\n", with: "\n\r\n\n"),
            text.replacing(" why", with: " wh\ry"),
        ])
    func different(_ text: String) throws {
        #expect(try checksum(text) != Self.known)
    }

    @Test("the checksum ignores the down text")
    func down() throws {
        let files = [("sqlite/chat/20260901_a.up.sql", Self.text), ("sqlite/chat/20260901_a.down.sql", "SELECT 1")]
        #expect(try MigrationSource.embedded(files.map { ($0.0, $0.1) }).load()[.chat]?.first?.checksum == Self.known)
    }

    private func checksum(_ text: String) throws -> String? {
        try MigrationSource.embedded([("sqlite/chat/20260901_a.up.sql", text)]).load()[.chat]?.first?.checksum
    }
}
