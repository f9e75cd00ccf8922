import { problemDocument, type Answer, type Problem } from "@plasm/agent-core";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { errorMeta } from "./error-meta.ts";
import { structuredAnswer, structuredProblem } from "./structured-content.ts";

/**
 * An answer as MCP sends it: text for the model, `_meta.plasm` for programs, and where a tool is told that
 * it is to be said as data, too, what the text says (SURF-5).
 */
export const answerResult = (answer: Answer, tool: string | null = null): CallToolResult => ({
  content: [{ type: "text", text: answer.text }],
  ...(tool === null ? {} : { structuredContent: structuredAnswer(tool, answer) }),
  _meta: { plasm: answer.meta },
});

/** A failure as MCP sends it; its text alone suffices (SURF-6, ERR-031). */
export const problemResult = (problem: Problem, structured = false): CallToolResult => ({
  content: [{ type: "text", text: problem.text }],
  ...(structured ? { structuredContent: structuredProblem(problem) } : {}),
  isError: true,
  _meta: {
    plasm: { ...problem.meta, error: { ...problemDocument(problem), ...errorMeta(problem) } },
  },
});
