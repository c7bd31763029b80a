import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// Remedies for stores of SimpleX Chat, and the screens of its app that they name. Rule: docs/simplex.md, "Screens of
/// the app".
@Suite("remedies that can be done in the app")
struct AppScreenTests {
    private typealias Remedy = (id: String, hint: Hint)

    private static func remedies(in kind: FoundDatabase.Kind) -> [Remedy] {
        StoreCheck.all.compactMap { check in Remedies.remedy(for: check.id, in: kind).map { (check.id, $0) } }
    }

    /// The remedies for damaged parts of a store of SimpleX Chat.
    private static var damage: [Remedy] {
        let remedies = DamageRemedies(database: .chat, path: "x_chat.db", owner: .simplex)
        return [DatabaseDamage.Kind.index, .table, .schema].flatMap { kind in
            [true, false].map { isReadable in
                var part = DatabaseDamage(kind)
                part.isReadable = isReadable
                return ("\(kind) \(isReadable)", remedies.remedy(for: [part]))
            }
        }
    }

    /// A check of the views of chatdb's own stores, which `check` does not make in these.
    private static let unmade: Set<String> = [StoreCheck.viewForTable]

    /// The app does not open these stores, so no screen of it helps: another version of the app does.
    private static let unopened: Set<String> = ["newerVersion", "otherHistory"]

    @Test("each remedy names a screen of the app or a command, or says that no action is needed")
    func doable() {
        for (id, hint) in Self.remedies(in: .simplex) where !Self.unmade.union(Self.unopened).contains(id) {
            let text = hint.text()
            // CheckSimplexTests runs the commands.
            let isDoable =
                AppScreen.allCases.contains { text.contains($0.rawValue) } || !hint.commands.isEmpty
                || text.lowercased().contains("no action is needed")
            #expect(isDoable, "\(id): \(text)")
        }
    }

    @Test("remedies name no other screen of the settings, and every screen is named by a remedy")
    func listed() {
        let texts = (Self.remedies(in: .simplex) + Self.damage).map { $0.hint.text() }
        for text in texts {
            let rest = AppScreen.allCases.reduce(text) { $0.replacing($1.description, with: "") }
            #expect(!rest.contains("Settings") && !rest.contains("\""), "\(text)")
        }
        for screen in AppScreen.allCases {
            #expect(texts.contains { $0.contains(screen.description) }, "\(screen)")
        }
        // chatdb's own stores are used by other apps.
        for (id, hint) in Self.remedies(in: .chatdb) {
            #expect(!AppScreen.allCases.contains { hint.text().contains($0.rawValue) }, "\(id)")
        }
    }

    @Test("docs/simplex.md lists the screens, and no others")
    func documented() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../docs/simplex.md").standardizedFileURL
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = text.split(separator: "\n## ").first { $0.hasPrefix("Screens of the app\n") } ?? ""
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2).map(String.init)
        #expect(rows == AppScreen.allCases.map { "| \($0.rawValue) | \($0.place) | Android, iOS, desktop |" })
    }

    @Test("a remedy can be read alone, without the sentence before it in a table")
    func alone() {
        for kind in [FoundDatabase.Kind.chatdb, .simplex] {
            for (id, hint) in Self.remedies(in: kind) + Self.damage {
                let text = hint.text()
                let first = text.prefix { $0 != " " }
                let pronouns = ["They", "Their", "Them", "It", "Its", "These", "Those", "This"]
                #expect(!pronouns.contains(String(first)), "\(id): \(text)")
                #expect(!text.contains(#/in the app,[^.]{0,12} in the app/#), "\(id): \(text)")
            }
        }
    }

    @Test("a remedy says what deleting a chat or leaving a group costs, and that a negotiation may be under way")
    func costs() {
        for kind in [FoundDatabase.Kind.chatdb, .simplex] {
            for id in ["connectionDeletedOnOneSide", "disabledQueue", "connectionWithoutAgent"] {
                let text = Remedies.remedy(for: id, in: kind)?.text() ?? ""
                #expect(text.contains("deletes its messages") && text.contains("end the membership"), "\(id): \(text)")
                #expect(!text.contains("delete the chat"), "\(id): \(text)")
            }
            let ratchet = Remedies.remedy(for: "ratchetOutOfSync", in: kind)?.text() ?? ""
            #expect(ratchet.contains("started and agreed") && ratchet.contains("wait until"), "\(ratchet)")
            let profile = Remedies.remedy(for: "profileWithoutAgent", in: kind)?.text() ?? ""
            // No program deletes the profile, and nobody knows why the row is missing.
            #expect(!profile.contains("delet") && !profile.contains("different times"), "\(profile)")
            #expect(profile.contains("is missing: damage or another program removed it, or the agent's file"))
            let marked = Remedies.remedy(for: "profileMarkedDeleted", in: kind)?.text() ?? ""
            #expect(marked.hasPrefix("Do not start ") && marked.contains("copy both files"), "\(marked)")
            // The deletion comes last, and only for who wants it.
            #expect(marked.split(separator: ". ").last?.hasPrefix("Only if the profile was meant") == true)
        }
        // A store that the app does not open has no screen to go to.
        for id in [StoreCheck.otherHistory, StoreCheck.newerVersion] {
            let text = Remedies.remedy(for: id, in: .simplex)?.text() ?? ""
            #expect(!AppScreen.allCases.contains { text.contains($0.rawValue) }, "\(id): \(text)")
        }
        let group = Remedies.remedy(for: "groupWithoutOwnMember", in: .simplex)?.text() ?? ""
        #expect(group.contains("cannot delete it") && !group.contains("delete them"), "\(group)")
    }
}
