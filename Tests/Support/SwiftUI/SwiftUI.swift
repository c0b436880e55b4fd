// swift-format-ignore-file

// The part of SwiftUI that docs/apps.md uses, as far as its types go: so that the page's code is compiled on machines
// without SwiftUI. The declarations have the shapes of Apple's, and do nothing.

public typealias CGFloat = Double

@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { fatalError("a view without a body") }
}

public protocol Primitive: View where Body == Never {}

extension Primitive {
    public var body: Never { fatalError("a view without a body") }
}

public struct TupleView<each Content: View>: Primitive {}
public struct Modified: Primitive {}

@resultBuilder @MainActor public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<repeat each Content> {
        TupleView()
    }
}

public struct Text: Primitive {
    public init(_ text: String) {}
}

public protocol Shape: Primitive {}

extension Shape {
    public func fill(_ color: Color) -> some View { Modified() }
    public func stroke(_ color: Color) -> some View { Modified() }
}

public struct Circle: Shape {
    public init() {}
}

public struct Capsule: Shape {
    public init() {}
}

public struct Color: Primitive, Sendable {
    public static let secondary = Color()
    public static let green = Color()
    public static let red = Color()
    public init(hue: Double, saturation: Double, brightness: Double) {}
    private init() {}
}

public struct ForEach<Data: RandomAccessCollection, Content: View>: Primitive where Data.Element: Identifiable {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
}

public struct ZStack<Content: View>: Primitive {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct GeometryProxy {
    public struct Size {
        public var width: CGFloat
        public var height: CGFloat
    }
    public var size: Size
}

public struct GeometryReader<Content: View>: Primitive {
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) {}
}

public struct AnimationSchedule: Sendable {
    public static var animation: AnimationSchedule { AnimationSchedule() }
}

public struct TimelineContext {}

public struct TimelineView<Content: View>: Primitive {
    public init(_ schedule: AnimationSchedule, @ViewBuilder content: @escaping (TimelineContext) -> Content) {}
}

@propertyWrapper @MainActor public struct State<Value> {
    public var wrappedValue: Value {
        get { value }
        nonmutating set {}
    }
    private let value: Value
    public init(wrappedValue: Value) { value = wrappedValue }
}

public struct Font: Sendable {
    public static let caption2 = Font()
}

extension View {
    public func font(_ font: Font) -> some View { Modified() }
    public func padding(_ length: CGFloat) -> some View { Modified() }
    public func background(_ content: some View) -> some View { Modified() }
    public func position(x: CGFloat, y: CGFloat) -> some View { Modified() }
    public func frame(height: CGFloat) -> some View { Modified() }
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { Modified() }
}
