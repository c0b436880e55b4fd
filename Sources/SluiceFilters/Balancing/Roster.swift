/// Which endpoints may be called: those that are alive, and those that are dead until a time. Time is an input, in
/// nanoseconds.
///
/// Picking is O(1); a change of one endpoint is O(*n*), since it is rare.
struct Roster<Member: AnyObject & Sendable>: Sendable {
    private(set) var all: [Member]
    private(set) var alive: [Member] {
        didSet { candidates = (alive.isEmpty ? all : alive).map(Unmanaged.passUnretained) }
    }
    /// Those to choose from, all of which `all` holds: to compare two without counting references, which would cost as
    /// much as all the rest.
    private var candidates: [Unmanaged<Member>]
    /// Ordered by time.
    private var dead: [(until: Int64, member: Member)] = []

    init(_ members: [Member] = []) {
        all = members
        alive = members
        candidates = members.map(Unmanaged.passUnretained)
    }

    /// Whether a probe may be due, so that it makes sense to look at the clock.
    var hasDead: Bool { !dead.isEmpty }

    /// How many there are to choose from: the living, or all if there are none.
    var candidateCount: Int { candidates.count }

    /// One of those to choose from.
    func candidate(_ index: Int) -> Member { candidates[index].takeUnretainedValue() }

    /// Compares two of those to choose from.
    func compare<Result>(_ first: Int, _ second: Int, _ body: (Member, Member) -> Result) -> Result {
        let (first, second) = (candidates[first], candidates[second])
        return first._withUnsafeGuaranteedRef { first in second._withUnsafeGuaranteedRef { body(first, $0) } }
    }

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
