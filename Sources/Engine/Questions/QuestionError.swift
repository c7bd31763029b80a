/// Why a question got no answer.
public enum QuestionError: Error, Sendable, Hashable {
    /// The SQL is wrong, or does not fit the tables: the engine's words.
    case invalid(String)
    /// The SQL is right, and nothing that is run here: a clause that says why.
    case refused(String)
    /// It took longer than it was given.
    case tooSlow(Duration)
    /// The rows hold more bytes than were allowed.
    case tooLarge(bytes: Int)
    /// A value or the statement itself is bigger than anything of a file from elsewhere may be: the engine's words.
    case tooBig(String)
    /// The database could not be read.
    case store(StoreError)
}
