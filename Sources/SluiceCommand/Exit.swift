#if Command
import ArgumentParser

/// The exit codes of every command.
extension ExitCode {
    /// The answer is no: a run ended with an error, an HTTP status from 400 to 499.
    static let no = ExitCode(1)
    /// The command line is wrong, or a file cannot be read.
    static let usage = ExitCode(64)
    /// A document is wrong, or a body that is not what was asked for.
    static let badData = ExitCode(65)
    /// A peer is not there, timed out, or ended with a status from 500.
    static let unavailable = ExitCode(69)
    /// A fault of ours.
    static let fault = ExitCode(70)
    /// Ended by an interrupt.
    static let interrupted = ExitCode(130)
}

/// An error to print on standard error, with the exit code.
struct Failure: Error {
    let code: ExitCode
    let message: String

    /// Prints the error in the form `PLACE: error: text`, and returns the exit code.
    func report() -> ExitCode {
        Output.error(message)
        return code
    }
}

/// Runs a command's body and turns what it throws into an exit code.
nonisolated(nonsending) func exiting(_ body: nonisolated(nonsending) () async throws -> Void) async throws {
    do {
        try await body()
    } catch let failure as Failure {
        throw failure.report()
    } catch let code as ExitCode {
        throw code
    } catch is Output.Closed {
        throw ExitCode.success  // nobody reads any more: that is no failure
    }
}
#endif
