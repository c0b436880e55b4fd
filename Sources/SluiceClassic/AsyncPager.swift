#if HTTP
import SluiceHTTP

/// A page of NodeKit 5: its value, and the number of items in it.
public struct AsyncPagerData<Value: Sendable>: Sendable {
    /// The value, such as an array of items.
    public let value: Value
    /// The number of items.
    public let len: Int

    /// Creates a page.
    public init(value: Value, len: Int) {
        self.value = value
        self.len = len
    }
}

/// A source of pages, as NodeKit 5 defines it.
public protocol AsyncPagerDataProvider<Value>: Sendable {
    /// The type of a page's value.
    associatedtype Value: Sendable
    /// Fetches the page that begins at an index.
    func provide(for index: Int, with pageSize: Int) async -> NodeResult<AsyncPagerData<Value>>
}

/// The error of a pager that is asked for a page after the last one.
public struct PagerEndError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Creates the error.
    public init() {}

    /// The text `there is no further page`.
    public var description: String { "there is no further page" }
}

/// NodeKit 5's iterator of pages.
///
/// ```swift
/// struct Letters: AsyncPagerDataProvider {
///     func provide(for index: Int, with pageSize: Int) async -> NodeResult<AsyncPagerData<[String]>> {
///         let page = Array(["a", "b", "c"].dropFirst(index).prefix(pageSize))
///         return .success(AsyncPagerData(value: page, len: page.count))
///     }
/// }
/// let iterator = AsyncPagerIterator(dataProvider: Letters(), pageSize: 2)
/// let first = try await iterator.next().get()   // ["a", "b"]
/// ```
///
/// A page that is shorter than the page size is the last one. A failure changes nothing: the next call fetches the same
/// page. Unlike in NodeKit, concurrent calls get pages of their own. See ``SluiceHTTP/Pager`` for new code.
public final class AsyncPagerIterator<Value: Sendable>: Sendable {
    private let pager: Pager<Int, Value>

    /// Creates an iterator that begins at index 0.
    public init(dataProvider: some AsyncPagerDataProvider<Value>, pageSize: Int) {
        pager = Pager(from: 0) { index in
            let page = try await dataProvider.provide(for: index, with: pageSize).get()
            let isLast = page.len <= 0 || page.len < pageSize
            return Page([page.value], next: isLast ? nil : index + page.len)
        }
    }

    /// Fetches the next page.
    ///
    /// - Returns: The value of the page; a failure with the error of the provider, or with ``PagerEndError`` after the
    ///   last page.
    public func next() async -> NodeResult<Value> {
        do {
            guard let value = try await pager.next()?.first else { return .failure(PagerEndError()) }
            return .success(value)
        } catch {
            return .failure(error)
        }
    }

    /// Returns whether there is another page, as far as known.
    public func hasNext() async -> Bool { pager.hasNext }

    /// Returns to the first page. Saved states stay.
    public func renew() async { pager.renew() }

    /// Saves the position on a stack.
    public func saveState() async { pager.saveState() }

    /// Returns to the position that was saved last; does nothing without one.
    public func restoreState() async { pager.restore() }

    /// Removes all saved positions.
    public func clearStates() async { pager.clearStates() }
}
#endif
