/** What a call of the HTTP API failed with, in words for people. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  /** 0 where the server gave no answer */
  readonly status: number;
  readonly code: string;
  /** a program that mends what was wrong, where the server knows one */
  readonly suggestion: string | null;

  constructor(status: number, code: string, detail: string, suggestion: string | null = null) {
    super(detail);
    this.status = status;
    this.code = code;
    this.suggestion = suggestion;
  }
}

/** Who is signed in, by role. */
export interface SignedIn {
  readonly tenant: string;
  readonly roles: Readonly<Partial<Record<"agent" | "operator" | "admin", string>>>;
  readonly auth: "off" | "optional" | "required";
  readonly version: string;
  readonly expires_at: string;
}

const PAGE_HEADER = "x-plasm-console";
const SESSION = "/v1/console/session";
/** What only pages of this origin can read; the cookie beside it no page can. */
const TOKEN = "plasm-page-token";

/** Whose sign-in calls of this browser go with: another one once somebody has signed in or out in another tab. */
export const pageToken = (): string | null => localStorage.getItem(TOKEN);

/** Whether a change of what the tabs share may have changed the sign-in; no name stands for all of it. */
export const isOfSignIn = (name: string | null): boolean => name === null || name === TOKEN;

export const SIGNED_OUT = "plasm-signed-out";

interface Sent {
  readonly method?: string;
  readonly body?: unknown;
  /** sent as it is, in place of JSON */
  readonly text?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Sends one call as whoever is signed in. Throws ApiProblem. */
async function send(path: string, { body, text, ...sent }: Sent = {}): Promise<Response> {
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const type = text === undefined ? "application/json" : "text/plain; charset=utf-8";
  const headers = {
    accept: sent.accept ?? "application/json",
    [PAGE_HEADER]: pageToken() ?? "sign-in",
    ...(content === undefined ? {} : { "content-type": type }),
    ...sent.headers,
  };
  let response: Response;
  try {
    response = await fetch(path, {
      method: sent.method ?? "GET",
      headers,
      cache: "no-store",
      ...(content === undefined ? {} : { body: content }),
      ...(sent.signal === undefined ? {} : { signal: sent.signal }),
    });
  } catch (thrown) {
    if (sent.signal?.aborted === true) throw thrown;
    throw new ApiProblem(
      0,
      "no-answer",
      "The server does not answer. This page tries again by itself.",
    );
  }
  if (response.ok) return response;
  const problem = showable(await response.json().catch(() => ({}))) as {
    readonly code?: string;
    readonly detail?: string;
    readonly errors?: readonly { readonly suggested_program?: string | null }[];
  };
  if (response.status === 401) window.dispatchEvent(new Event(SIGNED_OUT));
  throw new ApiProblem(
    response.status,
    problem.code ?? `http-${response.status}`,
    problem.detail ?? `The server answered ${response.status}.`,
    problem.errors?.find((one) => typeof one.suggested_program === "string")?.suggested_program ??
      null,
  );
}

/** JSON of the API, in which no character acts on what shows it. Throws ApiProblem. */
export async function call<T>(path: string, sent: Sent = {}): Promise<T> {
  return showable(await (await send(path, sent)).json()) as T;
}

/** JSON of the API as it is: to keep or send on, not to show. Throws ApiProblem. */
export async function callRaw<T>(path: string, sent: Sent = {}): Promise<T> {
  return (await (await send(path, sent)).json()) as T;
}

export const whoIsSignedIn = (): Promise<SignedIn> => call<SignedIn>(SESSION);

/** Signs in with the secret of a link, or with a key. Throws ApiProblem. */
export async function signIn(
  proof: { readonly link: string } | { readonly key: string },
): Promise<SignedIn> {
  const sent: Sent =
    "link" in proof
      ? { method: "POST", body: proof }
      : { method: "POST", body: {}, headers: { authorization: `Bearer ${proof.key.trim()}` } };
  const { page_token: token, ...who } = await callRaw<SignedIn & { readonly page_token: string }>(
    SESSION,
    sent,
  );
  localStorage.setItem(TOKEN, token);
  return showable(who) as SignedIn;
}

export async function signOut(): Promise<void> {
  try {
    await call(SESSION, { method: "DELETE" });
  } finally {
    localStorage.removeItem(TOKEN);
    window.dispatchEvent(new Event(SIGNED_OUT));
  }
}

/** Signs that nobody sees, that look like a plain blank, or that turn the order of others around. */
const UNSEEN =
  /(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;

/** A text in which all that is there is seen: a sign that acts on its neighbours is written as its number. */
const plainText = (text: string): string =>
  text.replace(
    UNSEEN,
    (sign) => `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );

/** The same for every text within a value of the API, names of members included. */
export function showable(value: unknown): unknown {
  if (typeof value === "string") return plainText(value);
  if (Array.isArray(value)) return value.map(showable);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [plainText(name), showable(member)]),
  );
}
