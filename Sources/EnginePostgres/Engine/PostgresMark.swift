import ChatDBEngine

/// The mark that says which program made a schema: the number that a database of files has in its header, in the
/// comment of the schema.
enum PostgresMark {
    private static let words = "chatdb "

    /// The mark of the present schema; nil without one.
    static func read(in transaction: any ReadTransaction) throws(StoreError) -> Int64? {
        let row = try transaction.first(
            "SELECT pg_catalog.obj_description(\(PostgresCatalog.schema), 'pg_namespace') AS comment")
        guard let comment: String = try row?.get("comment"), comment.hasPrefix(words) else { return nil }
        return Int64(comment.dropFirst(words.utf8.count))
    }

    /// The statement that sets the mark.
    static func setting(_ mark: Int64, of schema: String) -> String {
        "COMMENT ON SCHEMA \(SQLName.quoted(schema)) IS '\(words)\(mark)'"
    }
}
