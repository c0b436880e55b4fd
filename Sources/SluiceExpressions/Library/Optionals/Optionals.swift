extension Library {
    /// Adds the optionals extension.
    mutating func addOptionals() {
        let content = CELType.parameter("A")
        let optional = CELType.optional(content)
        function("optional.none", [], optional) { _, _ throws(Fault) in .optional(nil) }
        function("optional.of", [content], optional) { values, _ throws(Fault) in .optional(values[0]) }
        function("optional.ofNonZeroValue", [content], optional) { values, _ throws(Fault) in
            .optional(values[0].isZero ? nil : values[0])
        }
        function("optional.unwrap", [.list(optional)], .list(content), cost: .linear) { values, _ throws(Fault) in
            try Library.unwrapped(try values.list(0))
        }
        member("unwrapOpt", [.list(optional)], .list(content), cost: .linear) { values, _ throws(Fault) in
            try Library.unwrapped(try values.list(0))
        }
        member("hasValue", [optional], .bool) { values, _ throws(Fault) in .bool(try values.optional(0) != nil) }
        member("value", [optional], content) { values, _ throws(Fault) in
            guard let value = try values.optional(0) else {
                throw Fault(.invalidArgument, "the optional has no value")
            }
            return value
        }
        member("or", [optional, optional], optional) { values, _ throws(Fault) in
            try values.optional(0) != nil ? values[0] : values[1]
        }
        member("orValue", [optional, content], content) { values, _ throws(Fault) in
            try values.optional(0) ?? values[1]
        }
    }

    private static func unwrapped(_ list: [CELValue]) throws(Fault) -> CELValue {
        var result: [CELValue] = []
        for index in list.indices {
            if let value = try list.optional(index) { result.append(value) }
        }
        return .list(result)
    }
}
