import GRDBSQLite

/// What a statement may do on a hardened connection: read, and ask about the schema.
enum ReadingAuthorizer {
    /// Pragmas that tell something, and are refused with a value: that would set it.
    static let tellingPragmas: Set<String> = [
        "application_id", "cell_size_check", "compile_options", "data_version", "encoding", "freelist_count",
        "function_list", "journal_mode", "mmap_size", "page_count", "page_size", "schema_version", "table_list",
        "temp_store", "user_version",
    ]

    /// Pragmas whose value is what they are asked about. `query_only` is among them because GRDB sets it before and
    /// after each read; the file is opened read-only whatever it says.
    static let askingPragmas: Set<String> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
        "query_only", "quick_check", "table_info", "table_list", "table_xinfo",
    ]

    private static let refusedFunctions: Set<String> = ["load_extension", "fts3_tokenizer"]

    /// For `sqlite3_set_authorizer`.
    static let callback:
        @convention(c) (
            UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
            UnsafePointer<CChar>?
        ) -> CInt = { _, action, first, second, _, _ in
            switch action {
            case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE, SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
                return SQLITE_OK
            case SQLITE_FUNCTION:
                return refusedFunctions.contains(text(second).lowercased()) ? SQLITE_DENY : SQLITE_OK
            case SQLITE_PRAGMA:
                let name = text(first).lowercased()
                let isHarmless = askingPragmas.contains(name) || second == nil && tellingPragmas.contains(name)
                return isHarmless ? SQLITE_OK : SQLITE_DENY
            case SQLITE_UPDATE where text(first) == "sqlite_master":
                // Declaring a virtual table asks for this; nothing is written. Without it no FTS5 table can be read.
                return SQLITE_OK
            default:
                return SQLITE_DENY
            }
        }

    static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        pointer.map { String(cString: $0) } ?? ""
    }
}
