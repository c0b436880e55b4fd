import Testing

@testable import SluiceExpressions

struct ParserTests {
    @Test(arguments: [
        ("1+2*3", "1 + 2 * 3"), ("(1+2)*3", "(1 + 2) * 3"), ("a&&b||!c", "a && b || !c"),
        ("a ? b : c ? d : e", "a ? b : c ? d : e"),
        ("a.b[?0].?c", "a.b[?0].?c"), ("x.map(y,y+1)", "x.map(y, y + 1)"), ("{'a':1,?2:b}", "{\"a\": 1, ?2: b}"),
        ("-(1)", "-(1)"), ("--1", "-(-1)"), ("-(4[i])", "-(4[i])"), ("1-(2-3)", "1 - (2 - 3)"), (".5", "0.5"),
        ("b'\\xff'", "b\"\\xff\""),
    ])
    func canonicalTextIsReadBackAsItself(_ text: String, _ canonical: String) throws {
        let tree = try Parser.parse(SourceText(text), limits: CELLimits())
        #expect(tree.text(tree.root) == canonical)
        let again = try Parser.parse(SourceText(canonical), limits: CELLimits())
        #expect(again.text(again.root) == canonical)
    }

    @Test(arguments: [
        ("x = 1", 2, "'=' is not an operator"), ("1 +", 3, "unfinished expression: expected a value"),
        ("'abc", 0, "the string does not end"),
        ("a b", 2, "expected an operator or the end of the text, found 'b'"),
        ("Msg{}", 3, "messages are not offered"),
        ("1e999", 0, "'1e999' is beyond the largest double"),
        ("9223372036854775808", 0, "'9223372036854775808' does not fit into 64 bits"),
    ])
    func anErrorNamesItsPlace(_ text: String, _ offset: Int, _ message: String) throws {
        let fault = #expect(throws: SyntaxFault.self) { try Parser.parse(SourceText(text), limits: CELLimits()) }
        #expect(fault?.message == message)
        #expect(fault?.offset == offset)
    }
}
