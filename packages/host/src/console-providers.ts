import { outboundFetch } from "@plasm/runtime";
import { randomInt } from "node:crypto";
import { Failure, type Store } from "@plasm/agent-core";
import { fail, personVerifier, type VerifiedToken } from "@plasm/agent-core/internal";
import * as oauth from "oauth4webapi";
import { type ConsoleProvider, isTrusted } from "./token-issuers.ts";
import { againForm, page, redirectTo } from "./connect-pages.ts";
import { hashOf, newSecret, opened, sealed, Waiting } from "./connect-waiting.ts";
import { cookieIn } from "./http.ts";

/** Somebody whom a provider has signed in, and which one. */
export interface SignedInPerson extends VerifiedToken {
  readonly issuer: string;
}

/** People who sign in to the console by their company's identity provider (SURF-40). */
export interface ConsoleProviders {
  /** what a person can choose from */
  readonly list: readonly { readonly id: string; readonly name: string }[];
  /** Answers a request for an address below {@link PROVIDERS_PATH}. */
  fetch(request: Request, store: Store): Promise<Response>;
  /** Who has come back to this browser, once, whichever process met them, and the cookie that ends its own. Throws plasm-unauthenticated. */
  take(
    request: Request,
    state: string,
    store: Store,
  ): Promise<SignedInPerson & { readonly cookie: string }>;
  /**
   * A credential that stands for a person in one role until then, in this process: a new one, or one that another process gave. It is in
   * no answer.
   */
  issue(person: VerifiedToken, until: number, credential?: string): string;
  /** How people of an issuer are read as this server is set now, as a hash without a secret; null where none signs in there. */
  reading(issuer: string): string | null;
  /** Whom such a credential stands for; null for any other. */
  holderOf(credential: string): VerifiedToken | null;
  /** Ends such credentials. */
  end(credentials: readonly string[]): void;
}

/** Where a sign-in begins and comes back to; alone, what there is to choose from. */
export const PROVIDERS_PATH = "/v1/console/sign-in";
const PATH = /^\/v1\/console\/sign-in\/([a-z0-9_]{1,64})(\/callback)?$/;
const CREDENTIAL = "console_person_";
/** How long somebody may take at the provider. */
const AWAY_MS = 600_000;
/** How long the page may take to fetch what it came back with. */
const BACK_MS = 60_000;
/** How long the addresses of a provider are used without asking again. */
const METADATA_MS = 600_000;
const TIMEOUT_MS = 10_000;
/** Where somebody goes afterwards: a page of the console, and no other address. */
const PLACE = /^\/(?![/\\])[\x21\x22\x24-\x5B\x5D-\x7E]{0,500}$/;

/** The page that somebody asked for, if it is one of the console; else its first one. */
function placeIn(asked: string, at: string): string {
  const isPlace = PLACE.test(asked) && URL.canParse(`${at}/console${asked}`);
  // Dots lead out of it.
  return isPlace && new URL(`${at}/console${asked}`).pathname.startsWith("/console/") ? asked : "/";
}

/**
 * A person is away at a provider. Holds secrets: the browser keeps it, so that no number of sign-ins that others begin pushes one out,
 * sealed with the state that the provider brings back to whichever process: neither the cookie nor an address alone says anything.
 */
interface Away {
  readonly provider: string;
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  readonly to: string;
  readonly until: number;
}

/** Where somebody is kept who has come back: by their state, for the browser that has the cookie alone. */
const KIND = "consoleSession";
const NO_SCOPE = "";
const backId = (state: string): string => `back/${hashOf(state)}`;

const redirectUri = (at: string, id: string): string => `${at}${PROVIDERS_PATH}/${id}/callback`;

/** Why somebody is not signed in, in words for that person. */
class NotSignedIn extends Error {
  override readonly name = "NotSignedIn";
  readonly status: number;

  constructor(status: number, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.status = status;
  }
}

const isSecure = (origin: string): boolean => origin.startsWith("https:");

/** Several tabs may be away at once; more cookies than these would be too large a header. The last character of a state names its own. */
const SLOTS = ["0", "1", "2", "3", "4", "5"];

const cookieName = (state: string, origin: string): string =>
  `${isSecure(origin) ? "__Host-" : ""}plasm_sign_in_${state.slice(-1)}`;

/** It has to come along when the provider sends the browser back: from another place, by a link. */
const cookieOf = (state: string, origin: string, value: string, lastsMs = AWAY_MS): string =>
  `${cookieName(state, origin)}=${value}; HttpOnly; SameSite=Lax; Path=/; Max-Age=${lastsMs / 1000}${isSecure(origin) ? "; Secure" : ""}`;

/** A state whose cookie this browser has not yet, or takes the place of another's. */
function stateFor(request: Request, origin: string): string {
  const random = oauth.generateRandomState();
  const states = SLOTS.map((slot) => random + slot);
  const free = states.find((state) => cookieIn(request, cookieName(state, origin)) === "");
  return free ?? states[randomInt(states.length)] ?? random;
}

/** Requests of the library: to addresses that can be trusted, and not for ever. */
const requestOptions = (outbound: typeof fetch) => ({
  // Plain http is for this machine alone, which is checked here.
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: (
    address: string,
    { body, ...init }: oauth.CustomFetchOptions<"GET" | "POST", URLSearchParams | undefined>,
  ): Promise<Response> => {
    if (!isTrusted(address))
      throw new NotSignedIn(
        502,
        "The identity provider names an address that is neither https nor of this machine.",
      );
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return outbound(address, { ...init, signal, ...(body === undefined ? {} : { body }) });
  },
});

/** What went wrong at a provider, as a person is told. */
function faultOf(thrown: unknown, name: string): unknown {
  if (thrown instanceof NotSignedIn) return thrown;
  if (thrown instanceof Failure)
    return new NotSignedIn(thrown.problem.status, thrown.message, { cause: thrown });
  if (thrown instanceof oauth.AuthorizationResponseError) {
    const what =
      thrown.error === "access_denied"
        ? "Consent was refused"
        : `${name} refused (${thrown.error.slice(0, 60)})`;
    return new NotSignedIn(403, `${what}: nobody was signed in.`, { cause: thrown });
  }
  if (thrown instanceof oauth.ResponseBodyError)
    return new NotSignedIn(
      502,
      `${name} refused (${thrown.error.slice(0, 60)}): nobody was signed in.`,
      {
        cause: thrown,
      },
    );
  if (
    thrown instanceof oauth.OperationProcessingError ||
    thrown instanceof oauth.WWWAuthenticateChallengeError
  )
    return new NotSignedIn(
      502,
      `What came back is not an answer of ${name} to this sign-in: nobody was signed in.`,
      { cause: thrown },
    );
  const isNetwork =
    thrown instanceof TypeError ||
    (thrown instanceof DOMException && thrown.name === "TimeoutError");
  return isNetwork
    ? new NotSignedIn(502, `${name} gives no answer now: nobody was signed in. Try again later.`, {
        cause: thrown,
      })
    : thrown;
}

/** An identity provider, as its own metadata describe it. */
class Provider {
  readonly setting: ConsoleProvider;
  readonly name: string;
  readonly #now: () => number;
  readonly #person;
  readonly #options: ReturnType<typeof requestOptions>;
  #known: { readonly server: Promise<oauth.AuthorizationServer>; readonly until: number } | null =
    null;

  constructor(setting: ConsoleProvider, now: () => number, outbound: typeof fetch) {
    this.setting = setting;
    this.name = new URL(setting.issuer).host;
    this.#now = now;
    this.#person = personVerifier(setting.of, setting.clientId, {
      fetch: (url, init) => outbound(url, init),
    });
    this.#options = requestOptions(outbound);
  }

  /** Whoever asks at once waits for one answer; one that fails is asked for again. */
  server(): Promise<oauth.AuthorizationServer> {
    if (this.#known !== null && this.#known.until > this.#now()) return this.#known.server;
    const server = this.#discover();
    const known = { server, until: this.#now() + METADATA_MS };
    this.#known = known;
    server.catch(() => {
      if (this.#known === known) this.#known = null;
    });
    return server;
  }

  async #discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.setting.issuer);
    const answer = await oauth.discoveryRequest(issuer, this.#options);
    if (answer.status >= 500)
      throw new NotSignedIn(502, `${this.name} answered ${answer.status}. Try again later.`);
    return oauth.processDiscoveryResponse(issuer, answer);
  }

  /** Where a person goes. */
  async address({ state, verifier, nonce }: Away, back: string): Promise<string> {
    const server = await this.server();
    const at = server.authorization_endpoint;
    if (at === undefined || !isTrusted(at))
      throw new NotSignedIn(502, `${this.name} names no address to sign in at.`);
    const url = new URL(at);
    const query = {
      response_type: "code",
      client_id: this.setting.clientId,
      redirect_uri: back,
      scope: this.#scope(server),
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  }

  /** Some providers refuse a request for what they do not know. */
  #scope({ scopes_supported: known }: oauth.AuthorizationServer): string {
    const { scope, of } = this.setting;
    if (scope !== null) return scope;
    const { call, effects } = of.scopes;
    const wished = ["profile", "email", call, effects].filter((one) => one !== null);
    return ["openid", ...wished.filter((one) => known?.includes(one) ?? true)].join(" ");
  }

  /** Who has come back with this answer. */
  async personOf(away: Away, answer: URLSearchParams, back: string): Promise<SignedInPerson> {
    const { state, verifier, nonce } = away;
    const server = await this.server();
    const client: oauth.Client = { client_id: this.setting.clientId };
    const callback = oauth.validateAuthResponse(server, client, answer, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      this.#proof(server),
      callback,
      back,
      verifier,
      this.#options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    const { sub } = oauth.getValidatedIdTokenClaims(tokens) ?? { sub: "" };
    const more = await this.#told(server, client, tokens.access_token, sub);
    // A provider that grants all that was asked for may leave it out (RFC 6749, 5.1).
    const granted = tokens.scope ?? this.#scope(server);
    const person = await this.#person(tokens.id_token ?? "", more, granted);
    return { ...person, issuer: this.setting.issuer };
  }

  #proof({ token_endpoint_auth_methods_supported: known }: oauth.AuthorizationServer) {
    const { clientSecret } = this.setting;
    if (clientSecret === null) return oauth.None();
    const isBasic = known?.includes("client_secret_basic") ?? true;
    return isBasic ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
  }

  /** Claims that many providers tell beside the identity token alone, such as roles. */
  async #told(
    server: oauth.AuthorizationServer,
    client: oauth.Client,
    token: string,
    sub: string,
  ): Promise<oauth.UserInfoResponse | Record<string, never>> {
    if (server.userinfo_endpoint === undefined) return {};
    const response = await oauth.userInfoRequest(server, client, token, this.#options);
    return oauth.processUserInfoResponse(server, client, sub, response);
  }
}

/** What decides who somebody of a provider is here, without a secret. */
function readingOf({ clientId, scope, of }: ConsoleProvider): string {
  const { keys, ...rest } = of;
  const by = keys.kind === "jwks" ? keys.url : keys.kind;
  return hashOf(JSON.stringify({ clientId, scope, by, ...rest }));
}

const OVER =
  "This sign-in is used up, or older than ten minutes. Nobody was signed in: begin again.";
const OF_ANOTHER =
  "This sign-in was begun in another browser, or more than ten minutes ago. Nobody was signed in here.";

const fetched = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    throw faultOf(thrown, name);
  }
};

/** Keeps who has come back from a provider, for the page that this browser is led to. */
async function finish(
  provider: Provider,
  request: Request,
  at: string,
  { store, now }: { readonly store: Store; readonly now: () => number },
): Promise<Response> {
  const answer = new URL(request.url).searchParams;
  const state = answer.get("state") ?? "";
  const cookie = cookieIn(request, cookieName(state, at));
  // What another browser brings may be somebody else's sign-in.
  if (cookie === "") throw new NotSignedIn(403, OF_ANOTHER);
  const away = await opened<Away>(state, cookie);
  // Where the provider cannot be reached, what it answered can be brought once more.
  await provider.server();
  const { id } = provider.setting;
  // What one provider was asked no other one answers.
  if (away === null || away.state !== state || away.provider !== id || away.until <= now())
    throw new NotSignedIn(410, OVER);
  const isUsed = (await store.get(KIND, NO_SCOPE, backId(state))) !== null;
  if (isUsed) throw new NotSignedIn(410, OVER);
  const person = await provider.personOf(away, answer, redirectUri(at, id));
  const record = {
    tenant: person.caller.scope,
    page: hashOf(cookie),
    sealed: await sealed(cookie, { person }),
    until: store.now() + BACK_MS,
  };
  // Of two that bring the same answer at once, one is signed in.
  if (!(await store.insert(KIND, NO_SCOPE, backId(state), record)))
    throw new NotSignedIn(410, OVER);
  return redirectTo(`${at}/console${placeIn(away.to, at)}#signed-in=${state}`, null);
}

/** Gives, once, whom a state was kept of for this browser. Throws plasm-unauthenticated. */
async function takeBack(
  request: Request,
  state: string,
  at: string,
  store: Store,
): Promise<SignedInPerson & { readonly cookie: string }> {
  const cookie = cookieIn(request, cookieName(state, at));
  const over = fail("plasm-unauthenticated", OVER);
  const found = await store.get(KIND, NO_SCOPE, backId(state));
  if (found === null || found.value.page !== hashOf(cookie) || found.value.until <= store.now())
    throw over;
  const content = await opened<{ readonly person: SignedInPerson }>(cookie, found.value.sealed);
  // It stays as one that was used for as long as its provider's answer could be brought again.
  const used = { ...found.value, page: "", sealed: "", until: store.now() + AWAY_MS };
  const { id, version } = found;
  if (content === null || !(await store.cas(KIND, NO_SCOPE, id, version, used))) throw over;
  return { ...content.person, cookie: cookieOf(state, at, "", 0) };
}

/** Where people come back to, and how providers are reached. */
interface ProvidersReached {
  readonly origin: string | undefined;
  readonly now: () => number;
  readonly fetch?: typeof fetch;
}

/** Makes the sign-in by these providers; people come back to `origin`, or to where they have come from. */
export function consoleProviders(
  settings: readonly ConsoleProvider[],
  { origin, now, fetch: outbound = outboundFetch(null) }: ProvidersReached,
): ConsoleProviders {
  const providers = new Map(settings.map((one) => [one.id, new Provider(one, now, outbound)]));
  const issued = new Waiting<{ readonly person: VerifiedToken; readonly until: number }>(now);

  const begin = async (provider: Provider, request: Request, at: string): Promise<Response> => {
    const asked = new URL(request.url).searchParams.get("to") ?? "";
    const to = placeIn(asked, at);
    const { id } = provider.setting;
    const state = stateFor(request, at);
    const away: Away = {
      provider: id,
      state,
      verifier: oauth.generateRandomCodeVerifier(),
      nonce: oauth.generateRandomNonce(),
      to,
      until: now() + AWAY_MS,
    };
    const url = await provider.address(away, redirectUri(at, id));
    return redirectTo(url, cookieOf(state, at, await sealed(state, { ...away })));
  };

  return {
    list: [...providers.values()].map(({ setting: { id }, name }) => ({ id, name })),
    async fetch(request, store) {
      const url = new URL(request.url);
      const [, id = "", callback] = PATH.exec(url.pathname) ?? [];
      const provider = providers.get(id);
      if (provider === undefined || request.method !== "GET")
        return page(
          404,
          "There is no such sign-in here.",
          againForm("/console/", "To the console"),
        );
      const at = origin ?? url.origin;
      try {
        return await fetched(provider.name, () =>
          callback === undefined
            ? begin(provider, request, at)
            : finish(provider, request, at, { store, now }),
        );
      } catch (thrown) {
        if (!(thrown instanceof NotSignedIn)) throw thrown;
        return page(thrown.status, thrown.message, againForm("/console/", "Back to the console"));
      }
    },
    take: (request, state, store) =>
      takeBack(request, state, origin ?? new URL(request.url).origin, store),
    issue(person, until, credential = `${CREDENTIAL}${newSecret()}`) {
      if (issued.get(credential) !== null) return credential;
      const { scope, subject } = person.caller;
      const isSame = ({ person: other }: { readonly person: VerifiedToken }): boolean =>
        other.caller.scope === scope &&
        other.caller.subject === subject &&
        other.roles[0] === person.roles[0];
      issued.add(credential, { person, until }, isSame);
      return credential;
    },
    reading(issuer) {
      const setting = settings.find((one) => one.issuer === issuer);
      return setting === undefined ? null : readingOf(setting);
    },
    holderOf: (credential) =>
      credential.startsWith(CREDENTIAL) ? (issued.get(credential)?.person ?? null) : null,
    end(credentials) {
      for (const one of credentials) issued.end(one);
    },
  };
}
