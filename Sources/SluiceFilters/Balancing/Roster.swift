/// The endpoints that may be called: those that are alive, and those that are dead until a time. Time is an input, in
/// nanoseconds.
///
/// Choosing is O(1); a change of one endpoint is O(*n*), since it is rare.
struct Roster<Member: AnyObject & Sendable>: Sendable {
    private(set) var all: [Member]
    private(set) var alive: [Member] {
        didSet { candidates = (alive.isEmpty ? all : alive).map(Unmanaged.passUnretained) }
    }
    /// The candidates, all of which `all` holds. They are unmanaged, so that comparing two counts no references, which
    /// would cost as much as everything else.
    private var candidates: [Unmanaged<Member>]
    /// The dead endpoints, ordered by time.
    private var dead: [(until: Int64, member: Member)] = []

    init(_ members: [Member] = []) {
        all = members
        alive = members
        candidates = members.map(Unmanaged.passUnretained)
    }

    /// A Boolean value that indicates whether a probe may be due, so that it is worthwhile to read the clock.
    var hasDead: Bool { !dead.isEmpty }

    /// The number of candidates: the live endpoints, or all if none is alive.
    var candidateCount: Int { candidates.count }

    /// Returns a candidate.
    func candidate(_ index: Int) -> Member { candidates[index].takeUnretainedValue() }

    /// Compares two candidates.
    func compare<Result>(_ first: Int, _ second: Int, _ body: (Member, Member) -> Result) -> Result {
        let (first, second) = (candidates[first], candidates[second])
        return first._withUnsafeGuaranteedRef { first in second._withUnsafeGuaranteedRef { body(first, $0) } }
    }

    /// Returns the endpoint whose time has come; it is out until its state is set.
    mutating func popDue(at now: Int64) -> Member? {
        guard let first = dead.first, first.until <= now else { return nil }
        return dead.removeFirst().member
    }

    /// Takes an endpoint out, or changes the time of one that is out.
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

    /// Replaces the set; remaining endpoints keep their state, and new ones are alive.
    mutating func replace(_ members: [Member]) {
        let kept = Set(members.map(ObjectIdentifier.init))
        dead.removeAll { !kept.contains(ObjectIdentifier($0.member)) }
        let out = Set(dead.map { ObjectIdentifier($0.member) })
        all = members
        alive = members.filter { !out.contains(ObjectIdentifier($0)) }
    }
}
