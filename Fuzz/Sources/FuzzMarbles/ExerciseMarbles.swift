import SluiceJSON
import SluiceStreams

// Shared by the fuzzer and by the tests that replay its corpus (a link in Tests/SluiceStreamsTests/Marbles).

/// Reads the bytes as diagrams of all kinds, writes what was read, and says what is not as it must be.
func exerciseMarbles(_ bytes: [UInt8]) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    var problems: [String] = []
    let frames = [Marbles.defaultFrame, StreamTime(seconds: 1)].compactMap { $0 }
    for frame in frames {
        for kind in [Marbles.Kind.cold, .hot] {
            do throws(MarbleError) {
                let marbles = try Marbles(parsing: text, kind, frame: frame)
                problems += check(marbles, kind)
            } catch {
                problems += check(error, text)
            }
        }
        do throws(MarbleError) {
            let marbles = try SubscriptionMarbles(parsing: text, frame: frame)
            guard let again = try? SubscriptionMarbles(parsing: try marbles.text(frame: frame), frame: frame),
                again == marbles
            else {
                problems.append("the subscription does not come back")
                continue
            }
        } catch {
            problems += check(error, text)
        }
    }
    return problems
}

private func check(_ error: MarbleError, _ text: String) -> [String] {
    let count = text.unicodeScalars.count
    let isFine = error.column <= count && (error.column > 0 || text.utf8.count > Marbles.maximumByteCount)
    return isFine ? [] : ["bad place: \(error)"]
}

private func check(_ marbles: Marbles, _ kind: Marbles.Kind) -> [String] {
    var problems: [String] = []
    let text = marbles.text
    guard let again = try? Marbles(parsing: text, kind, frame: marbles.frame) else {
        return ["does not read back: \(text)"]
    }
    if again != marbles { problems.append("reads back differently: \(text)") }
    if again.text != text { problems.append("is not stable: \(text)") }
    if zip(marbles.events, marbles.events.dropFirst()).contains(where: { $0.time > $1.time || $0.isLast }) {
        problems.append("is not in order: \(text)")
    }
    if marbles.received.contains(where: { $0.time < .zero }) { problems.append("receives too early: \(text)") }
    // The events alone, in the frame of the best fit.
    if kind == .hot { return problems }
    do throws(MarbleError) {
        let fitted = try Marbles(marbles.events)
        let events = try Marbles(parsing: fitted.text, frame: fitted.frame).events
        if events != marbles.events { problems.append("fits differently: \(fitted.text)") }
    } catch {
        problems.append("does not fit: \(error)")
    }
    return problems
}
