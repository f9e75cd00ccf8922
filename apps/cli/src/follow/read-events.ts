/** A server-sent event: its type, id and data; null for a comment, which only says that the connection stands. */
export type ReceivedEvent = {
  readonly event: string;
  readonly id: string | null;
  readonly data: string;
} | null;

/** A field of an event stream without the one blank after its colon. */
function fieldOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(":");
  if (colon < 0) return [line, ""];
  return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}

function eventOf(block: string): ReceivedEvent {
  const fields = block.split("\n").map(fieldOf);
  const last = (name: string): string | undefined =>
    fields.findLast((field) => field[0] === name)?.[1];
  const data = fields.filter(([name]) => name === "data").map(([, value]) => value);
  if (data.length === 0) return null;
  return { event: last("event") ?? "message", id: last("id") ?? null, data: data.join("\n") };
}

/** Reads a stream of server-sent events, however its text is cut; one that is not whole is left out. */
export async function* readEvents(texts: AsyncIterable<string>): AsyncGenerator<ReceivedEvent> {
  let rest = "";
  for await (const text of texts) {
    // A line end of two characters may be cut between them.
    const whole = `${rest}${text}`;
    const held = whole.endsWith("\r") ? "\r" : "";
    const blocks = whole
      .slice(0, whole.length - held.length)
      .replace(/\r\n?/g, "\n")
      .split("\n\n");
    rest = `${blocks.pop() ?? ""}${held}`;
    for (const block of blocks) yield eventOf(block);
  }
}
