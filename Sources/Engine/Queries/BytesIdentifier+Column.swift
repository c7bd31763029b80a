public import ChatDBSchema

extension SecretBytes: ColumnValue {
    /// The bytes.
    public var sqlValue: SQLValue { .blob(bytes) }

    /// Bytes only.
    public init?(sqlValue: SQLValue) {
        guard case .blob(let bytes) = sqlValue else { return nil }
        self.init(bytes)
    }
}

extension Query.StringInterpolation {
    /// Binds an identifier of bytes.
    public mutating func appendInterpolation(_ identifier: BytesID<some Any>) {
        query.append(.blob(identifier.bytes))
    }

    /// Binds an identifier of bytes, or NULL.
    public mutating func appendInterpolation(_ identifier: BytesID<some Any>?) {
        query.append(identifier.map { .blob($0.bytes) } ?? .null)
    }
}

extension ResultRow {
    /// The identifier of bytes in a column.
    @inlinable
    public func get<Row>(_ column: String) throws(StoreError) -> BytesID<Row> {
        BytesID(bytes: try get(column))
    }

    /// The identifier of bytes in a column, or nil for NULL.
    @inlinable
    public func get<Row>(_ column: String) throws(StoreError) -> BytesID<Row>? {
        let bytes: [UInt8]? = try get(column)
        return bytes.map { BytesID(bytes: $0) }
    }
}
