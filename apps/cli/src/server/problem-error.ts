import { CliError, type ExitCode, exitOfProblem, failedError } from "../cli-error.ts";

/** A problem that the server answered; its text is said as it is. */
export class ServerProblemError extends CliError {
  /** of HTTP */
  readonly status: number;

  constructor(message: string, exitCode: ExitCode, status: number) {
    super(message, exitCode);
    this.status = status;
  }
}

/** What a client reads of `application/problem+json` (SURF-18). */
interface ProblemBody {
  readonly code: string;
  readonly title: string;
  /** the text of ERR-010 */
  readonly detail?: string;
  readonly _meta?: {
    readonly plasm?: {
      readonly plan_commit_ref?: string;
      readonly approval?: { readonly state?: string };
    };
  };
}

function isProblem(value: unknown): value is ProblemBody {
  if (typeof value !== "object" || value === null) return false;
  const { code, title } = value as Partial<ProblemBody>;
  return typeof code === "string" && typeof title === "string";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The step that a problem asks for, as it is done on this command line (OPS-34). */
function stepOf({ code, _meta }: ProblemBody): string | null {
  switch (code) {
    case "plasm-review-required": {
      const ref = _meta?.plasm?.plan_commit_ref;
      return ref === undefined ? null : `Here: plasm run --commit ${ref}`;
    }
    case "plasm-approval-required": {
      const { plan_commit_ref: ref, approval } = _meta?.plasm ?? {};
      if (ref === undefined) return null;
      const when = approval?.state === "approved" ? "" : ", once it is approved";
      return `Here: plasm run --commit ${ref}${when}`;
    }
    case "plasm-session-lost":
    case "plasm-unknown-session":
      return "Here: plasm context API:ENTITY... with the entities the program uses";
    case "plasm-unknown-entity":
      return "Here: plasm context API:ENTITY..., as plasm search GOAL prints them";
    case "plasm-unauthenticated":
      return "Here: plasm init --api-key-file FILE";
    default:
      return null;
  }
}

/**
 * The error of an answer that is a problem: its text as every surface has it (ERR-010, ERR-031),
 * then the step to take. An answer that is none comes from another kind of server.
 */
export function problemError(server: string, response: Response, answer: string): CliError {
  const body = parse(answer);
  if (!isProblem(body)) {
    const type = response.headers.get("content-type") ?? "no content type";
    return failedError(
      `${server} answered ${response.status} (${type}), not as a Plasm server does. ` +
        "Name the right one: plasm init --server URL",
    );
  }
  const step = stepOf(body);
  const said = body.detail ?? `${body.title} (${body.code})`;
  const text = [said, ...(step === null ? [] : [step])].join("\n");
  return new ServerProblemError(text, exitOfProblem(body.code), response.status);
}
