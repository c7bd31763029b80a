import ChatDBKit

/// A transaction that notes every query that goes through it.
final class RecordingTransaction: WriteTransaction {
    private let transaction: any WriteTransaction
    private(set) var queries: [Query] = []

    init(_ transaction: any WriteTransaction) {
        self.transaction = transaction
    }

    var dialect: Dialect { transaction.dialect }

    func rows(_ query: Query) throws(StoreError) -> [ResultRow] {
        queries.append(query)
        return try transaction.rows(query)
    }

    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws {
        queries.append(query)
        try transaction.forEach(query, body)
    }

    @discardableResult
    func run(_ query: Query) throws(StoreError) -> Int {
        queries.append(query)
        return try transaction.run(query)
    }
}
