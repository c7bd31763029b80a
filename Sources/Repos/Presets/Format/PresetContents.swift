import ChatDBSchema

/// The source from which a preset is written: a file in memory, or the rows of a profile as they are read.
protocol PresetContents {
    /// The operators in their order. Their entries are read one by one.
    var operators: [PresetOperator] { get }
    /// Whether the preset has a list of operators.
    var tellsOperators: Bool { get }
    var exportedAt: StoredTime? { get }
    var profile: String? { get }

    /// The lists that the preset has.
    func lists(ofOperatorAt index: Int?) -> Set<PresetEntries.List>

    /// Calls `body` with the servers of one protocol that belong to the operator at a place, or to none, in order.
    func forEachServer(
        _ serverProtocol: ServerProtocol, ofOperatorAt index: Int?, _ body: (PresetServer) throws -> Void) throws

    /// Calls `body` with the relays that belong to the operator at a place, or to none, in order.
    func forEachRelay(ofOperatorAt index: Int?, _ body: (PresetRelay) throws -> Void) throws
}

extension PresetContents {
    /// Writes the preset: one entry is in memory at a time. The same contents give the same bytes.
    func write(_ disclosure: PresetDisclosure, to writer: inout some DocumentWriter) throws {
        writer.beginObject()
        try writer.member("format", .string(PresetReader.format))
        try writer.member("version", .integer(PresetFile.version))
        if let exportedAt { try writer.member("exportedAt", .string(exportedAt.iso8601)) }
        if let profile { try writer.member("profile", .string(profile)) }
        if tellsOperators { try writeOperators(disclosure, to: &writer) }
        writer.name("custom")
        writer.beginObject()
        try writeEntries(ofOperatorAt: nil, disclosure, to: &writer)
        writer.endObject()
        writer.endObject()
        try writer.finish()
    }

    private func writeOperators(_ disclosure: PresetDisclosure, to writer: inout some DocumentWriter) throws {
        writer.name("operators")
        writer.beginArray()
        for (index, preset) in operators.enumerated() {
            writer.beginObject()
            for member in preset.members { try writer.member(member.name, member.value) }
            try writeEntries(ofOperatorAt: index, disclosure, to: &writer)
            writer.endObject()
        }
        writer.endArray()
    }

    private func writeEntries(
        ofOperatorAt index: Int?, _ disclosure: PresetDisclosure, to writer: inout some DocumentWriter
    ) throws {
        let lists = lists(ofOperatorAt: index)
        for serverProtocol in ServerProtocol.allCases where lists.contains(.init(serverProtocol)) {
            writer.name(PresetEntries.List(serverProtocol).rawValue)
            writer.beginArray()
            try forEachServer(serverProtocol, ofOperatorAt: index) { try writer.value($0.json(disclosure)) }
            writer.endArray()
        }
        guard lists.contains(.relays) else { return }
        writer.name(PresetEntries.List.relays.rawValue)
        writer.beginArray()
        try forEachRelay(ofOperatorAt: index) { try $0.write(disclosure, to: &writer) }
        writer.endArray()
    }
}

extension PresetFile: PresetContents {
    func forEachServer(
        _ serverProtocol: ServerProtocol, ofOperatorAt index: Int?, _ body: (PresetServer) throws -> Void
    ) throws {
        try entries(ofOperatorAt: index).servers(serverProtocol).forEach(body)
    }

    func forEachRelay(ofOperatorAt index: Int?, _ body: (PresetRelay) throws -> Void) throws {
        try entries(ofOperatorAt: index).relays.forEach(body)
    }

    func lists(ofOperatorAt index: Int?) -> Set<PresetEntries.List> { entries(ofOperatorAt: index).lists }

    private func entries(ofOperatorAt index: Int?) -> PresetEntries {
        index.map { operators[$0].entries } ?? custom
    }
}
