/// A question in SQL that somebody asks a database, with the limits of its answer.
public struct Question: Sendable {
    /// One statement that reads.
    public let sql: String
    /// Whether columns that tell of people are shown; secrets never are.
    public let showsPersonal: Bool
    /// How many rows are taken at most.
    public let rows: Int
    /// How long it may take.
    public let time: Duration
    /// How many bytes the rows may take in memory together: those of their texts, and some for each value.
    public let bytes: Int

    /// A question; the limits are those for one that nobody has thought about.
    public init(
        _ sql: String, showsPersonal: Bool = false, rows: Int = 1_000, time: Duration = .seconds(30),
        bytes: Int = 64 << 20
    ) {
        self.sql = sql
        self.showsPersonal = showsPersonal
        self.rows = rows
        self.time = time
        self.bytes = bytes
    }
}

/// An open database to which questions are put. Whoever asks sees no secret by accident; whoever has the file has
/// everything.
public protocol QuestionConnection {
    /// Answers a question, in a transaction of its own. An implementation must run nothing but one statement that reads,
    /// and must put NULL in the place of every column that is not shown, wherever in the statement it stands.
    func ask(_ question: Question) throws(QuestionError) -> QuestionAnswer

    /// What was done to read the database without changing it, a clause each; empty for the usual case.
    var notes: [String] { get }

    /// Closes. Further questions fail.
    func close() throws(StoreError)
}
