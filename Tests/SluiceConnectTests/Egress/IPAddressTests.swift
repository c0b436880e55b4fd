#if Hub
import Testing

@testable import SluiceConnect

@Suite struct IPAddressTests {
    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1",
        "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b:1::1", "100::1", "2001::1", "2001:0:1:2::", "2001:10::1", "2001:db8::1", "2002:7f00:1::",
        "2002:a9fe:a9fe::1", "3fff::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
        "4000::1", "5f00::1",
    ])
    func whatIsNotOfThePublicInternetIsNot(_ text: String) throws {
        #expect(try !#require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0",
        "223.255.255.255", "2001:200::1", "2001:4860:4860::8888", "2003::1", "2606:4700::1111", "3ffe::1",
    ])
    func whatIsIs(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.isPublic)
        #expect(address.description == text)
    }

    @Test(arguments: [
        "", "127.1", "0x7f.0.0.1", "0177.0.0.1", "2130706433", "127.0.0.1.", "127.0.0.1 ", "1.2.3.256", "::1%lo",
        "[::1]", "1.2.3.4\0", "::g",
    ])
    func otherTextsAreNoAddresses(_ text: String) { #expect(IPAddress(text) == nil) }

    @Test func rangeHasWhatBeginsWithItsBits() throws {
        let range = try #require(IPRange("10.1.128.0/17"))
        #expect(try range.contains(#require(IPAddress("10.1.255.255"))))
        #expect(try !range.contains(#require(IPAddress("10.1.127.255"))))
        #expect(try !range.contains(#require(IPAddress("::ffff:10.1.255.255"))))
        #expect(try #require(IPRange("0.0.0.0/0")).contains(#require(IPAddress("255.1.1.1"))))
        #expect(try #require(IPRange("::1")).contains(#require(IPAddress("::1"))))
        #expect(try !#require(IPRange("::1")).contains(#require(IPAddress("::2"))))
        for text in ["10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "::/129", "example.com/8", "/8"] {
            #expect(IPRange(text) == nil, "\(text)")
        }
    }
}
#endif
