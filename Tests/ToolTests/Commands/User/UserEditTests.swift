import ChatDBKit
import Foundation
import Testing

@Suite("user edit")
struct UserEditTests {
    /// The beginning of a PNG file, which is all that the tool looks at.
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    private func stored(_ column: String, _ demo: ToolRun) throws -> String {
        try demo.sql(
            """
            SELECT coalesce(\(column), 'none') FROM contact_profiles
            WHERE contact_profile_id = (SELECT contact_profile_id FROM contacts WHERE user_id = 1 AND is_user = 1)
            """)
    }

    @Test("parts without an option stay as an app has stored them, whatever the rules say")
    func untouched() throws {
        let demo = try DemoStore.make()
        let picture = "data:image/png;base64," + String(repeating: "A", count: 16_000)
        try demo.sql(
            """
            UPDATE contact_profiles SET description = 'Hi' || char(10), image = '\(picture)'
            WHERE contact_profile_id = (SELECT contact_profile_id FROM contacts WHERE user_id = 1 AND is_user = 1)
            """)
        let set = try demo.succeed("user", "edit", "alice", "--full-name", "Alice", "--format", "json").answer()
        #expect(set["fields"]?.members?.map(\.name) == ["fullName"])
        #expect(try stored("image", demo) == picture && stored("hex(description)", demo) == "48690A")
    }

    @Test("each part is set from an option or a file without a question, replaced only with consent, and cleared")
    func parts() throws {
        let demo = try DemoStore.make()
        try Data(Self.png).write(to: URL(fileURLWithPath: demo.file("a.png")))
        try Data("{\"files\": {\"allow\": \"no\"}}".utf8).write(to: URL(fileURLWithPath: demo.file("p.json")))
        let set = try demo.succeed(
            "user", "edit", "alice", "--full-name", "Alice B.", "--short-description", "Gardener", "--description",
            "Long", "--picture", demo.file("a.png"), "--contact-link", "https://h.example/a#x", "--preferences",
            demo.file("p.json"), "--format", "json"
        ).answer()
        #expect(
            set["fields"]?.members?.map(\.name)
                == ["fullName", "shortDescr", "description", "image", "contactLink", "preferences"])
        #expect(set["profile"]?["hasImage"] == true && set["applied"] == true)
        let image = "data:image/png;base64,\(Data(Self.png).base64EncodedString())"
        #expect(try stored("image", demo) == image && stored("full_name", demo) == "Alice B.")
        #expect(try stored("preferences", demo) == "{\"files\": {\"allow\": \"no\"}}")
        let again = try demo.succeed("user", "edit", "alice", "--full-name", "Alice B.")
        #expect(again.output == "The profile alice has these values already; nothing was changed.\n")
        let replace = ["user", "edit", "alice", "--full-name", "Other"]
        let refused = try demo(replace)
        #expect(refused.code == 64 && refused.errors.contains("Replace or clear the full name of alice?"))
        #expect(try demo(replace + ["--dry-run", "--format", "json"]).answer()["applied"] == false)
        #expect(try stored("full_name", demo) == "Alice B.")
        #expect(try demo(replace + ["--yes"]).code == 0 && stored("full_name", demo) == "Other")
        try demo.succeed(
            "user", "edit", "alice", "--no-full-name", "--no-short-description", "--no-description", "--no-picture",
            "--no-contact-link", "--no-preferences", "--yes")
        for column in ["short_descr", "image", "contact_link", "preferences"] {
            #expect(try stored(column, demo) == "none", "\(column)")
        }
        #expect(try stored("full_name", demo).isEmpty)
        #expect(try demo.sql("SELECT count(*) FROM contact_profiles WHERE full_name <> ''") == "0")
    }

    @Test("what is not valid is refused in a dry run too, and nothing changes")
    func refused() throws {
        let demo = try DemoStore.make()
        try Data("no picture".utf8).write(to: URL(fileURLWithPath: demo.file("a.txt")))
        try Data(Self.png + [UInt8](repeating: 0, count: 20_000)).write(to: URL(fileURLWithPath: demo.file("big.png")))
        try Data([0xFF, 0xFE]).write(to: URL(fileURLWithPath: demo.file("b.json")))
        for (options, code, exit) in [
            (["--picture", demo.file("a.txt")], "invalidProfileDetail", 65),
            (["--picture", demo.file("big.png")], "invalidProfileDetail", 65),
            (["--picture", demo.file("missing.png")], "fileNotFound", 66),
            (["--contact-link", "x"], "invalidProfileDetail", 65),
            (["--preferences", demo.file("a.txt")], "invalidProfileDetail", 65),
            (["--preferences", demo.file("b.json")], "invalidProfileDetail", 65),
            (["--full-name", String(repeating: "a", count: 201)], "invalidProfileDetail", 65),
            (["--short-description", String(repeating: "a", count: 161)], "invalidProfileDetail", 65),
        ] {
            for dry in [["--dry-run"], []] {
                let run = try demo(["user", "edit", "alice", "--format", "json"] + options + dry)
                #expect(run.code == Int32(exit), "\(options)")
                #expect(try run.refusal()["code"]?.stringValue == code, "\(options)")
            }
        }
        for wrong in [[], ["--picture", "a", "--no-picture"], ["--picture", "-", "--preferences", "-"]] {
            #expect(try demo(["user", "edit", "alice"] + wrong).code == 64, "\(wrong)")
        }
        #expect(try demo("user", "edit", "nobody", "--full-name", "x").code == 1)
        #expect(try demo.sql("SELECT count(*) FROM contact_profiles WHERE full_name <> '' OR image IS NOT NULL") == "0")
    }

    @Test("a picture may come from a pipe, as bytes or as a data URI")
    func pipe() throws {
        let demo = try DemoStore.make()
        try Data(Self.png).write(to: URL(fileURLWithPath: demo.file("a.png")))
        #expect(try demo.shell("$CHATDB user edit alice --picture - < a.png").code == 0)
        let uri = "data:image/jpg;base64,AAAA"
        #expect(try demo.shell("echo '\(uri)' | $CHATDB user edit alice --picture - --yes").code == 0)
        #expect(try stored("image", demo) == uri)
    }
}
