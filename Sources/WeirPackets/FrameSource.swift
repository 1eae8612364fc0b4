/// A sequence of captured frames.
package protocol FrameSource: ~Copyable {
    /// The error thrown if reading fails before the end.
    associatedtype Failure: Error

    /// Returns the next frame, valid until the next call, or nil at the end.
    @_lifetime(&self)
    mutating func next() throws(Failure) -> Frame?

    /// Returns the frames after the latest one that are in memory, or nil if `next` has to read them. `skip` must be
    /// called before `next`.
    @_lifetime(&self)
    mutating func records() -> RecordBlock?

    /// Continues after the records that were read.
    mutating func skip(_ read: RecordBlock.Progress)
}

extension FrameSource where Self: ~Copyable {
    /// None, by default.
    @_lifetime(&self)
    package mutating func records() -> RecordBlock? { nil }
    /// Nothing to skip, by default.
    package mutating func skip(_ read: RecordBlock.Progress) {}
}
