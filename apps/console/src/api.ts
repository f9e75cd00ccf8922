import type { ResultRows } from "./records.ts";

/** What a run that failed had done by then, as it is to be shown. */
export interface Done {
  readonly effects: readonly {
    readonly seq: number;
    readonly capability: string;
    readonly target: string | null;
    readonly status: string;
  }[];
  readonly results: readonly ResultRows[];
}

/** One thing that is wrong in a program, as it is to be shown but for its places and its fix. */
export interface Mistake {
  readonly message: string;
  readonly correction: string;
  readonly line: number;
  /** UTF-16 offsets into the program as it was sent */
  readonly start: number;
  readonly end: number;
  /** the whole program with this mended, as it is to be sent; null where there is no one way */
  readonly fix: string | null;
}

const NOTHING_DONE: Done = { effects: [], results: [] };

/** Of a call that may have changed something, and whose answer was lost. */
export const NOT_KNOWN = "not-known-whether-done";

/** What a call of the HTTP API failed with, in words for people. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  /** 0 where the server gave no answer */
  readonly status: number;
  readonly code: string;
  /** a program that mends what was wrong, where the server knows one */
  readonly suggestion: string | null;
  /** what had been done before it failed, and what had been read */
  readonly done: Done;
  readonly mistakes: readonly Mistake[];

  constructor(
    status: number,
    code: string,
    detail: string,
    {
      suggestion = null,
      done = NOTHING_DONE,
      mistakes = [],
    }: { suggestion?: string | null; done?: Done; mistakes?: readonly Mistake[] } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.suggestion = suggestion;
    this.done = done;
    this.mistakes = mistakes;
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
const PROVIDERS = "/v1/console/sign-in";
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
  /** for a call that is no GET and changes nothing that anybody would look for */
  readonly isHarmless?: boolean;
}

/** What is said where no answer came, or only a part of one. */
const lost = ({ method = "GET", isHarmless = method === "GET" }: Sent): ApiProblem =>
  isHarmless
    ? new ApiProblem(
        0,
        "no-answer",
        method === "GET"
          ? "The server does not answer. This page tries again by itself."
          : "The server does not answer.",
      )
    : new ApiProblem(
        0,
        NOT_KNOWN,
        "The connection was lost before the answer came: it is not known whether this was done.",
      );

interface ProgramError {
  readonly message?: string;
  readonly correction?: string;
  readonly span?: { readonly start: number; readonly end: number; readonly line: number } | null;
  readonly suggested_program?: string | null;
}

/** The errors of a program that say where they are. */
export const mistakesIn = ({ errors = [] }: Pick<ProblemDocument, "errors">): readonly Mistake[] =>
  errors.flatMap(({ message, correction, span, suggested_program: fix = null }) =>
    span === undefined || span === null
      ? []
      : [
          {
            message: plainText(message ?? ""),
            correction: plainText(correction ?? ""),
            line: span.line,
            start: span.start,
            end: span.end,
            fix,
          },
        ],
  );

interface ProblemDocument {
  readonly code?: string;
  readonly detail?: string;
  readonly errors?: readonly ProgramError[];
  readonly effects?: Done["effects"];
  readonly results?: Done["results"];
}

function problemIn(status: number, document: object): ApiProblem {
  const {
    code,
    detail,
    errors,
    effects = [],
    results = [],
  } = showable(document) as ProblemDocument;
  const suggestion = errors?.find((one) => typeof one.suggested_program === "string");
  return new ApiProblem(
    status,
    code ?? `http-${status}`,
    detail ?? `The server answered ${status}.`,
    {
      suggestion: suggestion?.suggested_program ?? null,
      done: { effects, results },
      mistakes: mistakesIn(document as ProblemDocument),
    },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Sends one call as whoever is signed in; gives its answer, of which nothing is read yet. Throws ApiProblem. */
async function request(path: string, { body, text, ...sent }: Sent): Promise<Response> {
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const type = text === undefined ? "application/json" : "text/plain; charset=utf-8";
  const token = pageToken();
  const headers = {
    accept: sent.accept ?? "application/json",
    [PAGE_HEADER]: token ?? "sign-in",
    ...(content === undefined ? {} : { "content-type": type }),
    ...sent.headers,
  };
  const response = await answered(sent, () =>
    fetch(path, {
      method: sent.method ?? "GET",
      headers,
      cache: "no-store",
      ...(content === undefined ? {} : { body: content }),
      ...(sent.signal === undefined ? {} : { signal: sent.signal }),
    }),
  );
  if (response.ok) return response;
  const value = parsed(await answered(sent, () => response.text()));
  // An answer to who was signed in before ends nothing of who is now.
  if (response.status === 401 && token === pageToken()) window.dispatchEvent(new Event(SIGNED_OUT));
  throw problemIn(response.status, typeof value === "object" && value !== null ? value : {});
}

/** What a call gives; throws what {@link lost} says where none comes, or a part of it. */
async function answered<T>(sent: Sent, job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (thrown) {
    if (sent.signal?.aborted === true) throw thrown;
    throw lost(sent);
  }
}

/** Sends one call as whoever is signed in; gives the JSON of its answer. Throws ApiProblem. */
async function send(path: string, sent: Sent = {}): Promise<unknown> {
  const response = await request(path, sent);
  const value = parsed(await answered(sent, () => response.text()));
  if (value === null) throw problemIn(response.status, {});
  return value;
}

/** The text of a stream of events, piece by piece, from the event after `last` on. Throws ApiProblem. */
export async function* eventTexts(
  path: string,
  last: string | null,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const headers = last === null ? {} : { "last-event-id": last };
  const { body } = await request(path, { accept: "text/event-stream", headers, signal });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const next = await answered({ signal }, async () => reader?.read());
    if (next?.value === undefined) return;
    yield next.value;
  }
}

/** JSON of the API, in which no character acts on what shows it. Throws ApiProblem. */
export async function call<T>(path: string, sent: Sent = {}): Promise<T> {
  return showable(await send(path, sent)) as T;
}

/** JSON of the API as it is: to keep or send on, not to show. Throws ApiProblem. */
export async function callRaw<T>(path: string, sent: Sent = {}): Promise<T> {
  return (await send(path, sent)) as T;
}

export const whoIsSignedIn = (): Promise<SignedIn> => call<SignedIn>(SESSION);

/** The secret of a link, a key, or a sign-in at a provider that this browser has come back from. */
export type Proof =
  | { readonly link: string }
  | { readonly provider: string }
  | { readonly key: string };

/** Signs in. Throws ApiProblem. */
export async function signIn(proof: Proof): Promise<SignedIn> {
  const sent: Sent =
    "key" in proof
      ? {
          method: "POST",
          body: {},
          headers: { authorization: `Bearer ${proof.key.trim()}` },
          isHarmless: true,
        }
      : { method: "POST", body: proof, isHarmless: true };
  const { page_token: token, ...who } = await callRaw<SignedIn & { readonly page_token: string }>(
    SESSION,
    sent,
  );
  localStorage.setItem(TOKEN, token);
  return showable(who) as SignedIn;
}

/** Where people sign in who bring no key. */
export interface Provider {
  readonly id: string;
  readonly name: string;
}

export const providers = async (): Promise<readonly Provider[]> =>
  (await call<{ readonly providers: readonly Provider[] }>(PROVIDERS)).providers;

/** The address at which somebody signs in by a provider and comes back to a page of the console. */
export const providerAddress = ({ id }: Provider, to: string): string =>
  `${PROVIDERS}/${encodeURIComponent(id)}?to=${encodeURIComponent(to)}`;

export async function signOut(): Promise<void> {
  try {
    await call(SESSION, { method: "DELETE" });
  } finally {
    localStorage.removeItem(TOKEN);
    window.dispatchEvent(new Event(SIGNED_OUT));
  }
}

/** Signs that nobody sees, that look like a plain blank, or that turn the order of others around. */
export const UNSEEN =
  /(?![\n\t ])[\p{Cc}\p{Cf}\p{Cs}\p{Zs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;

/** A text in which all that is there is seen: a sign that acts on its neighbours is written as its number. */
export const plainText = (text: string): string =>
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
