/// What references of AMF3 may name: strings, objects and traits, each in a table of its own (AMF3 §2.2).
struct AMF3Tables {
    /// What a class is made of (AMF3 §3.12).
    struct Traits {
        var className = AMFText.empty
        var names: [AMFText] = []
        var isDynamic = false
        var isExternalizable = false
    }

    var strings: [AMFText] = []
    var traits: [Traits] = []
    var objects = ReferenceTable()
}
