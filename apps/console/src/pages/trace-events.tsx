import { useState } from "preact/hooks";
import { Badge, Card, Chips, Empty, Table, Time, type Tone } from "../parts/ui.tsx";
import type { SessionEvent } from "../records.ts";

const KINDS: readonly (readonly [string, string])[] = [
  ["", "All"],
  ["call", "Calls"],
  ["operation", "Runs"],
  ["node", "Steps"],
  ["request", "Requests"],
];

/** Events of a trace, of a session or of one run of it: those of a kind that the reader chooses. */
export function TraceEvents({ of }: { of: readonly SessionEvent[] }) {
  const [type, setType] = useState("");
  return (
    <>
      <Chips label="Which events" of={KINDS} chosen={type} onChoose={setType} />
      <Events events={of.filter((one) => type === "" || one.type === type)} />
    </>
  );
}

/** Events, the newest first, with how long each took. */
function Events({ events }: { events: readonly SessionEvent[] }) {
  if (events.length === 0) return <Empty title="No such event." />;
  const longest = Math.max(1, ...events.map(({ ms }) => ms ?? 0));
  return (
    <Card>
      <Table
        label="Events of the session"
        head={["No.", "When", "What", "How it ended", "Rows", "Took"]}
      >
        {events.toReversed().map((event) => (
          <tr key={event.n} class={`event ${event.type}`}>
            <td class="num">{event.n}</td>
            <td>
              <Time at={event.at} />
            </td>
            <td>
              <What event={event} />
            </td>
            <td>
              <Ending event={event} />
            </td>
            <td class="num">{event.rows ?? ""}</td>
            <td>
              {event.ms === undefined ? null : (
                <span class="took">
                  <progress max={longest} value={event.ms} aria-hidden="true" /> {event.ms} ms
                </span>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

function What({ event }: { event: SessionEvent }) {
  switch (event.type) {
    case "call":
      return (
        <>
          {event.call} <span class="dim">{event.plan_commit_ref}</span>
        </>
      );
    case "node":
      return (
        <span class="dim">
          step {event.node} {event.kind} {event.entry_id}
        </span>
      );
    case "request":
      return (
        <code class="value">
          {event.method} {event.path}
        </code>
      );
    case "operation":
      return (
        <>
          run of {event.plan_commit_ref}
          {event.operation === null || event.operation === undefined
            ? ""
            : `, operation ${event.operation}`}
        </>
      );
    default:
      return (
        <>
          {event.type} {event.graft_id}
        </>
      );
  }
}

/** Words of endings that went well, and of what goes on. */
const WELL = /^(ok|done|succeeded|2\d\d|3\d\d)$/;
const GOES_ON = /^(running|accepted|plasm-(review|approval)-required)$/;

function toneOf(word: string): Tone {
  if (WELL.test(word)) return "good";
  return GOES_ON.test(word) ? "warn" : "bad";
}

function Ending({ event }: { event: SessionEvent }) {
  const word = event.outcome ?? event.state ?? event.status;
  if (word === undefined) return null;
  if (word === null) return <Badge tone="bad">no answer</Badge>;
  const more =
    event.code ??
    (event.attempt === undefined || event.attempt < 2 ? null : `attempt ${event.attempt}`);
  return (
    <>
      <Badge tone={toneOf(String(word))}>{word}</Badge> {more}
    </>
  );
}
