import ChatDBKit

extension RepositoryCatalogue {
    static let operators: [CatalogueEntry] = [
        .store("OperatorsRepo.all()") { try OperatorsRepo($0.chat).all() },
        .store("OperatorsRepo.find(_:)") { try OperatorsRepo($0.chat).find(ServerOperatorID(1)) as Any },
        .store("OperatorsRepo.find(tag:)") { try OperatorsRepo($0.chat).find(tag: .simplex) as Any },
        .store("OperatorsRepo.find(ofHost:)") { try OperatorsRepo($0.chat).find(ofHost: "smp.new.example") as Any },
        .store("OperatorsRepo.get(_:)") { try OperatorsRepo($0.chat).get(addOperator($0).id) },
        .store("OperatorsRepo.currentConditions()") { try OperatorsRepo($0.chat).currentConditions() as Any },
        .store("OperatorsRepo.latestAcceptedConditions()") {
            try OperatorsRepo($0.chat).latestAcceptedConditions() as Any
        },
        .store("OperatorsRepo.conditions(_:)") { try OperatorsRepo($0.chat).conditions(addConditions($0).id) },
        .store("OperatorsRepo.conditions(at:)") { try OperatorsRepo($0.chat).conditions() },
        .store("OperatorsWriter.add(tag:tradeName:legalName:domains:isEnabled:smpRoles:xftpRoles:)", addOperator),
        .store("OperatorsWriter.update(_:tradeName:legalName:domains:)") {
            try OperatorsWriter($0.chat).update(
                addOperator($0).id, tradeName: "Other", legalName: nil, domains: ["other.example"])
        },
        .store("OperatorsWriter.setEnabled(_:_:)") {
            try OperatorsWriter($0.chat).setEnabled(addOperator($0).id, false)
        },
        .store("OperatorsWriter.setRoles(_:_:_:)") { call in
            let new = try addOperator(call).id
            return try ServerProtocol.allCases.map {
                let roles = ServerRoles(storage: false, proxy: false, names: $0 == .smp)
                return try OperatorsWriter(call.chat).setRoles(new, $0, roles)
            }
        },
        .store("OperatorsWriter.addConditions(commit:)", addConditions),
        .store("OperatorsWriter.notify(of:)") { try OperatorsWriter($0.chat).notify(of: addConditions($0).id) },
        .store("OperatorsWriter.accept(_:for:isAutomatic:)") {
            try OperatorsWriter($0.chat).accept(addConditions($0).id, for: addOperator($0).id, isAutomatic: true)
        },
    ]

    /// The operator the calls are about: operators are the store's, and no profile has one.
    static func addOperator(_ call: Call) throws -> ServerOperator {
        let roles = ServerRoles(storage: true, proxy: true)
        return try OperatorsWriter(call.chat).add(
            tag: OperatorTag(text: "new"), tradeName: "New", legalName: nil, domains: ["new.example"], isEnabled: true,
            smpRoles: roles, xftpRoles: roles)
    }

    private static func addConditions(_ call: Call) throws -> UsageConditions {
        try OperatorsWriter(call.chat).addConditions(commit: "abcdef")
    }
}
