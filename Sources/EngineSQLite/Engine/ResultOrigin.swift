import ChatDBEngine
import ChatDBSchema

/// What the values of a column say about masked columns.
enum ResultOrigin: Hashable {
    /// No row yet: the column of a recursive table before its first row is known.
    case none
    /// It reads no masked column: NULL is NULL.
    case shown
    /// Every row reads a masked column. With `isComputed`, a value may be a constant in the place of NULL.
    case masked(ColumnClass, isComputed: Bool)
    /// Some parts of a compound read a masked column and others do not.
    case partly(ColumnClass, isComputed: Bool)
    /// The statement is not understood here.
    case unclear

    /// A column whose rows come from here or from there.
    func or(_ other: ResultOrigin) -> ResultOrigin {
        switch (self, other) {
        case (.none, _): other
        case (_, .none): self
        case (.masked(let first, let one), .masked(let second, let two)):
            .masked(Self.stricter(first, second), isComputed: one || two)
        default:
            if let (first, one) = masked {
                if let (second, two) = other.masked {
                    .partly(Self.stricter(first, second), isComputed: one || two)
                } else {
                    .partly(first, isComputed: one)
                }
            } else if let (second, two) = other.masked {
                .partly(second, isComputed: two)
            } else {
                self == .unclear ? self : other
            }
        }
    }

    /// An expression that reads columns of this origin.
    var computed: ResultOrigin {
        guard let (columnClass, _) = masked else { return self }
        return .masked(columnClass, isComputed: true)
    }

    /// An expression that reads columns of both origins.
    func and(_ other: ResultOrigin) -> ResultOrigin {
        switch (computed, other.computed) {
        case (.masked(let first, _), .masked(let second, _)): .masked(Self.stricter(first, second), isComputed: true)
        case (.masked, _): computed
        case (_, .masked): other.computed
        case (.unclear, _), (_, .unclear): .unclear
        case (.none, _), (_, .none): .none
        default: .shown
        }
    }

    private var masked: (ColumnClass, isComputed: Bool)? {
        switch self {
        case .masked(let columnClass, let isComputed), .partly(let columnClass, let isComputed):
            (columnClass, isComputed)
        case .none, .shown, .unclear: nil
        }
    }

    static func stricter(_ first: ColumnClass, _ second: ColumnClass) -> ColumnClass {
        first == .secret || second == .secret ? .secret : first
    }
}
