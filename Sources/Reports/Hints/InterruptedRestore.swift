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
        rewriting == nil ? HintedCommand(.restore, [backup]) : HintedCommand(.passphraseChange)
    }
}
