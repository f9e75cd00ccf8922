/** The address a name resolved to, or a literal, is one that no catalog may reach (RUN-140); apart from what reads addresses, which a start does not load. */
export class AddressRefusedError extends Error {
  override readonly name = "AddressRefusedError";
  constructor(host: string) {
    super(`${host} is, or resolves to, a private address`);
  }
}
