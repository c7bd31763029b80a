import ChatDBSchema
import Testing

@Suite struct LinkHostTests {
    @Test(
        "the host of a link follows the rules, any other text is returned unchanged",
        arguments: [
            ("https://smp5.simplex.im/r#\(sampleKey)", "smp5.simplex.im"), ("https://a.example:443/x", "a.example"),
            ("HTTPS://A.example", "A.example"), ("https://u:p@a.example/x", "a.example"),
            ("https://[::1]:443/x", "[::1]"), ("https://a.example?h=b.example", "a.example"),
            ("simplex:/r#\(sampleKey)?h=a.example,b.onion&p=1", "a.example"),
            ("simplex:/r#\(sampleKey)?p=1&h=a.example%2Cb", "a.example"),
            ("simplex:/g#x?h=first&h=second", "first"),
            ("smp://\(sampleKey)=@a.example:5223", "a.example"),
            ("smp://\(sampleKey)=:pass@a.example,b:1", "a.example"),
            ("xftp://x@a.example", "a.example"), ("simplex://x@a.example:5223/y", "a.example"),
            ("smp://x@[::1]:5223", "[::1]"),
            ("", ""), ("relay", "relay"), ("https://", "https://"), ("https:///r#x", "https:///r#x"),
            ("simplex:/r#x", "simplex:/r#x"), ("simplex:/r#x?h=", "simplex:/r#x?h="),
            ("simplex:/r#x?h=%z", "simplex:/r#x?h=%z"), ("smp://a.example", "smp://a.example"),
            ("me@a.example", "me@a.example"), ("x@", "x@"), ("smp://x@", "smp://x@"), ("smp://x@:1", "smp://x@:1"),
        ])
    func hosts(_ link: String, _ host: String) {
        #expect(linkHost(link) == host)
    }
}

@Suite struct OperatorDomainsTests {
    @Test("domains are stored separated by commas; no domains are an empty text")
    func list() {
        #expect(OperatorDomains.list("simplex.im,simplexonflux.com") == ["simplex.im", "simplexonflux.com"])
        #expect(OperatorDomains.list(" a , ,b,\n") == ["a", "b"])
        #expect(OperatorDomains.list("") == [])
        // The comma counts as a byte, also before a mark that combines with it.
        #expect(OperatorDomains.list("a,\u{301}b") == ["a", "\u{301}b"])
        #expect(OperatorDomains.text([]) == "" && OperatorDomains.text(["a", "b"]) == "a,b")
    }

    @Test(
        "a server belongs to an operator by the end of one of its hosts, at a label border",
        arguments: [
            (["smp8.simplex.im"], true), (["simplex.im"], true), (["SMP8.Simplex.IM"], true),
            (["x.onion", "a.simplex.im"], true),
            (["evilsimplex.im"], false), (["simplex.im.evil"], false), (["im"], false), ([""], false), ([], false),
        ])
    func servers(_ hosts: [String], _ belongs: Bool) {
        #expect(OperatorDomains.ownServer(hosts: hosts, domains: ["other.example", "simplex.im"]) == belongs)
        #expect(!OperatorDomains.ownServer(hosts: hosts, domains: []))
        #expect(!OperatorDomains.ownServer(hosts: hosts, domains: [""]))
    }

    @Test("a relay belongs to an operator by an equal domain, not by a subdomain")
    func relays() {
        #expect(OperatorDomains.ownRelay(relayDomains: ["x", "Simplex.im"], domains: ["simplex.im"]))
        #expect(!OperatorDomains.ownRelay(relayDomains: ["smp8.simplex.im"], domains: ["simplex.im"]))
        #expect(!OperatorDomains.ownRelay(relayDomains: [], domains: ["simplex.im"]))
        #expect(!OperatorDomains.ownRelay(relayDomains: [""], domains: [""]))
    }
}
