import ChatDBKit
import Foundation
import Testing

/// Rule: docs/checks.md.
@Suite("Checks of a store")
struct StoreCheckTests {
    @Test("A store in order has no finding, and every check ran")
    func healthy() throws {
        let checkup = try CheckWorld().checkup()
        #expect(checkup.findings.isEmpty)
        #expect(checkup.leftOut.isEmpty)
        #expect(checkup.isOK)
    }

    @Test("A large store that the repositories made, used and half deleted again has no finding")
    func generated() throws {
        let world = try CheckWorld()
        var random = SplitMix64(seed: 7)
        for user in [world.alice, world.bob] {
            let relays = try (0..<40).map {
                try world.test.addRelay("r\($0).example", name: "relay \($0)", domains: ["r\($0).example"], of: user)
            }
            for number in 0..<60 {
                let chosen = Set((0..<3).map { _ in relays.randomElement(using: &random)?.id }).compactMap { $0 }
                try world.test.addChannel(
                    "channel \(number % 20)", relays: relays.filter { chosen.contains($0.id) }, of: user,
                    seed: random.next())
            }
            for relay in relays where random.next() % 2 == 0 {
                try world.test.write { try ChatRelaysWriter($0).delete(relay.id, of: user.id) }
            }
            for number in 0..<200 {
                try world.test.write { chat in
                    let contacts = ContactsWriter(chat)
                    let name = "friend \(number % 50)"
                    let made = try contacts.create(ContactProfileContent(displayName: name), of: user.id)
                    if random.next() % 3 == 0 { _ = try contacts.delete(made.id, of: user.id) }
                    if random.next() % 6 == 0 { _ = try contacts.delete(made.id, of: user.id) }
                }
            }
        }
        try world.execute([
            "UPDATE groups SET creating_in_progress = 0",
            "UPDATE group_profiles SET group_link = 'https://h.example/' || group_profile_id",
        ])
        let checkup = try world.checkup()
        #expect(checkup.findings.map(\.id) == [])
    }

    @Test("Of a relay that a channel has twice, the latest row counts")
    func latestRow() throws {
        let world = try CheckWorld()
        try world.execute([
            "UPDATE group_relays SET relay_status = 'active', relay_link = NULL",
            """
            INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
                member_status, local_display_name, contact_profile_id)
            SELECT 19, user_id, group_id, 'again', member_role, member_category, member_status, local_display_name,
                contact_profile_id
            FROM group_members WHERE group_member_id = (SELECT group_member_id FROM group_relays)
            """,
            """
            INSERT INTO group_relays (group_id, group_member_id, chat_relay_id, relay_status)
            SELECT group_id, 19, chat_relay_id, 'rejected' FROM group_relays
            """,
        ])
        #expect(try !world.checkup().findings.contains { $0.id == "acceptedRelayWithoutLink" })
        try world.execute(["UPDATE group_relays SET relay_status = 'active'"])
        let found = try world.checkup().findings.first { $0.id == "acceptedRelayWithoutLink" }
        #expect(found?.sample.map(\.description) == ["relay row 2 of group 1 (profile 1)"])
    }

    @Test("A soft-deleted relay with an address that is not valid is no finding")
    func deletedRelay() throws {
        let world = try CheckWorld()
        for address in ["x", LinkSpellingTests.short] {
            try world.execute(["UPDATE chat_relays SET address = '\(address)' WHERE chat_relay_id = 1"])
            #expect(try world.checkup().findings.map(\.id) == ["invalidRelayAddress"])
        }
        try world.execute(["UPDATE chat_relays SET deleted = 1 WHERE chat_relay_id = 1"])
        #expect(try world.checkup().findings.isEmpty)
    }

    @Test(
        "A relay with an unknown status is no finding in a channel that the profile has left",
        arguments: ["left", "removed", "rejected", "deleted"])
    func unknownStatusInLeftChannel(_ status: String) throws {
        let world = try CheckWorld()
        try world.execute(["UPDATE group_relays SET relay_status = 'dreaming'"])
        #expect(try world.checkup().findings.map(\.id) == ["unknownRelayStatus"])
        try world.execute([
            "UPDATE group_members SET member_status = '\(status)' WHERE group_id = 1 AND member_category = 'user'"
        ])
        #expect(try !world.checkup().findings.contains { $0.id == "unknownRelayStatus" })
    }

    @Test("A relay without its row is no finding if it left, was added again, or has another finding")
    func relaysWithoutRow() throws {
        let changes = [
            "UPDATE group_members SET member_status = 'left' WHERE group_member_id = 19",
            "UPDATE group_members SET member_category = 'host' WHERE group_member_id = 19",
            "DELETE FROM group_relays", "UPDATE group_relays SET group_member_id = 12",
            "UPDATE groups SET use_relays = 0",
            // The older member is the one without a row now, and the later one has its name.
            "UPDATE group_relays SET group_member_id = 19",
        ]
        for change in changes {
            let world = try CheckWorld()
            try world.execute([CheckFault.secondRelay])
            #expect(try world.checkup().findings.map(\.id) == ["relayMemberWithoutRow"])
            try world.execute([change])
            #expect(try !world.checkup().findings.contains { $0.id == "relayMemberWithoutRow" }, "\(change)")
        }
    }

    @Test("Only a finished channel that the profile owns and is in needs a link, of whatever kind")
    func channelsWithLink() throws {
        let changes = [
            "UPDATE groups SET creating_in_progress = 1", "UPDATE groups SET use_relays = 0",
            "UPDATE group_members SET member_role = 'admin' WHERE member_category = 'user'",
            "UPDATE group_members SET member_status = 'left' WHERE member_category = 'user'",
            """
            INSERT INTO user_contact_links (user_contact_link_id, user_id, group_id, conn_req_contact)
            VALUES (12, 1, 1, 'own link')
            """,
        ]
        for change in changes {
            let world = try CheckWorld()
            try world.execute(["UPDATE group_profiles SET group_link = NULL"])
            #expect(try world.checkup().findings.map(\.id) == ["channelWithoutLink"])
            try world.execute([change])
            #expect(try !world.checkup().findings.contains { $0.id == "channelWithoutLink" }, "\(change)")
        }
    }

    @Test("A text that a channel publishes and that does not begin as links do is no link")
    func publishedText() throws {
        let world = try CheckWorld()
        for text in ["not a link", "simplex.chat/c#x", "http://h.example/c#x", "https:/h.example/c#x"] {
            try world.execute(["UPDATE group_profiles SET group_link = '\(text)' WHERE group_profile_id = 1"])
            #expect(try world.checkup().findings.map(\.id) == ["channelWithoutLink"], "\(text)")
        }
        for text in ["HTTPS://h.example/x", "simplex:/x", "https://simplex.chat/c#x"] {
            try world.execute(["UPDATE group_profiles SET group_link = '\(text)' WHERE group_profile_id = 1"])
            #expect(try world.checkup().findings.isEmpty, "\(text)")
        }
    }

    @Test("Text that is not UTF-8 in the row of a hidden profile is reported without the number of the row")
    func hiddenInvalidText() throws {
        let world = try CheckWorld()
        try world.execute([
            "UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02', show_ntfs = 0 WHERE user_id = 1",
            "UPDATE users SET ui_themes = CAST(x'E9' AS TEXT)",
        ])
        let finding = try #require(try world.checkup().findings.first { $0.id == "invalidText" })
        let second = ["users 2 ui_themes (not UTF-8)"]
        #expect(finding.sample.map(\.description) == ["users ui_themes (not UTF-8)"] + second)
    }

    @Test("A number in a text has the table of its row, and the number of the profile unless that is hidden")
    func namedRows() throws {
        let world = try CheckWorld()
        try world.execute([
            "INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1, 'zzz', 'zzz')",
            "UPDATE group_members SET member_role = 'member' WHERE member_role = 'relay'",
        ])
        func texts() throws -> [String: [String]] {
            let findings = try world.checkup().findings
            return Dictionary(
                uniqueKeysWithValues: findings.map { finding in (finding.id, finding.sample.map(finding.shown)) })
        }
        let place = try world.test.count("SELECT rowid FROM display_names WHERE local_display_name = 'zzz'")
        // A channel whose only relay does not count has further findings.
        let found = try texts()
        #expect(found["unusedDisplayName"] == ["display_names \(place) (profile 1)"], "\(found)")
        #expect(found["groupRelayWithoutMember"] == ["relay row 1 of group 1 (profile 1)"], "\(found)")
        let row = try #require(try world.checkup().findings.first { $0.id == "groupRelayWithoutMember" }?.rows.first)
        #expect(row.table == "group_relays" && row.groupID == 1 && row.userID == 1)
        try world.execute([CheckFault.hide])
        let hidden = try texts()
        #expect(hidden["unusedDisplayName"] == ["display_names \(place)"], "\(hidden)")
        #expect(hidden["groupRelayWithoutMember"] == ["relay row 1 of group 1"], "\(hidden)")
    }

    @Test("An unfinished channel is reported with what it lacks")
    func unfinished() throws {
        let world = try CheckWorld()
        try world.execute([
            "UPDATE groups SET creating_in_progress = 1 WHERE group_id = 1",
            "UPDATE group_profiles SET group_link = NULL",
        ])
        func missing() throws -> [String]? {
            try world.checkup().findings.first { $0.id == "unfinishedChannel" }?.rows.first?.missing
        }
        #expect(try missing() == ["link"])
        // A relay whose member is missing does not count.
        try world.execute(["DELETE FROM group_members WHERE member_role = 'relay'"])
        #expect(try missing() == ["link", "relay"])
        try world.execute(["UPDATE group_profiles SET group_link = 'not a link'"])
        #expect(try missing() == ["link", "relay"])
        try world.execute(["UPDATE group_profiles SET group_link = 'https://simplex.chat/c#x'"])
        #expect(try missing() == ["relay"])
    }

    @Test("A fault is found, reported by number, and nothing else is", arguments: CheckFault.all)
    func found(_ fault: CheckFault) throws {
        let world = try CheckWorld()
        try world.execute(fault.chat)
        try world.execute(fault.agent, in: .agent)
        let checkup = try world.checkup()
        #expect(checkup.findings.map(\.id) == [fault.id])
        let finding = try #require(checkup.findings.first)
        #expect(finding.sample.map(\.description) == fault.sample)
        #expect(finding.count == fault.count ?? fault.sample.count)
        for case .number(let number) in finding.sample {
            #expect(finding.rows.contains { $0.row == number }, "the table of \(number) is not known")
        }
        #expect(checkup.isOK == (finding.severity != .error))
        // An accepted relay has no connection in these, and nothing proves that it was lost.
        let isAccepted = ["acceptedRelayWithoutLink", "relayLinkOfMemberOnly"].contains(fault.id)
        #expect(checkup.leftOut.map(\.id) == (isAccepted ? ["groupRelayWithoutConnection"] : []))
    }

    @Test(
        "Repairs leave no finding, and restore the state before the fault",
        arguments: CheckFault.all.filter { fault in StoreCheck.all.contains { $0.id == fault.id && $0.repairAct != nil }
        }
    )
    func mended(_ fault: CheckFault) throws {
        let world = try CheckWorld()
        let before = try world.contents()
        try world.execute(fault.chat)
        try world.execute(fault.agent, in: .agent)
        let findings = try world.checkup().findings
        #expect(findings.map(\.isFixable) == [true])
        let mended = try world.mend(findings)
        #expect(mended.map(\.id) == [fault.id])
        #expect(mended.allSatisfy { $0.changed > 0 })
        #expect(try world.checkup().findings.isEmpty)
        let after = try world.contents()
        #expect(Set(after.keys.filter { after[$0] != before[$0] }) == fault.changed)
        // What is in order is left alone.
        #expect(
            try world.mend(findings).allSatisfy {
                $0.changed == 0 || $0.id == "searchIndex" || $0.id == "noActiveProfile"
            })
    }

    @Test("The repair leaves findings that only a person can decide")
    func unmendable() throws {
        let world = try CheckWorld()
        try world.execute(["UPDATE chat_relays SET display_name = '  ONE ' WHERE chat_relay_id = 3"])
        let before = try world.contents()
        #expect(try world.mend(world.checkup().findings).isEmpty)
        #expect(try world.contents() == before)
    }

    @Test("Every check has a fault that it finds here")
    func complete() {
        let given = StoreCheck.givenIDs.union([
            "chatDamaged", "agentDamaged", "chatDamagedPage", "agentDamagedPage",
            // Its proof is a finding too: LostRelaysTests.
            "groupRelayWithoutConnection",
        ])
        #expect(Set(CheckFault.all.map(\.id)).union(given) == Set(StoreCheck.all.map(\.id)))
        #expect(Set(StoreCheck.all.map(\.id)).count == StoreCheck.all.count)
    }

    @Test("docs/checks.md lists every check, with its severity, in their order")
    func documented() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../docs/checks.md").standardizedFileURL
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let listed = rows.map { row in
            row.split(separator: "|").prefix(3).map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
        }
        #expect(
            listed == StoreCheck.all.map { [$0.id, $0.severity.rawValue, $0.repairAct == nil ? "no" : "yes"] })
    }

    @Test("Findings of the caller are among the findings, the most severe first")
    func given() throws {
        let world = try CheckWorld()
        try world.execute(["INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1, 'old', 'old')"]
        )
        let checkup = try world.checkup(given: [
            StoreCheck.schemaDrift(.agent): ["extra table x"], StoreCheck.mismatchedPair: ["chat", "agent"],
            StoreCheck.editedMigration: [],
        ])
        #expect(checkup.findings.map(\.id) == ["mismatchedPair", "agentSchemaDrift", "unusedDisplayName"])
        #expect(checkup.findings.map(\.severity) == [.error, .warning, .info])
        #expect(checkup.findings[1].sample == [.text("extra table x")])
    }

    @Test("In a mismatched pair, the checks of rows of both databases are left out, and the others run")
    func mismatched() throws {
        let world = try CheckWorld()
        try world.execute(["UPDATE app_settings SET app_settings = '[]'"])
        try world.execute(["DELETE FROM connections WHERE conn_id = x'6231'"], in: .agent)
        #expect(try world.checkup().findings.map(\.id) == ["connectionWithoutAgent", "invalidAppSettings"])
        let checkup = try world.checkup(given: [StoreCheck.mismatchedPair: ["chat", "agent"]])
        #expect(checkup.findings.map(\.id) == ["mismatchedPair", "invalidAppSettings"])
        #expect(checkup.leftOut.map(\.id) == StoreCheck.all.filter(\.isOfPairedRows).map(\.id))
        #expect(checkup.leftOut.count > 5 && checkup.leftOut.allSatisfy { $0.reason == .mismatchedPair })
    }

    @Test("A profile with the contact of another profile is one finding")
    func contactOfOther() throws {
        let world = try CheckWorld()
        try world.execute(["UPDATE users SET contact_id = 11 WHERE user_id = 2"])
        let checkup = try world.checkup()
        #expect(checkup.findings.map(\.id) == ["blockedDeletion"])
        #expect(
            checkup.findings.first?.sample == [.text("profile 2: contact_id in contacts 11 of profile 1")])
    }

    @Test("All rows are counted, and only the first are reported")
    func many() throws {
        let world = try CheckWorld()
        try world.execute([
            """
            WITH RECURSIVE n (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM n WHERE n < 2099)
            INSERT INTO contact_profiles (contact_profile_id, user_id, display_name) SELECT n, 1, 'x' FROM n
            """
        ])
        let finding = try #require(try world.checkup().findings.first)
        #expect(finding.count == 2000)
        #expect(finding.sample == (100..<1100).map { CheckSample.number($0) })
    }

    @Test("A database that is missing is left out, and so are the rules of chatdb in another program's store")
    func leftOut() throws {
        let world = try CheckWorld()
        let foreign = try world.checkup(isOurs: false)
        #expect(foreign.findings.isEmpty)
        #expect(
            Set(foreign.leftOut.map(\.id)) == Set(StoreCheck.all.filter { !$0.isGeneral }.map(\.id)))
        #expect(foreign.leftOut.allSatisfy { $0.reason == .otherProgram })
        try world.test.store.close()
        try FileManager.default.removeItem(atPath: world.test.location.path(of: .agent))
        let alone = try world.checkup()
        #expect(alone.findings.isEmpty)
        #expect(alone.leftOut.allSatisfy { $0.reason == .missing(.agent) })
        #expect(
            Set(alone.leftOut.map(\.id))
                == Set(
                    StoreCheck.all.filter { $0.databases.contains(.agent) && !$0.isOfEachDatabase }.map(\.id)
                ).subtracting(StoreCheck.givenIDs))
    }

    @Test("A damaged file is an error, and the checks that it prevents are named")
    func damaged() throws {
        let world = try CheckWorld()
        try world.test.store.close()
        let path = world.test.location.path(of: .chat)
        // The root of a table is a page of zeros.
        let root = try { () -> Int in
            let connection = try SQLiteEngine().open(path, as: .readOnly)
            defer { try? connection.close() }
            return try connection.read { try $0.count("SELECT rootpage FROM sqlite_schema WHERE name = 'chat_relays'") }
        }()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(root - 1) * 4096)
        try file.write(contentsOf: Data(count: 4096))
        try file.close()
        let checkup = try world.checkup()
        #expect(checkup.findings.first?.id == "chatDamaged")
        #expect(!checkup.isOK)
        #expect(checkup.findings.allSatisfy { !$0.isFixable && $0.id != "searchIndex" })
        #expect(checkup.leftOut.contains { if case .failed = $0.reason { true } else { false } })
    }
}

extension StoreCheck {
    /// The checks whose findings the caller gives.
    static let givenIDs = Set([
        "olderVersion", "newerVersion", "otherHistory", "viewForTable", "unreadableInApp", "noEnabledRelays",
        "noEnabledSMPServers", "noEnabledXFTPServers", "channelWithoutActiveRelay",
        mismatchedPair, exchangedFiles, foreignPair, unknownStore, missingDatabase, unreadableDatabase,
        interruptedMigration, interruptedRestore, interruptedPassphraseChange, abandonedFiles, editedMigration,
        schemaDrift(.chat), schemaDrift(.agent),
        schemaMissing(.chat), schemaMissing(.agent), schemaLost(.chat), schemaLost(.agent), duplicateRow(.chat),
        duplicateRow(.agent), lostMigrations, foreignLog, orphanLog, uselessLog, copiedDatabase,
    ])
}
