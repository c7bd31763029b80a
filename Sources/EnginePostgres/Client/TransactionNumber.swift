import ChatDBEngine

/// The number of a transaction, by which the server can be asked later whether it committed.
struct TransactionNumber: Equatable {
    /// The number as the server writes it.
    let text: String
    /// The history of the server in which the transaction has this number.
    let history: ServerHistory

    /// The question for the status: `committed`, `aborted`, `in progress` or `unknown`.
    ///
    /// After a crash, the server gives the numbers again of which its log on the disk knows nothing. So in another
    /// history a number that is committed may be that of another transaction. One that is not committed says enough, if
    /// the process of the server is another one too: the transaction cannot be running there any more. A replica may be
    /// behind its server.
    var question: String {
        """
        SELECT CASE
            WHEN pg_is_in_recovery() THEN 'unknown'
            WHEN history = $2 THEN coalesce(pg_xact_status($1::xid8), 'unknown')
            WHEN start = $3 THEN 'unknown'
            WHEN $1::xid8 >= pg_snapshot_xmax(pg_current_snapshot()) THEN 'aborted'
            WHEN pg_xact_status($1::xid8) IN ('aborted', 'in progress') THEN 'aborted'
            ELSE 'unknown' END AS status
        FROM (\(ServerHistory.question)) AS present
        """
    }

    /// The values of the question.
    var values: [SQLValue] { [.text(text), .text(history.statistics), .text(history.start)] }
}

/// A time in which a server had no crash: the numbers of its transactions are unique in it.
struct ServerHistory: Equatable {
    /// Since when the server counts what it does. It counts anew after a crash, and not after a restart; a replica that
    /// becomes the server has its own time.
    let statistics: String
    /// When the process of the server was started. After the crash of a connection it is the same.
    let start: String

    /// Every role may ask it. The names are those of the server's catalogue whatever the search path is.
    static let question = """
        SELECT coalesce(extract(epoch FROM stats_reset)::pg_catalog.text, '') AS history,
            extract(epoch FROM pg_catalog.pg_postmaster_start_time())::pg_catalog.text AS start
        FROM pg_catalog.pg_stat_bgwriter
        """
}
