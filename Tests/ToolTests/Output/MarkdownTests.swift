import Testing

@testable import ChatDBTool

@Suite struct MarkdownTests {
    @Test("tables, fields, notes and code are GitHub-flavoured Markdown")
    func blocks() throws {
        let report = DocumentReport([
            .heading("Relays of alice"),
            .table(
                Table(
                    [Column("Id", alignment: .right), Column("Name")],
                    rows: [[.number(1), .text("a|b\nc", .strong)], [.count(12_345), .nothing]], whenEmpty: "")),
            .fields([Field("Path", "/tmp/my_store"), Field("Size", .bytes(2048))]),
            .paragraph("# not a heading"), .table(Table([Column("Id")], rows: [], whenEmpty: "no relays")),
            .notes([.warning("1 < 2"), .note("`x`")]), .verbatim("SELECT '```';", language: "sql"),
        ])
        #expect(
            try written(report, .markdown, width: 40) == ##"""
                ## Relays of alice

                | Id | Name |
                | --: | --- |
                | 1 | **a\|b\\u{a}c** |
                | 12345 | – |

                - **Path:** /tmp/my_store
                - **Size:** 2048

                \# not a heading

                no relays

                - **warning:** 1 &lt; 2
                - **note:** \`x\`

                ````sql
                SELECT '```';
                ````

                """##)
    }

    @Test(
        "values are plain text: no markup, link, image or HTML in them takes effect",
        arguments: [
            ("![x](http://a.example/t.png)", #"!\[x\](http://a.example/t.png)"#),
            ("<script>&lt;", "&lt;script&gt;&amp;lt;"), ("*a* _b_ ~c~", #"\*a\* \_b\_ \~c\~"#),
            ("a_b__c", "a_b__c"), (#"\|"#, #"\\\|"#), ("`x`", #"\`x\`"#),
        ])
    func escapes(text: String, escaped: String) {
        #expect(MarkdownRenderer.escape(text) == escaped)
    }

    @Test(
        "a paragraph begins no list, heading or rule",
        arguments: [
            ("- a", #"\- a"#), ("+ a", #"\+ a"#), ("1. a", #"1\. a"#), ("12) a", #"12\) a"#), ("===", #"\==="#),
            ("1 relay", "1 relay"), ("plain", "plain"),
        ])
    func start(text: String, escaped: String) throws {
        #expect(try written(DocumentReport([.paragraph(text)]), .markdown) == "\(escaped)\n")
    }
}
