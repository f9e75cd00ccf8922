/** Why the engine cannot be brought up, in words for the person who started it. */
export class HostStartError extends Error {
  override readonly name = "HostStartError";
}
