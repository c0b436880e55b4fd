#if HTTP
import SluiceFilters
import SluiceHTTP
import Testing

/// Tests of invalid templates, with the place and the hint.
@Suite struct URITemplateParserTests {
    static let names = "a name is letters, digits, _, single dots and escapes"

    @Test(arguments: [
        ("a{b", "column 2: { without } (write %7B for the character itself)"),
        ("a{", "column 2: { without } (write %7B for the character itself)"),
        ("a{b,", "column 2: { without } (write %7B for the character itself)"),
        ("{a.", "column 1: { without } (write %7B for the character itself)"),
        ("a}b", "column 2: } without { (write %7D for the character itself)"),
        ("é{}", "column 3: a variable is missing (\(names))"),
        ("{?}", "column 3: a variable is missing (\(names))"),
        ("{a,}", "column 4: a variable is missing (\(names))"),
        ("{,a}", "column 2: the operator , is reserved (operators are + # . / ; ? &)"),
        ("{=a}", "column 2: the operator = is reserved (operators are + # . / ; ? &)"),
        ("{!a}", "column 2: the operator ! is reserved (operators are + # . / ; ? &)"),
        ("{@a}", "column 2: the operator @ is reserved (operators are + # . / ; ? &)"),
        ("{|a*}", "column 2: the operator | is reserved (operators are + # . / ; ? &)"),
        ("{$a}", "column 2: a name cannot have $ here (\(names))"),
        ("{/?a}", "column 3: a name cannot have ? here (\(names))"),
        ("{ a}", "column 2: a name cannot have a space here (\(names))"),
        ("{*a}", "column 2: a name cannot have * here (\(names))"),
        ("{?x, y}", "column 5: a name cannot have a space here (\(names))"),
        ("{é}", "column 2: a name cannot have U+00E9 here (\(names))"),
        ("{.a..b}", "column 4: an expression cannot have . here (\(names); , or } follows it)"),
        ("{.a.}", "column 4: an expression cannot have . here (\(names); , or } follows it)"),
        ("{~a}", "column 2: a name cannot have ~ here (\(names))"),
        ("{a=b}", "column 3: an expression cannot have = here (\(names); , or } follows it)"),
        ("{a:3*}", "column 5: an expression cannot have * here (\(names); , or } follows it)"),
        ("{a*:3}", "column 4: an expression cannot have : here (\(names); , or } follows it)"),
        ("{a{b}}", "column 3: an expression cannot have { here (\(names); , or } follows it)"),
        ("{a:0}", "column 3: a prefix has a length from 1 to 9999 (as in {name:3})"),
        ("{a:03}", "column 3: a prefix has a length from 1 to 9999 (as in {name:3})"),
        ("{a:}", "column 3: a prefix has a length from 1 to 9999 (as in {name:3})"),
        ("{a:x}", "column 3: a prefix has a length from 1 to 9999 (as in {name:3})"),
        ("{a:10000}", "column 3: a prefix has a length from 1 to 9999 (as in {name:3})"),
        ("{a:99999999999999999999999}", "column 3: a prefix has a length from 1 to 9999 (as in {name:3})"),
        ("a%2", "column 2: % without two hexadecimal digits (write %25 for the character itself)"),
        ("a%zz", "column 2: % without two hexadecimal digits (write %25 for the character itself)"),
        ("{a%2}", "column 3: % without two hexadecimal digits (write %25 for the character itself)"),
        ("a b", "column 2: a template cannot have a space (write %20 for it)"),
        ("a\"", "column 2: a template cannot have \" (write %22 for it)"),
        ("a\\", "column 2: a template cannot have \\ (write %5C for it)"),
        ("a\n", "column 2: a template cannot have U+000A (write %0A for it)"),
        ("\r\n", "column 1: a template cannot have U+000D (write %0D for it)"),
        ("\u{85}", "column 1: a template cannot have U+0085 (write %C2%85 for it)"),
        ("\u{1FFFF}", "column 1: a template cannot have U+1FFFF (write %F0%9F%BF%BF for it)"),
    ])
    func fault(_ template: String, _ expected: String) throws {
        let error = #expect(throws: URITemplateError.self) { try URITemplate(template) }
        #expect(error?.description == expected)
    }

    @Test(arguments: ["{keys:1}", "{+keys:1}", "{;keys:1}"])
    func prefixOfWhatIsNoText(_ template: String) throws {
        let pairs = #expect(throws: URITemplateError.self) { try URITemplate(template).expand(["keys": ["a": "b"]]) }
        let column = template.count == 8 ? 2 : 3
        #expect(
            pairs?.description == "column \(column): keys:1 takes a part of a text, and keys is pairs (leave out :1)"
        )
        let list = #expect(throws: URITemplateError.self) { try URITemplate(template).expand(["keys": ["a"]]) }
        #expect(list?.message == "keys:1 takes a part of a text, and keys is a list")
    }

    /// Any text gives a template or an error, and every template can be expanded.
    @Test func hostileTexts() throws {
        var random = RandomSource(seed: 6570)
        let pieces = Array("{}{}?#./;&+,:*%%2F1a.é😀'\"\\ \u{0}9999").map(String.init) + ["{a", "{?a*}", ":3}", "%C3"]
        var templates = 0
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            guard let template = try? URITemplate(text) else { continue }
            templates += 1
            let expansion = try template.expand(["a": "é%", "9999": "x"])
            #expect(expansion.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        }
        #expect(templates > 1000)
    }

    @Test func largeTexts() throws {
        let names = (0..<20_000).map { "v\($0)" }
        let template = try URITemplate("{?" + names.joined(separator: ",") + "}")
        #expect(template.variables.count == 20_000)
        #expect(try template.expand(["v19999": .text(String(repeating: "é", count: 100_000))]).utf8.count == 600_008)
        #expect(throws: URITemplateError.self) { try URITemplate(String(repeating: "{", count: 100_000)) }
    }
}
#endif
