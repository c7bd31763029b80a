public import ChatDBSchema

/// Where a run is, told while it goes on.
public enum MigrationProgress: Sendable, Hashable {
    /// Somebody else has the store; the run waits.
    case waiting
    /// An interrupted run has been brought to its end; what was asked for comes now.
    case completed(IntentRecord)
    /// The database is looked through for damage.
    case checking(DatabaseName)
    /// It is being copied; the part done, 0…1.
    case backingUp(DatabaseName, Double)
    /// The copy is looked through.
    case verifyingBackup(DatabaseName)
    /// A migration is being applied or undone, the first of the run being number 1.
    case migrating(DatabaseName, MigrationStep, number: Int, of: Int)
    /// The result is compared with what it should be.
    case verifying(DatabaseName)

    /// Who is told. Called on the thread of the run.
    public typealias Handler = @Sendable (MigrationProgress) -> Void
}
