/** How a server treats a write: whether it performs it, and what it answers. */
export interface Fault {
  readonly name: string;
  readonly performs: boolean;
  readonly answer:
    | { readonly kind: "success" | "hang up" | "hang" }
    | {
        readonly kind: "text";
        readonly status: number;
        readonly body: string;
        readonly headers?: Readonly<Record<string, string>>;
      };
}

const status = (code: number, body = '{"message":"no"}') =>
  ({ kind: "text", status: code, body }) as const;

export const FINE: Fault = { name: "fine", performs: true, answer: { kind: "success" } };

/**
 * What goes wrong on the way to an API and back. A 500 or 422 says that nothing was done; of a lost
 * connection, a timeout, a gateway or an answer that cannot be read nobody can tell (RUN-025, RUN-040).
 */
export const FAULTS: readonly Fault[] = [
  { name: "error", performs: false, answer: status(500) },
  { name: "invalid", performs: false, answer: status(422) },
  { name: "gone", performs: false, answer: status(404) },
  { name: "busy", performs: false, answer: status(503, "") },
  { name: "limited", performs: false, answer: status(429, "") },
  { name: "gateway before", performs: false, answer: status(502, "") },
  { name: "gateway after", performs: true, answer: status(504, "") },
  { name: "reset before", performs: false, answer: { kind: "hang up" } },
  { name: "reset after", performs: true, answer: { kind: "hang up" } },
  { name: "hang before", performs: false, answer: { kind: "hang" } },
  { name: "hang after", performs: true, answer: { kind: "hang" } },
  { name: "cut short", performs: true, answer: status(200, '{"id": 7, ') },
  { name: "login page", performs: false, answer: status(200, "<html>Log in</html>") },
  {
    name: "see other",
    performs: true,
    answer: { kind: "text", status: 303, body: "", headers: { location: "/elsewhere" } },
  },
];
