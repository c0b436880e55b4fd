#if HTTP
import Foundation
import SluiceHTTP
import SluiceJSON
import Testing

/// The examples of RFC 6570, sections 1.2 and 3.2, with the variables that each section defines.
@Suite struct URITemplateTests {
    static let values: [String: URITemplate.Value] = [
        "count": ["one", "two", "three"], "dom": ["example", "com"], "dub": "me/too", "hello": "Hello World!",
        "half": "50%", "var": "value", "who": "fred", "base": "http://example.com/home/", "path": "/foo/bar",
        "list": ["red", "green", "blue"], "keys": ["semi": ";", "dot": ".", "comma": ","], "v": "6", "x": "1024",
        "y": "768", "empty": "", "empty_keys": [:],
    ]

    @Test(arguments: [
        // 1.2, levels 1 to 4
        ("{var}", "value"), ("{hello}", "Hello%20World%21"), ("{+var}", "value"), ("{+hello}", "Hello%20World!"),
        ("{+path}/here", "/foo/bar/here"), ("here?ref={+path}", "here?ref=/foo/bar"), ("X{#var}", "X#value"),
        ("X{#hello}", "X#Hello%20World!"), ("map?{x,y}", "map?1024,768"), ("{x,hello,y}", "1024,Hello%20World%21,768"),
        ("{+x,hello,y}", "1024,Hello%20World!,768"), ("{+path,x}/here", "/foo/bar,1024/here"),
        ("{#x,hello,y}", "#1024,Hello%20World!,768"), ("{#path,x}/here", "#/foo/bar,1024/here"),
        ("X{.var}", "X.value"), ("X{.x,y}", "X.1024.768"), ("{/var}", "/value"), ("{/var,x}/here", "/value/1024/here"),
        ("{;x,y}", ";x=1024;y=768"), ("{;x,y,empty}", ";x=1024;y=768;empty"), ("{?x,y}", "?x=1024&y=768"),
        ("{?x,y,empty}", "?x=1024&y=768&empty="), ("?fixed=yes{&x}", "?fixed=yes&x=1024"),
        ("{&x,y,empty}", "&x=1024&y=768&empty="), ("{var:3}", "val"), ("{var:30}", "value"),
        ("{list}", "red,green,blue"), ("{list*}", "red,green,blue"), ("{keys}", "semi,%3B,dot,.,comma,%2C"),
        ("{keys*}", "semi=%3B,dot=.,comma=%2C"), ("{+path:6}/here", "/foo/b/here"), ("{+list}", "red,green,blue"),
        ("{+list*}", "red,green,blue"), ("{+keys}", "semi,;,dot,.,comma,,"), ("{+keys*}", "semi=;,dot=.,comma=,"),
        ("{#path:6}/here", "#/foo/b/here"), ("{#list}", "#red,green,blue"), ("{#list*}", "#red,green,blue"),
        ("{#keys}", "#semi,;,dot,.,comma,,"), ("{#keys*}", "#semi=;,dot=.,comma=,"), ("X{.var:3}", "X.val"),
        ("X{.list}", "X.red,green,blue"), ("X{.list*}", "X.red.green.blue"),
        ("X{.keys}", "X.semi,%3B,dot,.,comma,%2C"), ("X{.keys*}", "X.semi=%3B.dot=..comma=%2C"),
        ("{/var:1,var}", "/v/value"), ("{/list}", "/red,green,blue"), ("{/list*}", "/red/green/blue"),
        ("{/list*,path:4}", "/red/green/blue/%2Ffoo"), ("{/keys}", "/semi,%3B,dot,.,comma,%2C"),
        ("{/keys*}", "/semi=%3B/dot=./comma=%2C"), ("{;hello:5}", ";hello=Hello"), ("{;list}", ";list=red,green,blue"),
        ("{;list*}", ";list=red;list=green;list=blue"), ("{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"),
        ("{;keys*}", ";semi=%3B;dot=.;comma=%2C"), ("{?var:3}", "?var=val"), ("{?list}", "?list=red,green,blue"),
        ("{?list*}", "?list=red&list=green&list=blue"), ("{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"),
        ("{?keys*}", "?semi=%3B&dot=.&comma=%2C"), ("{&var:3}", "&var=val"), ("{&list}", "&list=red,green,blue"),
        ("{&list*}", "&list=red&list=green&list=blue"), ("{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"),
        ("{&keys*}", "&semi=%3B&dot=.&comma=%2C"),
        // 3.2.1
        ("{count}", "one,two,three"), ("{count*}", "one,two,three"), ("{/count}", "/one,two,three"),
        ("{/count*}", "/one/two/three"), ("{;count}", ";count=one,two,three"),
        ("{;count*}", ";count=one;count=two;count=three"), ("{?count}", "?count=one,two,three"),
        ("{?count*}", "?count=one&count=two&count=three"), ("{&count*}", "&count=one&count=two&count=three"),
        // 3.2.2
        ("{half}", "50%25"), ("O{empty}X", "OX"), ("O{undef}X", "OX"), ("{x,y}", "1024,768"), ("?{x,empty}", "?1024,"),
        ("?{x,undef}", "?1024"), ("?{undef,y}", "?768"),
        // 3.2.3
        ("{+half}", "50%25"), ("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"),
        ("{+base}index", "http://example.com/home/index"), ("O{+empty}X", "OX"), ("O{+undef}X", "OX"),
        ("up{+path}{var}/here", "up/foo/barvalue/here"),
        // 3.2.4
        ("{#var}", "#value"), ("{#hello}", "#Hello%20World!"), ("{#half}", "#50%25"), ("foo{#empty}", "foo#"),
        ("foo{#undef}", "foo"),
        // 3.2.5
        ("{.who}", ".fred"), ("{.who,who}", ".fred.fred"), ("{.half,who}", ".50%25.fred"),
        ("www{.dom*}", "www.example.com"), ("X{.empty}", "X."), ("X{.undef}", "X"), ("X{.empty_keys}", "X"),
        ("X{.empty_keys*}", "X"),
        // 3.2.6
        ("{/who}", "/fred"), ("{/who,who}", "/fred/fred"), ("{/half,who}", "/50%25/fred"),
        ("{/who,dub}", "/fred/me%2Ftoo"), ("{/var,empty}", "/value/"), ("{/var,undef}", "/value"),
        // 3.2.7
        ("{;who}", ";who=fred"), ("{;half}", ";half=50%25"), ("{;empty}", ";empty"),
        ("{;v,empty,who}", ";v=6;empty;who=fred"), ("{;v,bar,who}", ";v=6;who=fred"), ("{;x,y,undef}", ";x=1024;y=768"),
        // 3.2.8
        ("{?who}", "?who=fred"), ("{?half}", "?half=50%25"), ("{?x,y,undef}", "?x=1024&y=768"),
        // 3.2.9
        ("{&who}", "&who=fred"), ("{&half}", "&half=50%25"), ("{&x,y,undef}", "&x=1024&y=768"),
    ])
    func example(_ template: String, _ expected: String) throws {
        #expect(try URITemplate(template).expand(Self.values) == expected)
    }

    @Test(arguments: [
        // Only unreserved characters are literal, by their UTF-8 bytes.
        ("{s}", "%C3%A9%E6%BC%A2%F0%9F%98%80%20%2F"), ("{+s}", "%C3%A9%E6%BC%A2%F0%9F%98%80%20/"),
        // A prefix counts characters, not bytes.
        ("{s:1}", "%C3%A9"), ("{s:3}", "%C3%A9%E6%BC%A2%F0%9F%98%80"),
        ("{s:9999}", "%C3%A9%E6%BC%A2%F0%9F%98%80%20%2F"),
        // Escapes stay where reserved characters do, and count as the character that they encode.
        ("{+e}", "a%C3%A9%2Fb%25"), ("{e}", "a%25C3%25A9%252Fb%25"), ("{+e:1}", "a"), ("{+e:2}", "a%C3%A9"),
        ("{+e:3}", "a%C3%A9%2F"), ("{e:2}", "a%25"), ("{+p}", "%25foo%25"), ("{+lead:1}", "%C3"),
        ("{+lead:2}", "%C3%28"),
        // Empty elements and pairs.
        ("{?e1}", "?e1="), ("{?e1*}", "?e1="), ("{;e1*}", ";e1"), ("{/e2*}", "//x"), ("{?ep*}", "?k="),
        ("{;ep*}", ";k"),
        ("{ep*}", "k="), ("{?none,e0,s:1}", "?s=%C3%A9"), ("{/e0*}{?none*}", ""),
        // Names of pairs are encoded like values.
        ("{?odd*}", "?%C3%A9%26=1%3D"), ("{+odd*}", "%C3%A9&=1="),
        // Literals: characters that are invalid in an address are escaped; escapes stay.
        ("é/%C3%A9/'{s:1}'", "%C3%A9/%C3%A9/'%C3%A9'"),
        ("http://h:80/a;b,c?d=(e)&f=*!$@#~[1]", "http://h:80/a;b,c?d=(e)&f=*!$@#~[1]"),
        ("", ""),
        // Names.
        ("{a.b_c}{%C3%A9}{42}", "123"), ("{?a.b_c,%C3%A9}", "?a.b_c=1&%C3%A9=2"),
        ("{s:1,s:1}{s:1}", "%C3%A9,%C3%A9%C3%A9"),
    ])
    func more(_ template: String, _ expected: String) throws {
        let values: [String: URITemplate.Value] = [
            "s": "é漢😀 /", "e": "a%C3%A9%2Fb%", "p": "%foo%", "lead": "%C3%28", "e0": [], "none": [:], "e1": [""],
            "e2": ["", "x"], "ep": ["k": ""], "odd": ["é&": "1="], "a.b_c": 1, "%C3%A9": 2, "42": 3,
        ]
        #expect(try URITemplate(template).expand(values) == expected)
    }

    @Test func literalsOfValues() throws {
        let template = try URITemplate("{/i,f,t}{?l*,p*}")
        #expect(
            try template.expand(["i": -1, "f": 1.5, "t": true, "l": ["a"], "p": ["b": "c", "a": "d"]])
                == "/-1/1.5/true?l=a&b=c&a=d"
        )
        let name = "ada"
        #expect(try template.expand(["i": "<\(name)>"]) == "/%3Cada%3E")
    }

    @Test func models() throws {
        struct Search: Encodable {
            var id = 7, isOpen = true, page: Int?, lang = ["sv", nil, "en"]
            var filter = ["b": 2, "a": 1]
            var since = Date(timeIntervalSince1970: 0)
            var part = Part()
            struct Part: Encodable { var z = 1, a: Int?, m = "x" }
        }
        let template = try URITemplate("/s{/id}{?isOpen,page,lang*,filter*,since,part}")
        #expect(
            try template.expand(model: Search())
                == "/s/7?isOpen=true&lang=sv&lang=en&a=1&b=2&since=1970-01-01T00%3A00%3A00Z&part=z,1,m,x"
        )
        #expect(try template.expand(model: JSON.null) == "/s")
        #expect(try template.expand(["lang": URITemplate.Value([1, 2]) ?? "none"]) == "/s?lang=1&lang=2")
        #expect(try URITemplate.Value(Int?.none) == nil)
        let nested = #expect(throws: URITemplateError.self) { try template.expand(model: ["id": [[1]]]) }
        #expect(
            nested?.description
                == "id has values in values, for which templates have no place (a text, a list of texts or pairs of texts)"
        )
        let scalar = #expect(throws: URITemplateError.self) { try template.expand(model: 1) }
        #expect(
            scalar?.description == "a template takes values by name (a model with keys, as a struct or a dictionary)"
        )
    }

    @Test func variables() throws {
        #expect(try URITemplate("/{b}{?a,b:3,c*}").variables == ["b", "a", "c"])
        #expect(try URITemplate("/{b}").description == "/{b}")
        #expect(try URITemplate("/{b}") == URITemplate("/{b}"))
        #expect(try URITemplate("/{b}") != URITemplate("/{a}"))
    }

    @Test func routes() throws {
        let template = try URITemplate("http://example.com/users{/id}{?q}")
        let route = try template.route(["id": "a/b", "q": "1+1"])
        #expect(try route.url().absoluteString == "http://example.com/users/a%2Fb?q=1%2B1")
        #expect(route.description == "http://example.com/users/a%2Fb?q=1%2B1")
        #expect(route.template.description == "http://example.com/users{/id}{?q}")
        #expect(try template.route(model: ["id": 7]).url().absoluteString == "http://example.com/users/7")
        let error = #expect(throws: URITemplateError.self) { try URITemplate("{+x}").route(["x": "http://[/"]) }
        #expect(error?.description == "the template and its values make no address: \"http://[/\"")
    }
}
#endif
