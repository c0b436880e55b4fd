/// The style of the pictures.
enum SVGStyle {
    /// The number of colors that distinguish origins. They are distinguishable with every kind of color blindness
    /// (after Okabe and Ito, "Color Universal Design", 2008), and their text has a contrast of 4.5 to 1 or more in
    /// light and dark mode.
    static let colorCount = 8

    /// Returns the style sheet; the animation lasts `seconds`, then pauses.
    static func sheet(_ seconds: String?, width: Int) -> String {
        var sheet = """
            .sluice-marbles{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
            .sluice-marbles .ground{fill:#f7fafb;stroke:#d9e3e8}
            .sluice-marbles .title{font-size:19px;font-weight:700;fill:#13242d}
            .sluice-marbles .name{font-size:13.5px;font-weight:650;fill:#13242d}
            .sluice-marbles .code{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;\
            font-size:12.5px;font-weight:400;fill:#4e636e}
            .sluice-marbles .soft{font-size:12px;font-weight:400;fill:#4e636e}
            .sluice-marbles .tube{fill:#e3f1f5;stroke:#c3d9e1}
            .sluice-marbles .dry{fill:#f7fafb;fill-opacity:.72}
            .sluice-marbles .grid{stroke:#13242d;stroke-opacity:.09}
            .sluice-marbles .tick{font-size:11.5px;fill:#4e636e;text-anchor:middle}
            .sluice-marbles .value{font-size:13px;font-weight:700;fill:#fff;text-anchor:middle}
            .sluice-marbles .good{fill:#0b6b45;stroke:#0b6b45}
            .sluice-marbles .bad{fill:#b3212e;stroke:#b3212e}
            .sluice-marbles .sign{fill:none;stroke:#fff;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
            .sluice-marbles .c0{fill:#0b62a8}.sluice-marbles .c1{fill:#b0440a}.sluice-marbles .c2{fill:#08734f}
            .sluice-marbles .c3{fill:#91388a}.sluice-marbles .c4{fill:#8a5a00}.sluice-marbles .c5{fill:#0d7186}
            .sluice-marbles .c6{fill:#b2265c}.sluice-marbles .c7{fill:#55606b}.sluice-marbles .plain{fill:#42535d}
            @media (prefers-color-scheme:dark){
            .sluice-marbles .ground{fill:#0d151a;stroke:#22323b}
            .sluice-marbles .title,.sluice-marbles .name{fill:#e8f1f4}
            .sluice-marbles .code,.sluice-marbles .soft,.sluice-marbles .tick{fill:#9bb1bb}
            .sluice-marbles .tube{fill:#11272f;stroke:#24444f}
            .sluice-marbles .dry{fill:#0d151a}
            .sluice-marbles .glass{opacity:.2}
            .sluice-marbles .grid{stroke:#e8f1f4;stroke-opacity:.12}
            .sluice-marbles .value{fill:#081014}
            .sluice-marbles .good{fill:#6bdca6;stroke:#6bdca6}
            .sluice-marbles .bad{fill:#ff8a84;stroke:#ff8a84}
            .sluice-marbles .sign{stroke:#081014}
            .sluice-marbles .c0{fill:#5cb6ee}.sluice-marbles .c1{fill:#f28e56}.sluice-marbles .c2{fill:#3fcb9d}
            .sluice-marbles .c3{fill:#df9dd9}.sluice-marbles .c4{fill:#e8aa2c}.sluice-marbles .c5{fill:#7fd9e8}
            .sluice-marbles .c6{fill:#ff93b2}.sluice-marbles .c7{fill:#b3c1c9}.sluice-marbles .plain{fill:#c9d6dc}
            }

            """
        if let seconds {
            sheet += """
                .sluice-marbles .flow{animation:sluice-flow \(seconds)s linear infinite}
                @keyframes sluice-flow{0%{transform:translateX(\(width)px)}80%,100%{transform:none}}
                @media (prefers-reduced-motion:reduce){.sluice-marbles .flow{animation:none}}

                """
        }
        return sheet
    }
}
