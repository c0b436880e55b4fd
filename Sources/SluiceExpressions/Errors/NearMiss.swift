/// Returns the candidate that a word was probably meant to be, or nil if none is similar.
///
/// Candidates are similar within an edit distance of at most a third of the word's length, at least 1.
/// - Complexity: O(*m* · *n*) for each candidate; words of more than 40 characters have no similar ones.
func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
    let letters = Array(word.lowercased().unicodeScalars)
    guard letters.count <= 40, letters.count > 1 else { return nil }
    let reach = max(1, letters.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates where abs(candidate.unicodeScalars.count - letters.count) <= reach {
        let distance = editDistance(letters, Array(candidate.lowercased().unicodeScalars))
        guard distance <= reach else { continue }
        if let found = best, (found.distance, found.name) <= (distance, candidate) { continue }
        best = (candidate, distance)
    }
    return best?.name
}

/// Returns the minimum number of insertions, removals, replacements, and swaps of neighbors between two words.
private func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var older = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in left.indices {
        var current = [row + 1]
        for column in right.indices {
            let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
            var cost = min(last[column + 1] + 1, current[column] + 1, replaced)
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                cost = min(cost, older[column - 1] + 1)
            }
            current.append(cost)
        }
        older = last
        last = current
    }
    return last[right.count]
}
