/// An operator that this build ships a preset of; an operator without a tag is the user's own.
public enum OperatorTag: StoredText {
    /// SimpleX Chat.
    case simplex
    /// Flux.
    case flux
    /// A text from a newer app, kept.
    case unknown(String)

    /// In their natural order.
    public static let known: [OperatorTag] = [.simplex, .flux]

    /// The value of a stored text; any text has one.
    public init(text: String) {
        self = Self.known(text) ?? .unknown(text)
    }

    /// The text as it is stored.
    public var text: String {
        switch self {
        case .simplex: "simplex"
        case .flux: "flux"
        case .unknown(let text): text
        }
    }
}
