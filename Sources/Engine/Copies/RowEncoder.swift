/// Writes rows of a table in a binary format of PostgreSQL.
package struct RowEncoder {
    /// What stands around the values, each of which has its length before it.
    package enum Layout {
        /// As COPY has rows: the number of columns in two bytes.
        case copied
        /// As `record_send` has them: the number of columns in four bytes, and before each value the number of its type.
        case record
    }

    private let columns: [CopiedColumn]
    private let forms: [CopiedForm]
    private let layout: Layout

    /// Rows with these columns.
    package init(_ columns: [CopiedColumn], _ layout: Layout) {
        (self.columns, self.layout) = (columns, layout)
        forms = columns.map(\.form)
    }

    /// Appends a row.
    ///
    /// Throws `constraintViolation` for a value that its column cannot hold, and `beyondLimits` for one of 1 GiB or
    /// more. The messages have the column and the type of the value, and not the value.
    package func append(_ values: [CopiedValue], to buffer: CopyBuffer) throws(StoreError) {
        guard values.count == forms.count else {
            throw StoreError(.unexpectedRow, "a row has another number of columns than its table")
        }
        var size = 4
        for index in values.indices {
            let length = values[index].length
            guard length < CopiedValue.tooLarge else {
                throw StoreError(.beyondLimits, "column \(columns[index].name) has a value of 1 GiB or more")
            }
            // The number of the type, the length and the value.
            size += 4 + 4 + length
        }
        try buffer.append(atMost: size) { (start) throws(StoreError) -> UnsafeMutableRawPointer in
            var place =
                layout == .record ? start.put(Int32(forms.count).bigEndian) : start.put(Int16(forms.count).bigEndian)
            for index in values.indices {
                let form = forms[index]
                if layout == .record { place = place.put(form.rawValue.bigEndian) }
                switch (values[index], form) {
                case (.null, _): place = place.put(Int32(-1).bigEndian)
                case (.integer(let number), .bigInteger): place = Self.put(number, at: place)
                case (.integer(let number), .smallInteger):
                    place = Self.put(try narrowed(number, index) as Int16, at: place)
                case (.integer(let number), .integer): place = Self.put(try narrowed(number, index) as Int32, at: place)
                case (.real(let number), .real): place = Self.put(number.bitPattern, at: place)
                case (.text(let bytes), .text), (.bytes(let bytes), .bytes):
                    place = place.put(Int32(bytes.count).bigEndian).put(bytes)
                default:
                    throw StoreError(
                        .constraintViolation,
                        "column \(columns[index].name) has \(values[index].typeName), which its type on the server "
                            + "does not hold")
                }
            }
            return place
        }
    }

    private static func put(
        _ number: some FixedWidthInteger & BitwiseCopyable, at place: UnsafeMutableRawPointer
    ) -> UnsafeMutableRawPointer {
        place.put(Int32(number.bitWidth / 8).bigEndian).put(number.bigEndian)
    }

    private func narrowed<Number: FixedWidthInteger>(_ number: Int64, _ column: Int) throws(StoreError) -> Number {
        if let number = Number(exactly: number) { return number }
        throw StoreError(
            .constraintViolation,
            "column \(columns[column].name) has a number that is too large for its type on the server")
    }
}

extension CopiedValue {
    /// The number of bytes of the value, at most.
    fileprivate var length: Int {
        switch self {
        case .null: 0
        case .integer, .real: 8
        case .text(let bytes), .bytes(let bytes): bytes.count
        }
    }
}
