public import Dispatch

extension Observer {
    /// An observer of the value that `body` makes of this one's.
    ///
    /// ```swift
    /// let text: Observer<String> = Doubler().start(4).map { "\($0)" }  // "8"
    /// ```
    ///
    /// - Parameter body: called at most once; see ``Observer`` for where. What it throws is the error of the result.
    /// - Returns: a derived observer; errors and cancel pass through it.
    public func map<T: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (Value) throws -> T
    ) -> Observer<T> {
        derive(isolation) { ending, derived, lane in
            switch ending {
            case .value(let value): derived.end(Ending { try body(known(value)) }, from: lane)
            case .error(let error): derived.end(.error(error), from: lane)
            case .canceled: derived.end(.canceled, from: lane)
            }
        }
    }

    /// An observer of the call that `body` starts with this one's value.
    ///
    /// ```swift
    /// let length = user.map { files.start($0.photo) }.map { $0.count }
    /// ```
    ///
    /// - Parameter body: called at most once; see ``Observer`` for where. What it throws is the error of the result.
    /// - Returns: a derived observer; it is a branch of the call that `body` starts, so that cancel reaches that too.
    public func map<T: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (Value) throws -> Observer<T>
    ) -> Observer<T> {
        derive(isolation) { ending, derived, lane in
            switch ending {
            case .value(let value): derived.follow(from: lane) { try body(known(value)) }
            case .error(let error): derived.end(.error(error), from: lane)
            case .canceled: derived.end(.canceled, from: lane)
            }
        }
    }

    /// An observer whose error is the one that `body` makes of this one's: ``mapError(isolation:_:)`` in the
    /// spelling of the seed.
    ///
    /// Where `body` would do for a value too, the value's `map` is meant.
    @_disfavoredOverload
    public func map(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (any Error) -> any Error
    ) -> Observer<Value> {
        mapError(body)
    }

    /// An observer whose error is the one that `body` makes of this one's.
    ///
    /// - Parameter body: called at most once, with an error; not for cancel. See ``Observer`` for where.
    public func mapError(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (any Error) -> any Error
    ) -> Observer<Value> {
        derive(isolation) { ending, derived, lane in
            guard case .error(let error) = ending else { return derived.end(ending, from: lane) }
            derived.end(.error(body(error)), from: lane)
        }
    }

    /// An observer that goes on with the call that `body` starts, if this one ends with an error.
    ///
    /// ```swift
    /// let user = users.start("ada").recover { _ in backup.start("ada") }
    /// ```
    ///
    /// - Parameter body: called at most once, with an error; not for cancel. See ``Observer`` for where. What it
    ///   throws is the error of the result.
    public func recover(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (any Error) throws -> Observer<Value>
    ) -> Observer<Value> {
        derive(isolation) { ending, derived, lane in
            guard case .error(let error) = ending else { return derived.end(ending, from: lane) }
            derived.follow(from: lane) { try body(error) }
        }
    }

    /// An observer of those elements of this one's array that `body` takes.
    ///
    /// ```swift
    /// let adults = everybody.filter { $0.age >= 18 }  // Observer<[Person]>
    /// ```
    ///
    /// - Parameter body: called once for each element; see ``Observer`` for where. What it throws is the error of
    ///   the result.
    /// - Complexity: O(*n*) calls.
    public func filter<Element>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: @escaping (Element) throws -> Bool
    ) -> Observer<[Element]> where Value == [Element] {
        map { try $0.filter(body) }
    }

    /// An observer of the same end, whose bodies, and those of all derived from it, run on `queue` unless they are
    /// written on an actor.
    ///
    /// ```swift
    /// observer.dispatch(on: .global()).map { render($0) }.dispatch(on: .main).onCompleted { show($0) }
    /// ```
    ///
    /// The ``CallContext`` goes with it.
    public func dispatch(on queue: DispatchQueue) -> Observer<Value> {
        derive(on: .queue(queue), bodyLane: .queue(queue)) { $1.end($0, from: $2) }
    }
}

extension Observer {
    /// An observer that waits for this one's end and ends as `body` says.
    func derive<T: Sendable>(
        _ isolation: (any Actor)?,
        _ body: @escaping (Ending, Observer<T>, Lane) -> Void
    ) -> Observer<T> {
        derive(on: lane, bodyLane: Lane(isolation: isolation, else: lane), isolation, body)
    }

    /// An observer that waits for this one's end and ends as `body` says.
    ///
    /// - Parameters:
    ///   - lane: where its own bodies run that were written on no actor.
    ///   - bodyLane: where `body` runs.
    func derive<T: Sendable>(
        on lane: Lane,
        bodyLane: Lane,
        _ isolation: (any Actor)? = nil,
        _ body: @escaping (Ending, Observer<T>, Lane) -> Void
    ) -> Observer<T> {
        let context = derivedContext
        let derived = Observer<T>(lane: lane, callContext: context, isRoot: false)
        let current = Lane(isolation: isolation, else: .anyThread)
        let id = listen(as: .branch, on: bodyLane, from: current, ending: derived) { ending, lane in
            // After a hop, the derived observer may have been canceled: then its body is not called.
            if !lane.isAnyThread, !derived.isPending { return }
            withCallContext(context) { body(ending, derived, lane) }
        }
        if let id { derived.whenEnded { [weak self] in self?.leave(id) } }
        return derived
    }

    /// The context of an observer that is derived here and now: the current one, or outside of any that of this one.
    var derivedContext: CallContext {
        let current = CallContext.current
        return current.isEmpty ? callContext : current
    }

    /// Ends as the call does that `start` answers with, and is a branch of it from now on.
    func follow(from lane: Lane, _ start: () throws -> Observer<Value>) {
        do {
            let call = try start()
            let id = call.listen(as: .branch, on: .anyThread, from: lane, ending: self) { self.end($0, from: $1) }
            if let id { whenEnded { [weak call] in call?.leave(id) } }
        } catch {
            end(.error(error), from: lane)
        }
    }
}
