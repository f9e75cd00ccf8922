import { programMember } from "./agent-client.ts";
import { outcomeOf, type Opening, type Talk, type Told } from "./talk.ts";

/** A tool's result, as any MCP client shows it: one text, and the error object of a failure. */
export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean | undefined;
  readonly _meta?: {
    readonly plasm?: {
      readonly logical_session_ref?: string;
      readonly error?: { readonly code: string };
    };
  };
}

/** Calls a tool with these arguments, by whatever client. */
export type CallTool = (name: string, args: object) => Promise<ToolResult>;

function toldBy({ content, isError, _meta: meta }: ToolResult): Told {
  const text = content[0]?.text;
  if (content.length !== 1 || text === undefined) {
    throw new Error(`Not one text: ${JSON.stringify(content)}`);
  }
  if (isError !== true) return { outcome: "done", text };
  return { outcome: outcomeOf(meta?.plasm?.error?.code ?? ""), text };
}

/** A session held by tool calls. */
export async function toolTalk(
  callTool: CallTool,
  opening: Opening,
  close: () => Promise<void>,
): Promise<Talk> {
  const opened = await callTool("plasm_context", opening);
  const ref = opened._meta?.plasm?.logical_session_ref;
  if (ref === undefined) throw new Error(`No session: ${JSON.stringify(opened)}`);
  const call = async (name: string, program: string | null, options: object): Promise<Told> =>
    toldBy(
      await callTool(name, { logical_session_ref: ref, ...programMember(program), ...options }),
    );
  return {
    taught: toldBy(opened).text,
    plan: (program, options = {}) => call("plasm", program, options),
    run: (program, options = {}) => call("plasm_run", program, { wait: true, ...options }),
    close,
  };
}
