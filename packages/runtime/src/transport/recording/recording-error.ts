/** A recording that cannot be opened; the message says why and what to do. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
}
