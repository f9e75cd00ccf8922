import { useEffect, useState } from "preact/hooks";
import type { ApiProblem } from "../api.ts";
import { followEventStream } from "../parts/event-stream.ts";
import { Badge, Card, Chips, Empty, ProblemNote, Table, Time, type Tone } from "../parts/ui.tsx";
import type { WatchEvent } from "../records.ts";

/** What a watch keeps at most: no more stand here, however long somebody looks. */
const MOST = 10_000;
/** How many are in the page at first, and come with each request for older ones. */
const PORTION = 100;

interface Findings {
  /** the newest first */
  readonly events: readonly WatchEvent[];
  readonly forgotten: number;
  /** all that was there has been read */
  readonly isWhole: boolean;
  /** found since then */
  readonly fresh: number;
  readonly problem: ApiProblem | null;
}

const NOTHING: Findings = { events: [], forgotten: 0, isWhole: false, fresh: 0, problem: null };

/** What a watch has found, and finds while somebody looks (SURF-62). */
function useFindings(path: string): Findings {
  const [found, setFound] = useState(NOTHING);
  useEffect(() => {
    const gone = new AbortController();
    const change = (to: (before: Findings) => Partial<Findings>) => {
      if (!gone.signal.aborted) setFound((before) => ({ ...before, ...to(before) }));
    };
    void followEventStream<WatchEvent>(path, gone.signal, {
      found: (events, forgotten) =>
        change((before) => ({
          events: [...events.toReversed(), ...before.events].slice(0, MOST),
          forgotten,
          fresh: before.isWhole ? before.fresh + events.length : 0,
          problem: null,
        })),
      follows: () => change(() => ({ isWhole: true, problem: null })),
      failed: (problem) => change(() => ({ problem })),
    });
    return () => gone.abort();
  }, [path]);
  return found;
}

const KINDS: readonly (readonly [WatchEvent["kind"] | "", string])[] = [
  ["", "All"],
  ["appeared", "Appeared"],
  ["changed", "Changed"],
  ["vanished", "Vanished"],
];

const TONES: Readonly<Record<WatchEvent["kind"], Tone>> = {
  appeared: "good",
  changed: "info",
  vanished: "bad",
};

/** The events of a watch, the newest first, and those that come. */
export function WatchFindings({ path }: { path: string }) {
  const { events, forgotten, isWhole, fresh, problem } = useFindings(path);
  const [kind, setKind] = useState<WatchEvent["kind"] | "">("");
  const [shown, setShown] = useState(PORTION);
  const chosen = events.filter((one) => kind === "" || one.kind === kind);
  const older = chosen.length - shown;
  return (
    <Card
      title="What it has found"
      more={
        <span role="status" class="dim small">
          {problem !== null
            ? "not followed now"
            : !isWhole
              ? "Loading …"
              : fresh === 0
                ? "followed"
                : `followed: ${fresh} new since this page was opened`}
        </span>
      }
    >
      {problem === null ? null : <ProblemNote problem={problem} />}
      {forgotten === 0 ? null : (
        <p class="dim">
          {forgotten} earlier {forgotten === 1 ? "event is" : "events are"} kept no longer: they are
          kept for seven days, the newest {MOST.toLocaleString("en")} of them.
        </p>
      )}
      {events.length === 0 ? (
        isWhole ? (
          <Empty title="Nothing has changed yet.">
            The first reading is what others are compared with. Rows that appear, change or vanish
            after it stand here.
          </Empty>
        ) : null
      ) : (
        <>
          <div class="row">
            <Chips
              label="Which events"
              of={KINDS}
              chosen={kind}
              onChoose={(one) => {
                setKind(one);
                setShown(PORTION);
              }}
            />
          </div>
          {chosen.length === 0 ? <Empty title="No such event." /> : null}
          {chosen.length === 0 ? null : (
            <Table label="What it has found" head={["When", "What", "Key", "Row as it is now"]}>
              {chosen.slice(0, shown).map((one) => (
                <tr key={one.id}>
                  <td>
                    <Time at={one.at} />
                    <div class="dim small">reading {one.reading}</div>
                  </td>
                  <td>
                    <Badge tone={TONES[one.kind]}>{one.kind}</Badge>
                  </td>
                  <td>
                    <Members of={one.key} />
                  </td>
                  <td>
                    <Row of={one} />
                  </td>
                </tr>
              ))}
            </Table>
          )}
          {older <= 0 ? null : (
            <p>
              <button type="button" onClick={() => setShown(shown + PORTION)}>
                Older ones ({older})
              </button>
            </p>
          )}
        </>
      )}
    </Card>
  );
}

function Row({ of: { row, cut } }: { of: WatchEvent }) {
  if (cut) return <span class="dim">too long to be kept with the event</span>;
  return row === null ? <span class="dim">it is gone</span> : <Members of={row} />;
}

function Members({ of }: { of: Readonly<Record<string, unknown>> }) {
  return (
    <>
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <span class="dim">{name}</span>{" "}
          <code class="value">{typeof value === "string" ? value : JSON.stringify(value)}</code>
        </div>
      ))}
    </>
  );
}
