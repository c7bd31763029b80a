/// Which part of a profile's configuration is exported.
public struct PresetSelection: Sendable, Hashable {
    /// A kind of thing in a preset.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Relays.
        case relays
        /// SMP and XFTP servers.
        case servers
        /// Operators themselves. Those whose entries are exported are named with them in any case.
        case operators
    }

    /// The kinds that are exported.
    public var kinds: Set<Kind>
    /// Whether only what is no operator's preset is exported.
    public var customOnly: Bool
    /// Whether only entries that are enabled are exported.
    public var enabledOnly: Bool

    /// Everything unless narrowed.
    public init(kinds: Set<Kind> = Set(Kind.allCases), customOnly: Bool = false, enabledOnly: Bool = false) {
        self.kinds = kinds
        self.customOnly = customOnly
        self.enabledOnly = enabledOnly
    }
}
