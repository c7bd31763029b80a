import ChatDBEngine
import ChatDBSchema

/// Which columns the values of a result column come from: masked ones, others, or both. Rule: docs/query.md, "What is
/// masked".
enum ResultOrigin: Hashable {
    /// No row is known yet. A column of a recursive common table has this origin at first.
    case none
    /// It reads no masked column, so a NULL in it is a NULL of the file.
    case shown
    /// Every row reads a masked column. If `isComputed`, an expression may have replaced the NULL of the masked column
    /// by another value, as `coalesce(name, 'x')` does.
    case masked(ColumnClass, isComputed: Bool)
    /// Some parts of a compound read a masked column, and other parts do not.
    case partly(ColumnClass, isComputed: Bool)
    /// chatdb does not understand the statement.
    case unclear

    /// The origin of a column of a compound: some rows come from a column with this origin, the others from one with
    /// `other`.
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

    /// The origin of an expression that reads a column of this origin.
    var computed: ResultOrigin {
        guard let (columnClass, _) = masked else { return self }
        return .masked(columnClass, isComputed: true)
    }

    /// The origin of an expression that reads columns of both origins.
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
