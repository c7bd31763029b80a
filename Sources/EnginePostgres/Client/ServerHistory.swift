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
