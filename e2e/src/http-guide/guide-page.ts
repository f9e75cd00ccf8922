/** A request of a page, as it stands there. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** members whose values the answer leaves out, as the fence of the answer says */
  readonly without: readonly string[];
}

const FENCE = /^(`{3,})http( without [\w ]+)?\n([^]*?)\n\1$/gm;
const PAIR = new RegExp(
  `${FENCE.source}\\n\\n(\`{3,})http( without [\\w ]+)?\\n[^]*?\\n\\4$`,
  "gm",
);
const LINE = /^(GET|POST|PUT|DELETE|HEAD) (\S+)$/;
const HEADER = /^([\w-]+): (.*)$/;

function headerOf(line: string): readonly [string, string] {
  const [, name, value] = HEADER.exec(line) ?? [];
  if (name === undefined || value === undefined) throw new Error(`No header: ${line}`);
  return [name, value];
}

function askedOf(text: string, without: string | undefined): Asked {
  const gap = text.indexOf("\n\n");
  const [first = "", ...headers] = (gap === -1 ? text : text.slice(0, gap)).split("\n");
  const [, method, path] = LINE.exec(first) ?? [];
  if (method === undefined || path === undefined) throw new Error(`No request: ${first}`);
  return {
    method,
    path,
    headers: Object.fromEntries(headers.map(headerOf)),
    body: gap === -1 ? null : text.slice(gap + 2),
    without: (without ?? "").trim().split(" ").slice(1),
  };
}

/** The requests of a page, each of which its answer follows. */
export const requestsOf = (page: string): readonly Asked[] =>
  [...page.matchAll(PAIR)].map(([, , , text = "", , without]) => askedOf(text, without));

/** How many fences of HTTP a page has: two for each request that `requestsOf` finds. */
export const fencesOf = (page: string): number => [...page.matchAll(FENCE)].length;

/** A fence longer than any in the text. */
function fenced(info: string, text: string): string {
  const runs = [...text.matchAll(/`{3,}/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return `${fence}http${info}\n${text.trimEnd()}\n${fence}`;
}

/** The page with these answers in place of its own, request by request. */
export function pageWith(page: string, answers: readonly string[]): string {
  let at = 0;
  return page.replaceAll(
    PAIR,
    (
      _whole,
      fence: string,
      info: string | undefined,
      text: string,
      _other,
      without: string | undefined,
    ) => {
      const answer = answers[at];
      at += 1;
      if (answer === undefined) throw new Error(`Nothing was answered to: ${text}`);
      return `${fence}http${info ?? ""}\n${text}\n${fence}\n\n${fenced(without ?? "", answer)}`;
    },
  );
}
