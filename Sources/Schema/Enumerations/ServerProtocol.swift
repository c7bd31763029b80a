/// What a server speaks. Closed: a server of another protocol, of a newer app, stays in the store and is not read.
public enum ServerProtocol: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// Messages.
    case smp
    /// Files.
    case xftp

    /// The text as it is stored, and the scheme of an address: `smp` or `xftp`.
    public var text: String { rawValue }

    /// The name as people write it: `SMP` or `XFTP`.
    public var shownName: String {
        switch self {
        case .smp: "SMP"
        case .xftp: "XFTP"
        }
    }

    /// `smp` or `xftp`.
    public var description: String { rawValue }
}
