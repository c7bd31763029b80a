/// The keys of addresses and links in the SQL of PostgreSQL, for the spellings that SimpleX Chat writes. Another spelling
/// has the key that `relayKey` and `linkKey` give to what they cannot read. Rule: docs/simplex.md, "On PostgreSQL".
enum ServerKeys {
    private static let key = "[A-Za-z0-9_-]{43}"
    private static let host = "h=([^,&]+)"

    /// The key of a relay's address; the text itself for another spelling.
    static func ofRelay(_ text: String) -> String {
        "coalesce(\(inParameter("ra", text, "simplex:")), \(asSite("ra", text)), \(text))"
    }

    /// The key of a link; NULL for another spelling.
    static func ofLink(_ text: String) -> String {
        "coalesce(\(inParameter("cgar", text, "(?:simplex:|\(app))")), \(asSite("cgar", text)), \(full(text)))"
    }

    /// The site of the app, which is no server.
    private static let app = "https://(?:www[.])?simplex[.]chat"

    /// A short link whose host is a parameter.
    private static func inParameter(_ types: String, _ text: String, _ begin: String) -> String {
        joined(text, "^\(begin)/([\(types)])#(\(key))[?](?:.*&)?\(host)", "m[1] || '#' || m[2] || '@' || lower(m[3])")
    }

    /// A short link whose host is the site.
    private static func asSite(_ types: String, _ text: String) -> String {
        joined(
            text, "^(?!\(app)/)https://([^/]+)/([\(types)])#(\(key))(?:[?]|$)",
            "m[2] || '#' || m[3] || '@' || lower(m[1])")
    }

    /// A full link, whose first queue is a parameter with percent signs.
    private static func full(_ text: String) -> String {
        joined(
            text,
            "[/]contact/?#.*[?&]smp=smp%3A%2F%2F[A-Za-z0-9_-]+(?:%3D|=)*%40([A-Za-z0-9.-]+)"
                + "(?:%2C[A-Za-z0-9.-]+)*(?:%3A[0-9]+)?%2F([A-Za-z0-9_-]+)",
            "'smp#' || m[2] || '@' || lower(m[1])")
    }

    private static func joined(_ text: String, _ pattern: String, _ parts: String) -> String {
        "(SELECT \(parts) FROM regexp_match(\(text), '\(pattern)') AS m)"
    }
}
