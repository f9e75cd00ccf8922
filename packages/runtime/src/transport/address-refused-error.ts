/** The address a name resolved to, or a literal, is one that no catalog may reach (RUN-140). */
export class AddressRefusedError extends Error {
  override readonly name = "AddressRefusedError";
  constructor(host: string) {
    super(`${host} is, or resolves to, a private address`);
  }
}
