/// A step of a coding path that the text or the tree doesn't record: a key with an `intValue`, a converted key,
/// `super`, or the key of a missing value.
///
/// Steps form a list toward the root, so that one more costs the same at every depth. The list continues with the path
/// of its last place.
final class PathStep {
    private let parent: PathStep?
    /// The place of the enclosing value: an index on the tape or in the tree.
    private let place: Int
    private let key: any CodingKey

    init(parent: PathStep?, place: Int, key: any CodingKey) {
        self.parent = parent
        self.place = place
        self.key = key
    }

    /// Returns the keys from the root to here; `path` returns those from the root to a place.
    /// - Complexity: O(*n*) in the depth, in addition to `path`.
    func keys(_ path: (_ place: Int) -> [any CodingKey]) -> [any CodingKey] {
        var keys: [any CodingKey] = []
        var step = self
        while true {
            keys.append(step.key)
            guard let parent = step.parent else { return path(step.place) + keys.reversed() }
            step = parent
        }
    }
}
