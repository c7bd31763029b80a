import Repos
import Schema

extension RepositoryCatalogue {
    static let operators: [CatalogueEntry] = [
        .store("OperatorsRepo.all()") { try OperatorsRepo($0.chat).all() },
        .store("OperatorsRepo.find(_:)") { try OperatorsRepo($0.chat).find(ServerOperatorID(1)) as Any },
        .store("OperatorsRepo.find(tag:)") { try OperatorsRepo($0.chat).find(tag: .simplex) as Any },
        .store("OperatorsRepo.get(_:)") { try OperatorsRepo($0.chat).get(addOperator($0).id) },
        .store("OperatorsWriter.add(tag:tradeName:legalName:domains:isEnabled:smpRoles:xftpRoles:)", addOperator),
        .store("OperatorsWriter.update(_:tradeName:legalName:domains:)") {
            try OperatorsWriter($0.chat).update(
                addOperator($0).id, tradeName: "Other", legalName: nil, domains: ["other.example"])
        },
        .store("OperatorsWriter.setEnabled(_:_:)") {
            try OperatorsWriter($0.chat).setEnabled(addOperator($0).id, false)
        },
    ]

    /// The operator the calls are about: operators are the store's, and no profile has one.
    static func addOperator(_ call: Call) throws -> ServerOperator {
        let roles = ServerRoles(storage: true, proxy: true)
        return try OperatorsWriter(call.chat).add(
            tag: OperatorTag(text: "new"), tradeName: "New", legalName: nil, domains: ["new.example"], isEnabled: true,
            smpRoles: roles, xftpRoles: roles)
    }
}
