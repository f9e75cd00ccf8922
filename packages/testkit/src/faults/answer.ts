/** What a server says, whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array;
}

type Headers = Answer["headers"];

/** An answer of JSON. */
export const jsonAnswer = (value: unknown, status = 200, headers: Headers = {}): Answer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});

/** An answer of whatever the headers say. */
export const textAnswer = (
  body: string | Uint8Array,
  status = 200,
  headers: Headers = {},
): Answer => ({ status, headers, body });
