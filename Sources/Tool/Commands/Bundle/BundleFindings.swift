import ChatDBKit

/// What `chatdb check` says of the store: ids and numbers. docs/checks.md tells what an id means; samples stay behind.
enum BundleFindings {
    /// Null when the store cannot be checked; the notes say why.
    static func json(
        _ location: StoreLocation, with engine: SQLiteEngine, _ output: Output, _ notes: inout [String]
    ) -> JSONValue {
        do {
            let found = try CheckedStore.check(location, with: engine, output)
            return .array(found.checkup.findings.map(\.withoutSamples))
        } catch {
            notes.append("findings: the store cannot be checked (\(ErrorReport(error).code))")
            return .null
        }
    }
}

extension Finding {
    fileprivate var withoutSamples: JSONValue {
        [
            "id": .string(id), "severity": .string(severity.rawValue), "count": JSONValue(count),
            "fixable": .bool(isFixable),
        ]
    }
}
