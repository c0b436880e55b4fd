#if !Command
#warning("sluice does nothing without the trait Command: swift build --traits Command")

import Foundation

/// The program without its trait: it has no commands.
@main enum MissingTrait {
    static func main() {
        let text = "error: this sluice was built without its commands; they need the trait Command"
        FileHandle.standardError.write(Data("\(text): swift build --traits Command\n".utf8))
        exit(69)
    }
}
#endif
