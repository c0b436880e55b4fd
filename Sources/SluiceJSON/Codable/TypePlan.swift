/// The plans for decoding and encoding values of a type that don't use `init(from:)` and `encode(to:)`; found once for
/// each type and kept.
///
/// Looking up a type's conformances costs as much as decoding a small struct, and a plan is needed for each value.
final class TypePlan: Sendable {
    let type: ObjectIdentifier
    let decoding: DecodingPlan?
    let encoding: EncodingPlan?

    init(_ type: Any.Type) {
        self.type = ObjectIdentifier(type)
        decoding = DecodingPlan.find(type)
        encoding = EncodingPlan.find(type)
    }

    /// Returns the plan of a type.
    /// - Complexity: O(1).
    @inline(__always)
    static func plan(of type: Any.Type) -> TypePlan {
        PlanTable.shared.find(ObjectIdentifier(type)) ?? PlanTable.shared.make(type)
    }
}
