package import ChatDBEngine
import ChatDBSchema

/// What is left of deleted items in the index of texts. It is out of every search at once; the pages of the index keep
/// the words until they are merged. Rule: docs/domain.md, "Chat items", Full.
package struct SearchIndex {
    let tx: any WriteTransaction

    package init(tx: any WriteTransaction) { self.tx = tx }

    /// Whether a profile has an item in a chat, whose words would be left.
    static func hasItems(in chat: ChatID, of user: UserID, _ tx: any ReadTransaction) throws(StoreError) -> Bool {
        try tx.first("SELECT 1 AS there FROM chat_items WHERE \(chat.hasItem(of: user)) LIMIT 1") != nil
    }

    /// Takes out what is left, in part or wholly.
    package func forget(_ part: TextSearch.Part) throws(StoreError) {
        if let statement = tx.dialect.textSearch.forget("chat_items_fts", part) { try tx.run(statement) }
    }
}
