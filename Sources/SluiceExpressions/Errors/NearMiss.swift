import SluiceJSON

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
