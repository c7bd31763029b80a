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
