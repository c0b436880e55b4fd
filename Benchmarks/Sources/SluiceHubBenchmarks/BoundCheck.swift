import Foundation

/// The bounds of the rows that were measured: they are compared, or set.
final class BoundCheck {
    private let options: Options
    private var bounds: Bounds?
    private var complaints: [String] = []
    private var passed = 0

    init(_ options: Options) throws {
        self.options = options
        bounds = try (options.check ?? options.setBounds).map(Bounds.read)
    }

    /// Takes a measurement; a larger ratio is better.
    func note(_ key: String, ratio: Double) {
        if options.setBounds != nil { bounds?.set(key, ratio: ratio, allocations: nil) }
        guard options.check != nil else { return }
        if let complaint = bounds?.complaint(key, ratio: ratio, allocations: nil, margin: options.margin) {
            complaints.append(complaint)
        } else {
            passed += 1
        }
    }

    /// Writes the bounds, or what breaks them.
    ///
    /// - Returns: A Boolean value that indicates whether no bound is broken.
    func finish() throws -> Bool {
        if let path = options.setBounds { try bounds?.write(path) }
        guard options.check != nil else { return true }
        print("")
        for complaint in complaints { print(complaint) }
        print("\(passed) passed, \(complaints.count) failed")
        return complaints.isEmpty
    }
}
