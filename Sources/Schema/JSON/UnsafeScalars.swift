/// Characters that act on whoever shows them instead of being shown: they can move a terminal's cursor, hide a part of
/// a line, or turn the direction of what follows. Nothing that is printed holds them raw.
package enum UnsafeScalars {
    /// C0, DEL and C1 controls, line and paragraph separators, and the marks, embeddings, overrides and isolates of
    /// bidirectional text.
    package static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
