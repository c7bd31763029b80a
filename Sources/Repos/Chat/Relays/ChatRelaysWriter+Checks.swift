import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ChatRelaysWriter {
    func checkedAddress(_ given: String) throws(ChatRelaysError) -> RelayAddress {
        do throws(RelayAddressError) {
            return try RelayAddress(given)
        } catch {
            throw .invalidRelayAddress(error)
        }
    }

    func checkedName(_ given: String) throws(ChatRelaysError) -> String {
        if NameRule.trimmed(given).isEmpty { return "" }
        do throws(NameProblem) {
            return try NameRule.checked(given)
        } catch {
            throw .invalidRelayName(error)
        }
    }

    func checkedDomains(_ given: [String]) throws(ChatRelaysError) -> [String] {
        do throws(InvalidDomain) {
            return try DomainRule.checked(given)
        } catch {
            throw .invalidRelayDomain(error.excerpt)
        }
    }
}
