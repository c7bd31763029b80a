package import ChatDBKit

/// Two files that the command line names together, of which at least one was adopted alone: they are no pair, and no
/// backup has both.
package struct SeparateAdoption {
    /// The databases that were adopted alone, chat first.
    private let alone: [FoundDatabase]
    private let context: StoreContext

    /// Answers nil for any other store.
    package init?(_ status: StoreStatus, _ context: StoreContext) {
        guard context.location.hasNamedFiles, status.interrupted == nil, status.interruptedRestore == nil else {
            return nil
        }
        let parts = DatabaseName.allCases.compactMap { status.readable[$0] }
        let alone = parts.filter { part in
            part.kind == .chatdb && part.partner == nil && part.identity != nil
                && part.applied.contains { $0.note == Ledger.adopted }
        }
        guard parts.count == DatabaseName.allCases.count, !alone.isEmpty,
            parts.allSatisfy({ alone.contains($0) || $0.isNotAdopted })
        else { return nil }
        (self.alone, self.context) = (alone, context)
    }

    /// The way to a pair: the commands that undo each adoption, and the one that adopts both files.
    package var hint: Hint {
        let names = alone.map { fileName(of: $0.path) }.joined(separator: " and ")
        let isOne = alone.count == 1
        let restores = alone.map(restore)
        let version = alone.flatMap(\.applied).filter { $0.note == Ledger.adopted }.map(\.name).max() ?? "NAME"
        let undo: Hint = restores.count == 1 ? restores[0] : "\(restores[0]); \(restores[1])"
        return """
            \(names) \(isOne ? "was" : "were each") adopted alone, and only files that were adopted together are a pair. \
            Name each file alone; or, to make them a pair, undo \(isOne ? "the adoption" : "each adoption"), without what \
            was written since, and adopt both together: \(undo); \(.migrateBaseline, "--to", version)
            """
    }

    /// The command that undoes the adoption of one file.
    private func restore(_ part: FoundDatabase) -> Hint {
        guard let location = try? StoreLocation(files: [part.name: part.path]),
            let backup = StoreContext(engine: context.engine, location: location, build: [:]).backupBeforeAdoption
        else { return "restore the backup of \(fileName(of: part.path)) from before its adoption" }
        return "\(HintedCommand(.restore, [backup] + location.words))"
    }
}
