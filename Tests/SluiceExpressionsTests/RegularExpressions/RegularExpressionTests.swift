import SluiceExpressions
import Testing

struct RegularExpressionTests {
    @Test(arguments: [
        ("'abc'.matches('^b')", "false"), ("'aBc'.matches('(?i)ABC')", "true"), ("'a\\nb'.matches('(?m)^b$')", "true"),
        ("'a\\nb'.matches('a.b')", "false"), ("'a\\nb'.matches('(?s)a.b')", "true"),
        ("'x-1'.matches('\\\\bx\\\\b')", "true"),
        ("'Ünal'.matches('^\\\\p{Lu}\\\\pL+$')", "true"), ("'ab'.matches('^[[:alpha:]]{2}$')", "true"),
        ("'a.b'.matches('^\\\\Qa.b\\\\E$')", "true"), ("'a{'.matches('a{')", "true"), ("''.matches('^(a*)*$')", "true"),
        ("regex.extract('key=value', '=(.*)').orValue('')", "\"value\""),
        ("regex.extractAll('a1b22', '[0-9]+')", "[\"1\", \"22\"]"),
        ("regex.replace('John Smith', '(\\\\w+) (\\\\w+)', r'\\2 \\1')", "\"Smith John\""),
        ("regex.extract('aab', '(a+?)b?').value()", "\"a\""),
        ("regex.extract('foobar', 'foo|foobar').value()", "\"foo\""),
        ("regex.replace('aaa', 'a', 'b', 2)", "\"bba\""), ("regex.replace('ab', 'x*', '-')", "\"-a-b-\""),
    ])
    func answers(_ text: String, _ answer: String) throws {
        #expect(try CELExpression(text).evaluate().description == answer, "\(text)")
    }
}

extension RegularExpressionTests {
    @Test(arguments: [
        // Flags hold to the end of their group, over its alternatives.
        ("'c'.matches('^(a(?i)b|c)$')", "true"), ("'C'.matches('^(a(?i)b|c)$')", "true"),
        ("'c'.matches('a(?i)b|c')", "true"), ("'AB'.matches('^(a(?i)b|c)$')", "false"),
        ("'B'.matches('^((?i)a|b)$')", "true"), ("'aB'.matches('^((?i)a)b$')", "false"),
        // Case is folded as Unicode does.
        ("'k'.matches(r'(?i)\\p{Lu}')", "true"), ("'k'.matches(r'\\p{Lu}')", "false"),
        ("'k'.matches(r'(?i)\\P{Lu}')", "false"),
        ("'\\u212a'.matches('(?i)k')", "true"), ("'K'.matches('(?i)\\u212a')", "true"),
        ("'\\u017f'.matches('(?i)s')", "true"),
        ("'S'.matches('(?i)[\\u017f]')", "true"), ("'\\u017f'.matches(r'(?i)\\w')", "true"),
        ("'\\u017f'.matches(r'(?i)\\W')", "false"),
        ("'\\u03c2'.matches('(?i)\\u03a3')", "true"),
        ("'A'.matches(r'^\\101$')", "true"), ("'a..'.matches(r'^\\Qa.\\E+$')", "true"),
        ("'a.a.'.matches(r'^\\Qa.\\E+$')", "false"),
        ("'a'.matches('(?P<n>a)(?P<m>b)?')", "true"),
    ])
    func foldsAndScopesAsRE2(_ text: String, _ answer: String) throws {
        #expect(try CELExpression(text).evaluate().description == answer, "\(text)")
    }

    @Test(arguments: ["(?P<n>a)(?P<n>b)", "(?<n>a)|(?P<n>b)", "a**", "(a{2}){501}", "\\8", "[z-a]"])
    func whatIsRefused(_ pattern: String) {
        #expect(throws: CELError.self) { try CELExpression("'x'.matches(r'\(pattern)')").evaluate() }
    }
}
