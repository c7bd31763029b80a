package import Foundation

/// The meaning of a value to its reader, which colours show on a terminal.
package enum CellStyle: Sendable, Hashable {
    case good
    case bad
    case dim
    case strong
}

/// One value of a report, before formatting.
package struct Cell: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case nothing
        case text(String)
        /// An id or a port: the same in every format.
        case number(Int64)
        /// A number of things: with separators on a terminal.
        case count(Int64)
        /// A size: with a unit on a terminal, a number elsewhere.
        case bytes(Int64)
        /// A time: relative on a terminal, ISO 8601 elsewhere.
        case time(Date)
        case yesNo(Bool)
    }

    package let value: Value
    package let style: CellStyle?

    package init(_ value: Value, _ style: CellStyle? = nil) {
        self.value = value
        self.style = style
    }

    /// Shown as `–`; an empty field in CSV.
    package static let nothing = Cell(.nothing)

    package static func text(_ text: String?, _ style: CellStyle? = nil) -> Cell {
        text.map { Cell(.text($0), style) } ?? .nothing
    }

    package static func number(_ number: (some BinaryInteger)?, _ style: CellStyle? = nil) -> Cell {
        number.map { Cell(.number(Int64(clamping: $0)), style) } ?? .nothing
    }

    package static func count(_ count: (some BinaryInteger)?, _ style: CellStyle? = nil) -> Cell {
        count.map { Cell(.count(Int64(clamping: $0)), style) } ?? .nothing
    }

    package static func bytes(_ bytes: (some BinaryInteger)?, _ style: CellStyle? = nil) -> Cell {
        bytes.map { Cell(.bytes(Int64(clamping: $0)), style) } ?? .nothing
    }

    package static func time(_ time: Date?, _ style: CellStyle? = nil) -> Cell {
        time.map { Cell(.time($0), style) } ?? .nothing
    }

    package static func yesNo(_ value: Bool?, _ style: CellStyle? = nil) -> Cell {
        value.map { Cell(.yesNo($0), style) } ?? .nothing
    }
}

extension Cell: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(.text(value)) }
}
