#if HTTP
import Foundation
import SluiceHTTP
import SluiceJSON
import Testing

/// Tests of queries that are appended to the query of an address.
@Suite struct QueryTests {
    @Test(arguments: [
        ("http://h", "http://h?p=1"), ("http://h/", "http://h/?p=1"), ("http://h/a?", "http://h/a?p=1"),
        ("http://h/a?x=1", "http://h/a?x=1&p=1"), ("http://h/a?x=1&", "http://h/a?x=1&p=1"),
        ("http://h/a#f", "http://h/a?p=1#f"), ("http://h/a?x#f?g", "http://h/a?x&p=1#f?g"),
        ("http://h/a#f?g", "http://h/a?p=1#f?g"),
        // Existing text stays as it was written.
        ("http://h/%7Ea%2fb?x=a+b%2B%20;y=%e9&&z=/?:@", "http://h/%7Ea%2fb?x=a+b%2B%20;y=%e9&&z=/?:@&p=1"),
        ("/users", "/users?p=1"), ("?x", "?x&p=1"),
    ])
    func append(_ address: String, _ expected: String) throws {
        #expect(URLEncodedFormEncoder.address(address, appending: "p=1") == expected)
        let url = try #require(URL(string: address))
        #expect(try url.appending(query: ["p": 1]).absoluteString == expected)
        #expect(try url.appending(encodedQuery: "p=1").absoluteString == expected)
        #expect(try url.appending(query: [:] as JSON) == url)
        #expect(URLEncodedFormEncoder.address(address, appending: "") == address)
    }

    @Test func valuesOfDifferentTypes() throws {
        let url = try #require(URL(string: "http://h/a?q=1"))
        #expect(
            try url.appending(query: ["z": "a+b", "n": 2, "tags": ["x"]]).absoluteString
                == "http://h/a?q=1&n=2&tags%5B%5D=x&z=a%2Bb"
        )
        var encoder = URLEncodedFormEncoder()
        encoder.boolEncodingStrategy = .asBool
        #expect(
            try url.appending(query: ["b": true, "n": 1], encoder: encoder).absoluteString
                == "http://h/a?q=1&b=true&n=1"
        )
    }

    @Test func relativeAddresses() throws {
        let base = try #require(URL(string: "http://h/a/b"))
        let url = try #require(URL(string: "c?x=1", relativeTo: base))
        #expect(try url.appending(query: ["p": 1]).absoluteString == "http://h/a/c?x=1&p=1")
    }

    /// Characters that are invalid in an address are encoded, each once.
    @Test(arguments: [
        ("http://h/", "a=é b", "http://h/?a=%C3%A9%20b"),
        ("http://h/%7E?x=%2B", "a[]=1%20", "http://h/%7E?x=%2B&a%5B%5D=1%20"),
        ("http://h/?x=%2B#f", "a=%&b=%2&c=%zz&d=%2f", "http://h/?x=%2B&a=%25&b=%252&c=%25zz&d=%2f#f"),
        ("http://[::1]:8080/", "a=[::1]", "http://[::1]:8080/?a=%5B::1%5D"),
        ("http://h/#f", "a=\"<>\\^`{|}\u{0}\u{7F}", "http://h/?a=%22%3C%3E%5C%5E%60%7B%7C%7D%00%7F#f"),
    ])
    func textThatIsNotEncoded(_ address: String, _ query: String, _ expected: String) throws {
        let url = try #require(URL(string: address))
        #expect(try url.appending(encodedQuery: query).absoluteString == expected)
    }
}
#endif
