extension CELType {
    /// The shape of the values of the type.
    package var shape: CELShape {
        switch self {
        case .dyn, .parameter: .any
        case .null: CELShape(.null)
        case .bool: CELShape(.bool)
        case .int: CELShape(.int)
        case .uint: CELShape(.uint)
        case .double: CELShape(.double)
        case .string: CELShape(.string)
        case .bytes: CELShape(.bytes)
        case .duration: CELShape(.duration)
        case .timestamp: CELShape(.timestamp)
        case .type: CELShape(.type)
        case .list(let element): CELShape(.list, element: element.shape)
        case .map: CELShape(.map)
        case .optional: CELShape(.optional)
        case .opaque: CELShape(.other)
        case .shape(let shape): shape
        }
    }

    /// A Boolean value that indicates whether a shape occurs in the type.
    package var hasShape: Bool {
        if case .shape = self { return true }
        return arguments.contains(where: \.hasShape)
    }

    /// The type with `dyn` for each shape, which is the type in evaluations.
    package var erased: CELType {
        guard hasShape else { return self }
        if case .shape = self { return .dyn }
        return with(arguments.map(\.erased))
    }

    /// Returns the type with shapes in the places where it says less than a shape.
    package func refined(by shape: CELShape) -> CELType {
        switch self {
        case .dyn: shape.isAny ? self : .shape(shape)
        case .list(let element) where shape.kinds == .list: .list(element.refined(by: shape.element))
        case .map where shape.kinds == .map && shape.fields != nil: .shape(shape)
        default: self
        }
    }
}
