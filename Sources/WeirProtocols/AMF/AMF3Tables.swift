/// The reference tables of AMF3, separate for strings, objects and traits (AMF3 §2.2).
struct AMF3Tables {
    /// The traits of a class (AMF3 §3.12).
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
