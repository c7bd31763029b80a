package import ChatDBKit

/// A report about the rows that could be read. If rows are left out, it ends with a warning about them.
package struct ListedReport<Content: Report>: Report {
    package var content: Content
    /// The rows that are left out because a value cannot be read.
    package let leftOut: LeftOutRows
    /// The agent database, if the store was read without it because it cannot be read.
    package var unreadableAgent: UnreadableFile?

    /// Makes a report from a transaction.
    ///
    /// If the report fails because a row that it needs is left out, such as the named profile, the error says why the
    /// row cannot be read, and not that the row does not exist.
    package init(of transaction: any ReadTransaction, _ body: (any ReadTransaction) throws -> Content) throws {
        let listing = ListingTransaction(transaction)
        do {
            content = try body(listing)
        } catch {
            if !listing.leftOut.isEmpty { _ = try body(transaction) }
            throw error
        }
        leftOut = listing.leftOut
    }

    package var json: JSONValue {
        var added: [JSONValue.Member] = leftOut.isEmpty ? [] : [.init("unreadable", leftOut.json)]
        if let unreadableAgent { added.append(.init("unreadableDatabase", unreadableAgent.json(of: .agent))) }
        guard !added.isEmpty, let members = content.json.members else { return content.json }
        return .object(members + added)
    }

    package var document: Document {
        guard let sentence = leftOut.sentence else { return content.document }
        return Document(content.document.blocks + [.notes([.warning(sentence)])])
    }

    /// CSV has no place for the warning: ``StoreSession/list(_:)`` writes it to standard error.
    package var csvTable: Table { content.csvTable }
}
