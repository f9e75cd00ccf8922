/** Why the server cannot listen, in words for the person who started it. */
export class ServerStartError extends Error {
  override readonly name = "ServerStartError";
}
