/// Which endpoints may be called: those that are alive, and those that are dead until a time. Time is an input, in
/// nanoseconds.
///
/// Picking is O(1); a change of one endpoint is O(*n*), since it is rare.
struct Roster<Member: AnyObject & Sendable>: Sendable {
    private(set) var all: [Member]
    private(set) var alive: [Member]
    /// Ordered by time.
    private var dead: [(until: Int64, member: Member)] = []

    init(_ members: [Member] = []) {
        all = members
        alive = members
    }

    /// Whether a probe may be due, so that it makes sense to look at the clock.
    var hasDead: Bool { !dead.isEmpty }

    /// How many there are to choose from: the living, or all if there are none.
    var candidateCount: Int { alive.isEmpty ? all.count : alive.count }

    /// One of those to choose from.
    func candidate(_ index: Int) -> Member { alive.isEmpty ? all[index] : alive[index] }

    /// The endpoint whose time has come; it is out until somebody says what became of it.
    mutating func popDue(at now: Int64) -> Member? {
        guard let first = dead.first, first.until <= now else { return nil }
        return dead.removeFirst().member
    }

    /// Takes an endpoint out, or sets another time for one that is out.
    mutating func setDead(_ member: Member, until: Int64) {
        guard all.contains(where: { $0 === member }) else { return }
        alive.removeAll { $0 === member }
        dead.removeAll { $0.member === member }
        dead.insert((until, member), at: dead.firstIndex { $0.until > until } ?? dead.endIndex)
    }

    /// Puts an endpoint back.
    mutating func setAlive(_ member: Member) {
        guard all.contains(where: { $0 === member }), !alive.contains(where: { $0 === member }) else { return }
        dead.removeAll { $0.member === member }
        alive.append(member)
    }

    /// Changes the set; who stays keeps its state, who comes is alive.
    mutating func replace(_ members: [Member]) {
        let kept = Set(members.map(ObjectIdentifier.init))
        dead.removeAll { !kept.contains(ObjectIdentifier($0.member)) }
        let out = Set(dead.map { ObjectIdentifier($0.member) })
        all = members
        alive = members.filter { !out.contains(ObjectIdentifier($0)) }
    }
}
