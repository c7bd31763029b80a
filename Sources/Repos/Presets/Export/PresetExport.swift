public import ChatDBEngine
public import ChatDBReposChat
public import ChatDBSchema

/// The servers and relays of a profile as a preset: operators as the store has them with the profile's preset entries,
/// all else as custom, entries by address. Nothing in it depends on ids or times, so the same state gives the same
/// preset. Soft-deleted relays are no part of it. Rule: docs/presets.md, "Export".
public struct PresetExport {
    private let contents: ProfileContents

    /// Prepares the export of a profile. Throws `profileNotFound`, and for hidden profiles too unless they are shown.
    ///
    /// With an origin, the preset tells the name of the profile and this time.
    public init(
        of user: UserID, in chat: any ReadTransaction, hidden: HiddenProfiles = .leftOut,
        _ selection: PresetSelection = PresetSelection(), origin: StoredTime? = nil
    ) throws(PresetError) {
        let profile = try PresetError.from { try UsersRepo(chat).get(user, hidden: hidden) }
        contents = ProfileContents(
            rows: ProfileRows(chat: chat, user: user), selection: selection,
            stored: try PresetError.from { try OperatorsRepo(chat).all() }, exportedAt: origin,
            profile: origin.map { _ in profile.name })
    }

    /// The preset in memory.
    public func file() throws(PresetError) -> ExportedPreset {
        try PresetError.from {
            var file = PresetFile(
                exportedAt: contents.exportedAt, profile: contents.profile, operators: contents.operators)
            file.tellsOperators = contents.tellsOperators
            for index in file.operators.indices { file.operators[index].entries = try entries(ofOperatorAt: index) }
            file.custom = try entries(ofOperatorAt: nil)
            return ExportedPreset(file: file, notes: contents.findings.notes)
        }
    }

    /// Writes the preset as text, one entry in memory at a time. Answers what is to be told of it.
    public func write(
        _ disclosure: PresetDisclosure = PresetDisclosure(), _ spelling: PresetSpelling = .json,
        to sink: @escaping (_ bytes: [UInt8]) throws -> Void
    ) throws -> PresetExportNotes {
        try contents.write(disclosure, spelling, to: sink)
        return PresetExportNotes(leftOut: contents.findings.notes, passwords: contents.findings.passwords)
    }

    private func entries(ofOperatorAt index: Int?) throws -> PresetEntries {
        var entries = PresetEntries()
        entries.lists = contents.lists(ofOperatorAt: index)
        for serverProtocol in ServerProtocol.allCases {
            try contents.forEachServer(serverProtocol, ofOperatorAt: index) { entries.append($0) }
        }
        try contents.forEachRelay(ofOperatorAt: index) { entries.relays.append($0) }
        return entries
    }
}

/// A profile's preset in memory.
public struct ExportedPreset: Sendable, Hashable {
    /// The preset.
    public let file: PresetFile
    /// What could not be exported, a clause each; empty for the usual case.
    public let notes: [String]
}

/// What is to be told of a preset that was written.
public struct PresetExportNotes: Sendable, Hashable {
    /// What could not be exported, a clause each; empty for the usual case.
    public let leftOut: [String]
    /// How many of the servers have a password.
    public let passwords: Int
}
