/// Returns the candidate that `word` was probably meant to be, or nil if none is similar.
///
/// Candidates are similar within an edit distance of at most a third of the word's length, at least 1, ignoring case.
/// Otherwise, a candidate is similar that ends with the word, as `maxAttempts` does with `attempts`.
/// - Complexity: O(*m* · *n*) for each candidate; words of more than 64 characters have no similar ones.
package func nearestName(to word: String, among candidates: [String]) -> String? {
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
    return best?.candidate ?? candidates.first { endsWithWord($0, word) }
}

/// Returns a Boolean value that indicates whether a camel-case name ends with a word of at least four letters.
private func endsWithWord(_ name: String, _ word: String) -> Bool {
    guard word.utf8.count >= 4, name.utf8.count <= 64, let initial = word.first else { return false }
    return initial.isLowercase && name.hasSuffix(initial.uppercased() + word.dropFirst())
}

/// Returns the number of insertions, removals, replacements, and swaps of neighbors between two words: the optimal
/// string alignment distance (Boytsov, "Indexing methods for approximate dictionary searching", 2011, section 2.1).
package func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
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
