/** Why the servers cannot start, in words for the person who started them. */
export class StartError extends Error {
  override readonly name = "StartError";
}
