extension StoreCheck {
    /// All checks, in the order of findings of one severity.
    public static let all: [StoreCheck] =
        ofFiles + ofVersions + ofBothDatabases + ofProfiles + ofNames + ofReferences + ofRelays + ofGroupRelays
        + ofGroups + ofConnections + ofServersAndSettings + ofMessages + ofLeftovers + ofLostSchema
}
