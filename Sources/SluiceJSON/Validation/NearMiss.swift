/// Returns the candidate that `word` was probably meant to be, or nil if none is similar.
///
/// Candidates are similar within an edit distance of at most a third of the word's length, at least 1, ignoring case.
/// - Complexity: O(*m* · *n*) for each candidate; words of more than 64 characters have no similar ones.
func nearest(to word: String, among candidates: [String]) -> String? {
    let letters = Array(word.lowercased().unicodeScalars)
    guard letters.count <= 64, !letters.isEmpty else { return nil }
    let reach = max(1, letters.count / 3)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let other = Array(candidate.lowercased().unicodeScalars)
        guard abs(other.count - letters.count) <= reach, other.count <= 64 else { continue }
        let distance = editDistance(letters, other)
        if distance <= reach, distance < min(letters.count, other.count), distance < best?.distance ?? .max {
            best = (candidate, distance)
        }
    }
    return best?.candidate
}

/// Returns the number of insertions, removals, replacements, and swaps of neighbors between two words: the optimal
/// string alignment distance (Boytsov, "Indexing methods for approximate dictionary searching", 2011, section 2.1).
func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 0..<left.count {
        var current = [row + 1]
        for column in 0..<right.count {
            let isSame = left[row] == right[column]
            var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
            if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                cost = min(cost, beforeLast[column - 1] + 1)
            }
            current.append(cost)
        }
        beforeLast = last
        last = current
    }
    return last[right.count]
}
