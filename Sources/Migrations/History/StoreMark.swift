package import ChatDBSchema

/// The number in a database's header by which it is known to be ours: `chtC` and `chtA` in ASCII.
package enum StoreMark {
    /// The mark of one of the two databases.
    package static func of(_ database: DatabaseName) -> Int64 {
        switch database {
        case .chat: 0x6368_7443
        case .agent: 0x6368_7441
        }
    }
}
