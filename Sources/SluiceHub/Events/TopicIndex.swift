#if Hub
/// Subscribers by the topics that they ask for, so that publishing costs time in proportion to those that receive an
/// event, and not to all.
struct TopicIndex<Subscriber> {
    /// The subscribers of every topic.
    private var everything: [Int: Subscriber] = [:]
    private var byTopic: [String: [Int: Subscriber]] = [:]

    /// A Boolean value that indicates whether there are no subscribers.
    var isEmpty: Bool { everything.isEmpty && byTopic.isEmpty }

    /// Adds a subscriber.
    ///
    /// - Parameter topics: The topics that it asks for; `nil` for all.
    mutating func add(_ subscriber: Subscriber, _ id: Int, topics: Set<String>?) {
        guard let topics else { return everything[id] = subscriber }
        for topic in topics { byTopic[topic, default: [:]][id] = subscriber }
    }

    /// Removes a subscriber that was added with the same topics.
    mutating func remove(_ id: Int, topics: Set<String>?) {
        guard let topics else { return everything[id] = nil }
        for topic in topics {
            byTopic[topic]?[id] = nil
            if byTopic[topic]?.isEmpty == true { byTopic[topic] = nil }
        }
    }

    /// Calls a closure with each subscriber of a topic.
    ///
    /// - Complexity: O(*n*) in the number of these subscribers.
    func forEach(of topic: String, _ body: (Int, Subscriber) -> Void) {
        for (id, subscriber) in everything { body(id, subscriber) }
        guard let subscribers = byTopic[topic] else { return }
        for (id, subscriber) in subscribers { body(id, subscriber) }
    }
}
#endif
