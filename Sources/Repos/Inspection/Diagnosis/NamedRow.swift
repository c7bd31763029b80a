package import ChatDBEngine
import ChatDBReposChat
import ChatDBReposKit

/// The number of a row of the chat database in a message, such as `groupId = 5`.
package struct RowName: Sendable, Hashable {
    /// The table of the row.
    package let table: String
    /// The column with the number.
    let key: String
    /// The number of the row. It is nil for a number of more digits than any row can have.
    package let number: Int64?
    /// The number as an answer shows it.
    package let shownNumber: String

    /// The rows that the words of a text name, each once. A number is that of a row if it follows the app's name for row
    /// numbers of a table.
    static func found(in words: [String]) -> [RowName] {
        var rows: [RowName] = []
        var seen: Set<RowName> = []
        for (name, value) in zip(words, words.dropFirst()) {
            guard let (table, key) = keys[name], isNumber(value) else { continue }
            let number = Int64(value)
            let row = RowName(table: table, key: key, number: number, shownNumber: number.map(String.init) ?? value)
            if seen.insert(row).inserted { rows.append(row) }
        }
        return rows
    }

    private static func isNumber(_ word: String) -> Bool {
        let digits = word.utf8.drop { $0 == UInt8(ascii: "-") }
        return !digits.isEmpty && digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
    }

    /// The app's names for row numbers in lower case, each with the table and the column of the number.
    fileprivate static let keys: [String: (table: String, key: String)] = [
        "userid": ("users", "user_id"), "contactid": ("contacts", "contact_id"), "groupid": ("groups", "group_id"),
        "groupmemberid": ("group_members", "group_member_id"), "itemid": ("chat_items", "chat_item_id"),
        "fileid": ("files", "file_id"), "profileid": ("contact_profiles", "contact_profile_id"),
        "contactrequestid": ("contact_requests", "contact_request_id"), "connid": ("connections", "connection_id"),
    ]
}

/// A row that a message names, and what the store has of it.
package struct NamedRow: Sendable, Hashable {
    /// What the store has of the row. The number of a hidden profile is never given.
    package enum State: Sendable, Hashable {
        /// The row is the active profile, or belongs to it.
        case ofActiveProfile(Int64)
        /// The row is the profile with this number, or belongs to it, and another profile is active. The app finds rows
        /// of the active profile only.
        case ofOtherProfile(Int64)
        /// The row belongs to a hidden profile.
        case ofHiddenProfile
        /// The row belongs to no profile.
        case ofNoProfile
        /// There is no such row.
        case missing
        /// There is no such profile, or it is hidden. Only the number of hidden profiles is known.
        case missingOrHidden
        /// The row cannot be read, for this reason.
        case unreadable(String)
    }

    package let name: RowName
    package let state: State

    package init(name: RowName, state: State) {
        self.name = name
        self.state = state
    }

    /// Reads a row that a text names, in a transaction of its own: after an error about damage, no statement of the
    /// transaction works. Damage makes the row unreadable, and other rows can still be read.
    package init(_ name: RowName, in chat: any StorageConnection) throws(StoreError) {
        self.name = name
        do {
            state = try chat.read { try Self.state(of: name, in: $0) }
        } catch {
            let error = StoreError(checking: error)
            if error.endsReading { throw error }
            state = .unreadable(error.message)
        }
    }

    /// Whether the message comes from the row, or may come from it: the app looks for the row among those of the active
    /// profile, and does not find it there.
    package func explains(_ message: KnownMessage) -> Bool {
        guard name.table == message.table else { return false }
        return switch state {
        case .missing, .missingOrHidden, .unreadable: true
        // The app looks for profiles among all of them.
        case .ofOtherProfile, .ofHiddenProfile, .ofNoProfile: name.table != "users"
        case .ofActiveProfile: false
        }
    }

    /// Whether a message that the row ``explains(_:)`` comes from it. Otherwise the message may come from it.
    package var isCertain: Bool {
        switch state {
        case .missing, .ofOtherProfile, .ofHiddenProfile: true
        case .ofActiveProfile, .ofNoProfile, .missingOrHidden, .unreadable: false
        }
    }

    /// Whether a word in lower case is the app's name for row numbers of a table.
    static func isName(_ word: String) -> Bool { RowName.keys[word] != nil }

    private static func state(of name: RowName, in chat: any ReadTransaction) throws(StoreError) -> State {
        // No row has a number of so many digits.
        guard let number = name.number else { return .missing }
        let row = try chat.first(
            "SELECT user_id FROM \(identifier: name.table) WHERE \(identifier: name.key) = \(number)")
        let isProfile = name.table == "users"
        guard let row else {
            let hidden = isProfile ? try chat.first("SELECT 1 FROM users WHERE view_pwd_hash IS NOT NULL") : nil
            return hidden == nil ? .missing : .missingOrHidden
        }
        // A view of another program's table has the number 0 for a row without a profile.
        guard let user: Int64 = try row.get("user_id"), user != 0 else { return .ofNoProfile }
        let profile = try chat.first(
            "SELECT active_user, view_pwd_hash IS NOT NULL AS hidden FROM users WHERE user_id = \(user)")
        guard let profile else { return .ofOtherProfile(user) }
        if try profile.get("hidden") as Bool { return isProfile ? .missingOrHidden : .ofHiddenProfile }
        return try profile.get("active_user") as Bool ? .ofActiveProfile(user) : .ofOtherProfile(user)
    }
}
