import { negotiate } from "../wire/negotiate.ts";
import { holdsAllRows, PROGRAM_FORMATS, programAnswer } from "../wire/program-answer.ts";
import { PROGRAM_QUERY, programArguments } from "../wire/program-arguments.ts";
import { readProgramBody } from "../wire/read-body.ts";
import { SESSION_PATH, sessionPair, sessionPath, type Route } from "./route.ts";

/** Plans, explains or runs a program. A response closed by the client cancels the run (OPS-11). */
export const program: Route = {
  method: "POST",
  path: SESSION_PATH,
  name: "plasm_run",
  query: PROGRAM_QUERY,
  handle: async ({ engine, caller, request, params, query, note }) => {
    note.ref = sessionPath(params);
    const format = negotiate(request.headers.get("accept"), PROGRAM_FORMATS);
    const { mode, ...given } = programArguments(await readProgramBody(request), query);
    const address = sessionPair(params);
    if (mode === "plan") {
      note.name = "plasm";
      const planned = await engine.plan(caller, address, given.program);
      note.text = planned.text;
      return programAnswer(planned, [], format);
    }
    const { signal } = request;
    const run = { ...given, complete: holdsAllRows(format), signal };
    if (mode === "explain") {
      note.name = "plasm";
      const explained = await engine.explain(caller, address, run);
      note.text = explained.text;
      return programAnswer(explained, explained.results, format);
    }
    const answer = await engine.run(caller, address, run);
    note.text = answer.text;
    const { accepted } = answer;
    const path = accepted === undefined ? null : `${sessionPath(params)}/operations/${accepted}`;
    return programAnswer(answer, answer.results, format, path);
  },
};
