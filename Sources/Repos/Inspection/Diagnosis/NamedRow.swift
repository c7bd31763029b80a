public import ChatDBEngine
import ChatDBReposKit

/// A row of the chat database that a message names by its number, such as `groupId = 5`, and whether the store has it.
public struct NamedRow: Sendable, Hashable {
    /// Whether the store has the row.
    public enum State: Sendable, Hashable {
        /// The row exists, and belongs to the profile with this number.
        case ofProfile(Int64)
        /// There is no such row.
        case missing
    }

    /// The table of the row.
    public let table: String
    /// The number of the row.
    public let number: Int64
    /// Whether the store has the row, and to which profile it belongs.
    public let state: State

    /// The rows that a text names, each once, in the order of the text; empty if the text names no row. A number is
    /// that of a row if it follows the app's name for row numbers of a table.
    public static func found(in text: String, of chat: any ReadTransaction) throws(StoreError) -> [NamedRow] {
        var rows: [NamedRow] = []
        let parts = KnownMessage.parts(of: text)
        for (name, value) in zip(parts, parts.dropFirst()) {
            guard let (table, key) = keys[name], let number = Int64(value),
                !rows.contains(where: { $0.table == table && $0.number == number })
            else { continue }
            let row = try chat.first(
                "SELECT user_id FROM \(identifier: table) WHERE \(identifier: key) = \(number)")
            let user: Int64? = try row?.get("user_id")
            rows.append(NamedRow(table: table, number: number, state: user.map { .ofProfile($0) } ?? .missing))
        }
        return rows
    }

    /// The app's names for row numbers in lower case, each with the table and the column of the number.
    private static let keys: [String: (table: String, key: String)] = [
        "userid": ("users", "user_id"), "contactid": ("contacts", "contact_id"), "groupid": ("groups", "group_id"),
        "groupmemberid": ("group_members", "group_member_id"), "itemid": ("chat_items", "chat_item_id"),
        "fileid": ("files", "file_id"), "profileid": ("contact_profiles", "contact_profile_id"),
        "contactrequestid": ("contact_requests", "contact_request_id"), "connid": ("connections", "connection_id"),
    ]
}
