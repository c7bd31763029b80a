/// The one of several things that a name means.
enum Chosen {
    /// The one thing that the first of the ways of naming that leads anywhere leads to; nil when none does. Throws
    /// `ambiguousName` when it leads to several.
    static func one<Thing: Candidate>(
        _ things: [Thing], by ways: [(Thing) -> Bool], what: String, _ given: String
    ) throws -> Thing? {
        for isMeant in ways {
            let found = things.filter(isMeant)
            if found.count > 1 {
                throw NameError.ambiguous(what: what, name: given, candidates: found.map(\.candidate))
            }
            if let thing = found.first { return thing }
        }
        return nil
    }
}

/// Something that is told apart from others of the same name.
protocol Candidate {
    /// How it is named for certain, and what it is: `id:7 (mine)`.
    var candidate: String { get }
}
