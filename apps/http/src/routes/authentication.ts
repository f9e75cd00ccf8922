/** How callers prove who they are, as far as they may know it (SURF-23). */
export interface Authentication {
  readonly mode: "off" | "optional" | "required";
  /** whose tokens are taken */
  readonly issuers: readonly string[];
  /** how the caller of a request was known */
  readonly methodOf: (request: Request) => string;
}

/** With authentication off every caller is the same one, known by being here (SESS-8). */
export const AUTHENTICATION_OFF: Authentication = Object.freeze({
  mode: "off",
  issuers: [],
  methodOf: () => "none",
});
