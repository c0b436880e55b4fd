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
