import ChatDBReposChat
import ChatDBSchema

/// Lines that every kind of plan has.
extension PresetPlan {
    /// An operator that is new.
    mutating func add(_ preset: PresetOperator) {
        add(
            PresetChange(.add, .operator, name: preset.tradeName, fields: PresetChange.fields(ofNew: preset)),
            .addOperator(preset))
    }

    /// A server that is new.
    mutating func add(_ server: PresetServer, isPreset: Bool, isEnabled: Bool, reason: String? = nil) {
        // Without its password it would fail at once.
        let isEnabled = isEnabled && !server.isPasswordOmitted
        let host = server.address.primaryHost
        if server.isPasswordOmitted {
            notes.append("the preset omits the password of the server \(host), which is therefore disabled")
        }
        add(
            PresetChange(
                .add, .init(server.address.serverProtocol), name: host,
                address: server.address.text(withPassword: false),
                fields: PresetChange.fields(ofNew: server, isEnabled: isEnabled), reason: reason),
            .addServer(server, isPreset: isPreset, isEnabled: isEnabled))
    }

    /// A relay that is new, or that comes back.
    mutating func add(
        _ relay: PresetRelay, restoring old: RelayWithUse?, isPreset: Bool, isEnabled: Bool, reason: String? = nil
    ) {
        let fields = PresetChange.fields(ofNew: relay, isEnabled: isEnabled)
        let address = relay.address.text
        if let old {
            add(
                PresetChange(
                    .restore, .relay, name: relay.name, address: address, fields: fields,
                    channelsUsing: old.use.using, reason: reason),
                .restoreRelay(old.relay.id, relay, isPreset: isPreset, isEnabled: isEnabled))
        } else {
            add(
                PresetChange(
                    .add, .relay, name: relay.name, address: address, fields: fields, channelsUsing: 0,
                    reason: reason),
                .addRelay(relay, isPreset: isPreset, isEnabled: isEnabled))
        }
    }

    /// A server as it is to be; one that is that already is unchanged.
    mutating func update(_ old: ProtocolServer, to new: ProtocolServer) {
        if new == old { return unchanged += 1 }
        add(
            PresetChange(
                .update, .init(old.serverProtocol), name: old.primaryHost, address: old.addressText(),
                fields: PresetChange.fields(old, new)),
            .updateServer(new))
    }

    /// A relay as it is to be; one that is that already is unchanged.
    mutating func update(_ old: RelayWithUse, to new: ChatRelay) {
        if new == old.relay { return unchanged += 1 }
        add(
            PresetChange(
                .update, .relay, name: old.relay.name, address: old.relay.address,
                fields: PresetChange.fields(old.relay, new), channelsUsing: old.use.using),
            .updateRelay(new, over: old.relay))
    }

    /// A server of the profile of which something is not taken.
    mutating func refuse(
        _ old: ProtocolServer, _ reason: PresetReason, fields: [PresetChange.Field] = [], isBlocking: Bool = false
    ) {
        changes.append(
            PresetChange(
                .conflict, .init(old.serverProtocol), name: old.primaryHost, address: old.addressText(),
                fields: fields, reason: reason.clause, isBlocking: isBlocking))
    }

    /// A relay of the profile of which something is not taken.
    mutating func refuse(
        _ old: RelayWithUse, _ reason: PresetReason, fields: [PresetChange.Field] = [], isBlocking: Bool = false
    ) {
        changes.append(
            PresetChange(
                .conflict, .relay, name: old.relay.name, address: old.relay.address, fields: fields,
                channelsUsing: old.use.using, reason: reason.clause, isBlocking: isBlocking))
    }

    /// A relay that is not added, because another one has its name.
    mutating func refuse(_ relay: PresetRelay, isBlocking: Bool = false) {
        changes.append(
            PresetChange(
                .conflict, .relay, name: relay.name, address: relay.address.text,
                reason: PresetReason.nameTaken.clause, isBlocking: isBlocking))
    }

    /// A server that goes.
    mutating func remove(_ old: ProtocolServer) {
        add(
            PresetChange(.remove, .init(old.serverProtocol), name: old.primaryHost, address: old.addressText()),
            .removeServer(old.id))
    }

    /// A relay that goes: softly while channels refer to it.
    mutating func remove(_ old: RelayWithUse) {
        add(
            PresetChange(
                old.isReferenced ? .softDelete : .remove, .relay, name: old.relay.name, address: old.relay.address,
                channelsUsing: old.use.using),
            .removeRelay(old.relay))
    }
}
