/// Where code is running, and how deep: handed down while an end travels from observer to observer.
///
/// An end passes through derived observers by calls of calls. Beyond a depth the next step is put off until the
/// stack is back at the outermost end, so that a chain of any length (a poll that starts itself again by `map`, say)
/// cannot exhaust a thread's stack. Below that depth nothing is allocated.
struct Place {
    let lane: Lane
    private var depth = 0
    private var postponed: [(inout Place) -> Void] = []

    private static let limit = 32

    private init(_ lane: Lane) { self.lane = lane }

    /// Runs `step` at the outermost place of a lane, and then what was put off below it.
    static func enter(_ lane: Lane, _ step: (inout Place) -> Void) {
        var place = Place(lane)
        step(&place)
        while !place.postponed.isEmpty {
            let steps = place.postponed
            place.postponed = []
            for step in steps { step(&place) }
        }
    }

    /// Runs `step` one deeper: at once, or later if this is deep already.
    mutating func descend(_ step: @escaping (inout Place) -> Void) {
        guard depth < Self.limit else { return postponed.append(step) }
        depth += 1
        defer { depth -= 1 }
        step(&self)
    }
}
