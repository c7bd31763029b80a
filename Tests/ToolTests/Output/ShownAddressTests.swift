import Testing

@testable import ChatDBTool

@Suite struct ShownAddressTests {
    private static let key = "Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"

    @Test(
        "only the key is shortened; a text of another form stays whole",
        arguments: [
            ("https://smp5.simplex.im/r#\(key)", "https://smp5.simplex.im/r#Fp5R…W0mw"),
            ("simplex:/r#\(key)?h=a.example,b.example&p=1", "simplex:/r#Fp5R…W0mw?h=a.example,b.example&p=1"),
            ("smp://\(key)=@smp.example,abc.onion:5223", "smp://Fp5R…0mw=@smp.example,abc.onion:5223"),
            ("https://\(key).example.net/r#short", "https://\(key).example.net/r#short"),
            ("smp://host.of-the-evil-one.example@smp.example", "smp://host.of-the-evil-one.example@smp.example"),
            ("https://a.example/\(key)", "https://a.example/\(key)"), ("@#", "@#"), ("", ""),
        ])
    func short(text: String, short: String) {
        #expect(ShownAddress.short(text) == short)
    }

    @Test("lines break between the parts of an address, and a long part has its own line")
    func lines() {
        let address = "smp://Fp5R…0mw=@smp.example,b.example:5223"
        #expect(ShownAddress.lines(address, to: 50) == [address])
        #expect(
            ShownAddress.lines(address, to: 30) == ["smp://Fp5R…0mw=@smp.example,", "b.example:5223"])
        #expect(
            ShownAddress.lines("https://relay.example/r#Fp5R…W0mw", to: 8) == [
                "https://relay.example/", "r#Fp5R…W0mw",
            ])
        #expect(ShownAddress.widestPart(of: address) == 16)
    }
}
