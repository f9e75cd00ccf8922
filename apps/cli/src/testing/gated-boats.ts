import { answerWith } from "./answer-with.ts";

/** A quay of some boats on several pages, of which all but the first are answered only once the gate is open. */
export interface GatedBoats {
  readonly url: string;
  open(): void;
  close(): Promise<void>;
}

const PER_PAGE = 20;
const TOTAL = 60;

export async function startGatedBoats(): Promise<GatedBoats> {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const own = await answerWith((request, response) => {
    const page = Number(new URL(request.url ?? "", "http://quay").searchParams.get("page"));
    const count = page * PER_PAGE > TOTAL ? 0 : PER_PAGE;
    const items = Array.from({ length: count }, (_, row) => ({
      id: `p${page}r${row}`,
      name: "Alma",
      built: "1981-04-02",
    }));
    const answer = (): void => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ items, page, total: TOTAL }));
    };
    if (page <= 1) answer();
    else void opened.then(answer);
  });
  return { url: own.url, open, close: own.close };
}

/** Reads every page of them: nobody waits for it unasked (OPS-9). */
export const LONG = "Boat{built<1987-01-01}[id]";

/** A line that says that its first page is read. */
export const BEGUN = /(s\d+_o1) ~ step 1\/2 /;

/** What stands for the handle of a session's first operation, whichever session it is. */
export const handleIn = (text: string): string => BEGUN.exec(text)?.[1] ?? "no handle";
