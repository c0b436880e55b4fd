import Foundation

/// A picture of a cost that grows: for each size of the input, the cost of one unit of it, both axes logarithmic.
///
/// A flat line is a cost in proportion to the size; a rising one is steeper.
struct GrowthPlot {
    /// The costs of one kind of work, by size.
    struct Curve {
        var name: String
        var points: [(size: Double, cost: Double)] = []
    }

    /// The name of the file, without `.svg`.
    var file: String
    var title: String
    var sizes: String
    var costs: String
    var curves: [Curve] = []

    private static let colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"]

    /// Prints the points, and writes the picture to `FILE.svg` in a folder.
    func write(to folder: String) throws {
        print("\n\(title): \(costs), by \(sizes)")
        let all = Set(curves.flatMap { $0.points.map(\.size) }).sorted()
        print(String(repeating: " ", count: 30) + all.map { Self.short($0).leftPadded(9) }.joined())
        for curve in curves {
            let costs = all.map { size in curve.points.first { $0.size == size }.map { Self.short($0.cost) } ?? "" }
            print(
                curve.name.padding(toLength: 30, withPad: " ", startingAt: 0) + costs.map { $0.leftPadded(9) }.joined()
            )
        }
        try Data(svg.utf8).write(to: URL(fileURLWithPath: folder).appendingPathComponent("\(file).svg"))
    }

    /// The picture as SVG, on a white ground of its own, since it is shown on light and dark pages.
    var svg: String {
        let legend = 14 * Double(curves.count)
        let (width, height, left, top, right, bottom) = (460.0, 270 + legend, 58.0, 40.0, 22.0, 42 + legend)
        let points = curves.flatMap(\.points)
        let (lowX, highX) = Self.decades(points.map(\.size), atLeast: 1)
        let (lowY, highY) = Self.decades(points.map(\.cost), atLeast: 2)
        func x(_ size: Double) -> Double { left + (log10(size) - lowX) / (highX - lowX) * (width - left - right) }
        func y(_ cost: Double) -> Double {
            height - bottom - (log10(cost) - lowY) / (highY - lowY) * (height - top - bottom)
        }
        func f(_ value: Double) -> String { String(format: "%.1f", value) }
        var parts = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(width)) \(Int(height))\" font-family=\"sans-serif\" font-size=\"11\">",
            "<title>\(title): \(costs), by \(sizes)</title>",
            "<rect width=\"\(Int(width))\" height=\"\(Int(height))\" fill=\"#fff\"/>",
            "<text x=\"\(f(left))\" y=\"16\" font-size=\"13\" font-weight=\"bold\">\(title)</text>",
            "<text x=\"\(f(left))\" y=\"30\" fill=\"#555\">\(costs)</text>",
            "<text x=\"\(f((left + width - right) / 2))\" y=\"\(f(height - bottom + 30))\" text-anchor=\"middle\">\(sizes)</text>",
        ]
        for decade in stride(from: lowY, through: highY, by: 1) {
            let at = y(pow(10, decade))
            parts.append(
                "<line x1=\"\(f(left))\" y1=\"\(f(at))\" x2=\"\(f(width - right))\" y2=\"\(f(at))\" stroke=\"#ddd\"/>"
            )
            parts.append(
                "<text x=\"\(f(left - 6))\" y=\"\(f(at + 4))\" text-anchor=\"end\">\(Self.short(pow(10, decade)))</text>"
            )
        }
        for decade in stride(from: lowX, through: highX, by: 1) {
            let at = f(x(pow(10, decade)))
            parts.append(
                "<line x1=\"\(at)\" y1=\"\(f(top))\" x2=\"\(at)\" y2=\"\(f(height - bottom))\" stroke=\"#eee\"/>"
            )
            parts.append(
                "<text x=\"\(at)\" y=\"\(f(height - bottom + 15))\" text-anchor=\"middle\">\(Self.short(pow(10, decade)))</text>"
            )
        }
        for (curve, color) in zip(curves, Self.colors) {
            let line = curve.points.map { "\(f(x($0.size))),\(f(y($0.cost)))" }
            parts.append(
                "<polyline fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\" points=\"\(line.joined(separator: " "))\"/>"
            )
            parts += curve.points.map {
                "<circle cx=\"\(f(x($0.size)))\" cy=\"\(f(y($0.cost)))\" r=\"2.5\" fill=\"\(color)\"/>"
            }
        }
        for (index, (curve, color)) in zip(curves, Self.colors).enumerated() {
            let at = height - legend + Double(index) * 14 + 4
            parts.append(
                "<rect x=\"\(f(left))\" y=\"\(f(at - 5))\" width=\"16\" height=\"3\" fill=\"\(color)\"/>"
                    + "<text x=\"\(f(left + 22))\" y=\"\(f(at))\">\(curve.name)</text>"
            )
        }
        return (parts + ["</svg>", ""]).joined(separator: "\n")
    }

    /// Returns the decimal logarithms of the decades around values.
    private static func decades(_ values: [Double], atLeast count: Double) -> (Double, Double) {
        let logarithms = values.filter { $0 > 0 }.map(log10)
        let low = (logarithms.min() ?? 0).rounded(.down)
        return (low, max(low + count, (logarithms.max() ?? 1).rounded(.up)))
    }

    /// Returns a number as short as it can be read: `0.5`, `20`, `3k`, `10M`.
    private static func short(_ value: Double) -> String {
        switch value {
        case ..<0.1: String(format: "%.2g", value)
        case ..<10: String(format: "%.3g", (value * 10).rounded() / 10)
        case ..<1000: String(format: "%.0f", value)
        case ..<1_000_000: String(format: "%.3gk", value / 1000)
        default: String(format: "%.3gM", value / 1_000_000)
        }
    }
}
