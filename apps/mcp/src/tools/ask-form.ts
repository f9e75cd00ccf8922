import {
  type ElicitRequestFormParams,
  inputRequired,
  type InputRequiredResult,
  type Server,
  type ServerContext as RequestContext,
} from "@modelcontextprotocol/server";
import type { DeclaredClient } from "../wire/declared-client.ts";

/** A little less than clients wait for the answer of a request. */
const STANDING_MS = 50_000;

/** Of one call: how its client can be asked. */
export interface FormSetting {
  /** 2026-07-28 is spoken, else one of the 2025 protocols */
  readonly modern: boolean;
  /** the connection can be written to at any time */
  readonly standing: boolean;
  readonly declared: () => Promise<Pick<DeclaredClient, "fillsForms">>;
  readonly heldMs?: number | undefined;
}

/** A form for the person of a call: by which name it comes back, and with what that the client keeps meanwhile. */
export interface PersonForm {
  readonly name: string;
  readonly message: string;
  readonly requestedSchema: ElicitRequestFormParams["requestedSchema"];
  readonly state: object;
}

/** What a person said to a form, on a connection that stands. */
export interface FormAnswer {
  readonly said: unknown;
}

/** What a person filled in, where they accepted; null for anything else that came back. */
export function filledIn(said: unknown): Readonly<Record<string, unknown>> | null {
  const { action, content } = (said ?? {}) as {
    readonly action?: unknown;
    readonly content?: Readonly<Record<string, unknown>> | null;
  };
  return action === "accept" ? (content ?? {}) : null;
}

/** Has the person of a call fill in a form: 2026-07-28 answers the call with it, else the answer is waited for. Null where nobody can be asked. */
export async function askForm(
  server: Server,
  { modern, standing, declared, heldMs = STANDING_MS }: FormSetting,
  { mcpReq }: RequestContext,
  { name, message, requestedSchema, state }: PersonForm,
): Promise<InputRequiredResult | FormAnswer | null> {
  if ((!modern && !standing) || !(await declared()).fillsForms) return null;
  if (modern) {
    return inputRequired({
      inputRequests: { [name]: inputRequired.elicit({ message, requestedSchema }) },
      requestState: JSON.stringify(state),
    });
  }
  const { id: relatedRequestId, signal } = mcpReq;
  const said = await server
    .elicitInput(
      { mode: "form", message, requestedSchema },
      { relatedRequestId, signal, timeout: heldMs },
    )
    // Without an answer in time the text says how things stand.
    .catch(() => null);
  return { said };
}
