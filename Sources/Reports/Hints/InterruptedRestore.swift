package import ChatDBKit

/// The texts about an interrupted restore, or an interrupted change of the passphrase.
extension RestoreRecord {
    /// What was interrupted, a clause.
    package var interruption: String {
        rewriting == nil
            ? "a restore of \(backup) begun at \(startedAt) was interrupted"
            : "a change of the passphrase begun at \(startedAt) was interrupted"
    }

    /// The command that completes it.
    package var completion: HintedCommand {
        rewriting?.kind.command ?? HintedCommand(.restore, [backup])
    }
}

extension RestoreRecord.Rewriting.Kind {
    /// The command that makes such a change, and completes it.
    package var command: HintedCommand {
        switch self {
        case .set: HintedCommand(.passphraseSet)
        case .change: HintedCommand(.passphraseChange)
        case .remove: HintedCommand(.passphraseRemove)
        }
    }
}
