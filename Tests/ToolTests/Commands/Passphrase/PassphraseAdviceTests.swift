import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// What commands say about encrypted stores in unusual states: hints, remedies and notes that can be followed as they
/// are. Rule: docs/encryption.md.
@Suite(
    "advice about passphrases", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct PassphraseAdviceTests {
    /// A key in the place of a passphrase: no time goes into deriving it.
    private static func key(_ byte: String) -> String { "x'\(String(repeating: byte, count: 32))'" }

    /// The demo's store `y`, encrypted, with the files `pass` of its key, and `other` and `new` of two other keys.
    private func store() throws -> EncryptedStore {
        let store = try EncryptedStore(of: DemoStore.make())
        try store.write("other", Self.key("3f") + "\n")
        try store.write("new", Self.key("4f") + "\n")
        return store
    }

    // MARK: Two passphrases

    private static let onePassphrase =
        "chatdb passphrase change --other-passphrase-file FILE -d y --passphrase-file pass"

    @Test(
        "commands on a store with two passphrases name the command that makes them one, with the options of the user",
        arguments: [
            ["user", "list"], ["relay", "list"], ["backup", "make"], ["migrate", "status"], ["query", "SELECT 1"],
            ["passphrase", "remove", "--yes"],
        ])
    func two(_ command: [String]) throws {
        let store = try store()
        try store.encrypt("chat", with: Self.key("3f"))
        let before = try store.run.folder.fingerprint()
        let refused = try store.run(command + ["-d", "y", "--passphrase-file", "pass", "--format", "json"])
        let error = try refused.refusal()
        #expect(error["code"] == "wrongPassphrase" && refused.code == 66, "\(command): \(refused.errors)")
        #expect(error["hint"]?.stringValue?.hasPrefix("\(Self.onePassphrase) takes") == true, "\(command): \(error)")
        #expect(try store.run.folder.fingerprint() == before)
    }

    @Test("check and inspect of a store with two passphrases name that command, and neither salvage nor --only")
    func twoChecked() throws {
        let store = try store()
        try store.encrypt("chat", with: Self.key("3f"))
        let checked = try store("check", "--format", "json")
        let findings = try checked.answer()["findings"]?.arrayValue ?? []
        let remedy = findings.first { $0["id"] == "unreadableDatabase" }?["remedy"]?.stringValue ?? ""
        #expect(checked.code == 1 && remedy.contains("\(Self.onePassphrase) takes"), "\(findings)")
        #expect(!remedy.contains("salvage") && !remedy.contains("--only"), "\(remedy)")
        let next = try store("inspect", "--format", "json").answer()["next"]?.texts ?? []
        #expect(next.first?.hasPrefix("chatdb passphrase change --other-passphrase-file FILE -d ") == true, "\(next)")
        let archive = try store.run.archived(store, "y")
        #expect(archive.contains("archive unpack") && archive.contains("passphrase change -d NEW"), "\(archive)")
    }
}

extension ToolRun {
    /// The remedy of `check` for the unreadable database of an archive of a store.
    fileprivate func archived(_ store: EncryptedStore, _ prefix: String) throws -> String {
        try archive(of: prefix)
        let answer = try store("check", "--format", "json", store: "archive.zip").answer()
        let findings = answer["findings"]?.arrayValue ?? []
        return findings.first { $0["id"] == "unreadableDatabase" }?["remedy"]?.stringValue ?? ""
    }
}
