import type { JsonObject } from "@plasm/core";
import { AgentFailure, type ProblemMeta } from "./agent-failure.ts";
import {
  programMember,
  type AgentClient,
  type ContextArguments,
  type ProgramOptions,
} from "./agent-client.ts";
import type { AgentAnswer, ContextMeta, PlanMeta, ResultRows, RunMeta } from "./answers.ts";

/** A session nobody has: where the calls of a ref that this agent never got go to. */
const NO_SESSION = `/execute/${"0".repeat(64)}/${"0".repeat(32)}`;

/** What context and program routes answer; plans and tables come without results. */
interface AnswerBody<Meta> {
  readonly text: string;
  readonly _meta: { readonly plasm: Meta };
  readonly results?: readonly ResultRows[];
}

/** `application/problem+json`, with what a result's meta would hold (SURF-18, OPS-10). */
type ProblemBody = ProblemMeta & {
  readonly detail: string;
  readonly _meta?: { readonly plasm: JsonObject & { readonly error?: object } };
};

async function failure(response: Response): Promise<AgentFailure> {
  const { _meta, detail, ...problem } = (await response.json()) as ProblemBody;
  const { error, ...meta } = _meta?.plasm ?? {};
  if (problem.status !== response.status) {
    throw new Error(`A problem of status ${problem.status} was sent with ${response.status}`);
  }
  return new AgentFailure(detail, { ...problem, ...error }, meta);
}

async function post(url: string, body: object): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(body),
  });
  if (response.status >= 400) throw await failure(response);
  return response;
}

/** An agent that speaks plain HTTP: it keeps the address of each session it opened. */
class HttpAgent implements AgentClient {
  readonly #url: string;
  readonly #byIntent = new Map<string, string>();
  readonly #byRef = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  /** The first call opens and fetches the whole table; later ones extend that very session. */
  async context(args: ContextArguments): Promise<AgentAnswer<ContextMeta>> {
    const { intent, seeds, replay, notation, read_only } = args;
    const known = this.#byIntent.get(intent);
    const only = read_only === undefined ? {} : { read_only };
    if (known !== undefined) {
      const body = { seeds, ...(replay === undefined ? {} : { replay }), ...only };
      return this.#answer<ContextMeta>(await post(`${known}/context`, body));
    }
    const asked = { intent, seeds, ...(notation === undefined ? {} : { notation }), ...only };
    const response = await post(`${this.#url}/execute`, asked);
    const place = new URL(response.headers.get("location") ?? "", this.#url).href;
    const { plasm } = (await response.json()) as { readonly plasm: ContextMeta };
    this.#byIntent.set(intent, place);
    this.#byRef.set(plasm.logical_session_ref, place);
    const { prompt } = (await (await fetch(place)).json()) as { readonly prompt: string };
    return { text: prompt, meta: plasm };
  }

  async plan(ref: string, program: string, options: ProgramOptions = {}) {
    const body = { mode: "plan", ...options, program };
    return this.#answer<PlanMeta>(await post(this.#place(ref), body));
  }

  async run(ref: string, program: string | null, options: ProgramOptions = {}) {
    const body = { wait: true, ...options, ...programMember(program) };
    return this.#answer<RunMeta>(await post(this.#place(ref), body));
  }

  async discover(args: object): Promise<unknown> {
    return (await post(`${this.#url}/v1/discover`, args)).json();
  }

  async close(): Promise<void> {}

  #place(ref: string): string {
    return this.#byRef.get(ref) ?? `${this.#url}${NO_SESSION}`;
  }

  async #answer<Meta>(response: Response) {
    const { text, _meta, results = [] } = (await response.json()) as AnswerBody<Meta>;
    const rows = results.map(({ name, columns, rows: all }) => ({ name, columns, rows: all }));
    return { text, meta: _meta.plasm, results: rows };
  }
}

export const httpAgent = (url: string): AgentClient => new HttpAgent(url);
