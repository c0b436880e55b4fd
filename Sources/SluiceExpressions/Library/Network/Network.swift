extension Library {
    /// Adds the network extension: addresses and networks.
    mutating func addNetwork() {
        function("ip", [.string], .address, cost: .fixed(90)) { values, _ throws(Fault) in
            .address(try Library.address(try values.string(0)))
        }
        function("isIP", [.string], .bool, cost: .fixed(90)) { values, _ throws(Fault) in
            .bool(CELAddress(try values.string(0)) != nil)
        }
        function("ip.isCanonical", [.string], .bool, cost: .fixed(160)) { values, _ throws(Fault) in
            let text = try values.string(0)
            return .bool(try Library.address(text).description == text)
        }
        function("cidr", [.string], .network, cost: .fixed(120)) { values, _ throws(Fault) in
            .network(try Library.network(try values.string(0)))
        }
        function("isCIDR", [.string], .bool, cost: .fixed(120)) { values, _ throws(Fault) in
            .bool(CELNetwork(try values.string(0)) != nil)
        }
        member("family", [.address], .int) { values, _ throws(Fault) in .int(Int64(try values.address(0).family)) }
        addTest("isUnspecified") { $0.isUnspecified }
        addTest("isLoopback") { $0.isLoopback }
        addTest("isGlobalUnicast") { $0.isGlobalUnicast }
        addTest("isLinkLocalMulticast") { $0.isLinkLocalMulticast }
        addTest("isLinkLocalUnicast") { $0.isLinkLocalUnicast }
        member("containsIP", [.network, .address], .bool, cost: .fixed(12)) { values, _ throws(Fault) in
            .bool(try values.network(0).contains(try values.address(1)))
        }
        member("containsIP", [.network, .string], .bool, cost: .fixed(120)) { values, _ throws(Fault) in
            .bool(try values.network(0).contains(try Library.address(try values.string(1))))
        }
        member("containsCIDR", [.network, .network], .bool, cost: .fixed(12)) { values, _ throws(Fault) in
            .bool(try values.network(0).contains(try values.network(1)))
        }
        member("containsCIDR", [.network, .string], .bool, cost: .fixed(140)) { values, _ throws(Fault) in
            .bool(try values.network(0).contains(try Library.network(try values.string(1))))
        }
        member("ip", [.network], .address) { values, _ throws(Fault) in .address(try values.network(0).address) }
        member("masked", [.network], .network, cost: .fixed(6)) { values, _ throws(Fault) in
            .network(try values.network(0).masked)
        }
        member("prefixLength", [.network], .int) { values, _ throws(Fault) in
            .int(Int64(try values.network(0).prefixLength))
        }
    }

    private mutating func addTest(_ name: String, _ test: @escaping @Sendable (CELAddress) -> Bool) {
        member(name, [.address], .bool, cost: .fixed(2)) { values, _ throws(Fault) in .bool(test(try values.address(0)))
        }
    }

    private static func address(_ text: String) throws(Fault) -> CELAddress {
        guard let address = CELAddress(text) else {
            throw Fault(.invalidArgument, "\(text.shortlyQuoted) is not an IP address")
        }
        return address
    }

    private static func network(_ text: String) throws(Fault) -> CELNetwork {
        guard let network = CELNetwork(text) else {
            throw Fault(.invalidArgument, "\(text.shortlyQuoted) is not an IP network")
        }
        return network
    }
}

extension CELAddress {
    var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }
    var isLoopback: Bool {
        family == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }
    var isMulticast: Bool { family == 4 ? bytes[0] & 0xF0 == 0xE0 : bytes[0] == 0xFF }
    var isLinkLocalMulticast: Bool {
        family == 4 ? bytes.starts(with: [224, 0, 0]) : bytes[0] == 0xFF && bytes[1] & 0x0F == 2
    }
    var isLinkLocalUnicast: Bool {
        family == 4 ? bytes.starts(with: [169, 254]) : bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }
    var isGlobalUnicast: Bool {
        !(family == 4 && bytes.allSatisfy { $0 == 255 }) && !isUnspecified && !isLoopback && !isMulticast
            && !isLinkLocalUnicast
    }
}
