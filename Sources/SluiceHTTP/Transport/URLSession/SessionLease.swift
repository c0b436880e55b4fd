#if HTTP
#if canImport(Darwin) || URLSession
import Foundation
import Sluice

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A session, which ends when nobody uses it anymore.
final class SessionLease: Sendable {
    private let session: URLSession
    private let delegate = SessionDelegate()

    init(_ configuration: URLSessionConfiguration) {
        // A configuration is an object that the caller may use elsewhere.
        let configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Starts a request.
    ///
    /// - Parameter fileLimit: the maximum number of bytes of an answer that is received as a file; `nil` for an answer that
    ///   is received in memory.
    func start(_ request: URLRequest, _ upload: SessionUpload, fileLimit: Int?) -> SessionExchange {
        let task: URLSessionTask
        if let file = upload.file {
            task = session.uploadTask(with: request, fromFile: file)
        } else if let bytes = upload.bytes {
            var request = request
            request.httpBody = bytes
            task = session.dataTask(with: request)
        } else if fileLimit != nil {
            task = session.downloadTask(with: request)
        } else {
            task = session.dataTask(with: request)
        }
        let exchange = SessionExchange(task, upload, fileLimit: fileLimit)
        delegate.add(exchange, for: task)
        task.resume()
        return exchange
    }
}

/// The delegate of a session, which passes the events of each task to its exchange.
private final class SessionDelegate: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, Sendable {
    /// An exchange that may have ended for its caller.
    private struct Weak: Sendable {
        weak var exchange: SessionExchange?
    }
    private let exchanges = Locked<[Int: Weak]>([:])

    func add(_ exchange: SessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = Weak(exchange: exchange) }
    }

    private func exchange(of task: URLSessionTask) -> SessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier]?.exchange }
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession,
        downloadTask: URLSessionDownloadTask,
        didWriteData count: Int64,
        totalBytesWritten: Int64,
        totalBytesExpectedToWrite: Int64
    ) {
        exchange(of: downloadTask)?.receive(fileOfLength: totalBytesWritten)
    }

    func urlSession(_ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL) {
        guard let exchange = exchange(of: downloadTask) else { return }
        exchange.receive(downloadTask.response)
        // The file is removed when this returns.
        exchange.receive(location)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let found = exchange(of: task)
        exchanges.withLock { $0[task.taskIdentifier] = nil }
        // An answer without a body may have no other event, and neither has a redirect that is not followed.
        if error == nil { found?.receive(task.response) }
        found?.finish(error)
    }
}
#endif
#endif
