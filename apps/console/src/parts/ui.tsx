import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type ApiProblem, NOT_KNOWN } from "../api.ts";

type Children = ComponentChildren;

/** A page with its heading, which takes the focus when one comes to it. */
export function Page({
  title,
  lead,
  tools,
  children,
}: {
  title: string;
  lead?: Children;
  tools?: Children;
  children: Children;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Plasm console`;
  }, [title]);
  // A title that comes late is of the same page: whoever reads or types in it stays where they are.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  return (
    <>
      <header class="page-head">
        <div>
          <h1 tabIndex={-1} ref={heading}>
            {title}
          </h1>
          {lead === undefined ? null : <p class="lead">{lead}</p>}
        </div>
        {tools === undefined ? null : <div class="tools">{tools}</div>}
      </header>
      {children}
    </>
  );
}

/** A titled part of a page. */
export function Card({
  title,
  more,
  children,
}: {
  title?: Children;
  more?: Children;
  children: Children;
}) {
  return (
    <section class="card">
      {title === undefined ? null : (
        <div class="card-head">
          <h2>{title}</h2>
          {more}
        </div>
      )}
      {children}
    </section>
  );
}

/** What stands where there is nothing: what it would be, and what to do. */
export function Empty({ title, children }: { title: string; children?: Children }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children === undefined ? null : <p>{children}</p>}
    </div>
  );
}

const TODO: Readonly<Record<number, string>> = {
  0: "Look whether plasm serve is running. What you see stays as it was.",
  401: "Sign in again; you come back to this page.",
  403: "Your sign-in may not see this. Ask whoever runs this server for a key that may, or sign in with another one.",
  404: "It may have ended, or have been forgotten. Go back to the list.",
  409: "Somebody else was quicker, or it has changed. Look at how it stands now.",
  429: "Wait a little, then try again.",
  503: "The store of the server is not available. Its operator finds out why in its log.",
};

const todoOf = ({ status, code }: ApiProblem): string => {
  if (code === NOT_KNOWN) return "Look at Audit whether it was done before you send it again.";
  return TODO[status] ?? "Try again. If it stays so, the log of the server says more.";
};

export function ProblemNote({ problem }: { problem: ApiProblem }) {
  return (
    <div class="note bad" role="alert">
      <p>
        <strong>{problem.message}</strong>
      </p>
      <p>{todoOf(problem)}</p>
      <p class="dim small">
        {problem.code}
        {problem.status === 0 ? "" : ` · ${problem.status}`}
      </p>
    </div>
  );
}

/** What has been loaded, what is wrong with it, or that it is on its way. */
export function Shown<T>({
  of,
  children,
}: {
  of: { data: T | null; problem: ApiProblem | null; isLoading: boolean };
  children: (data: T) => Children;
}) {
  return (
    <>
      {of.problem === null ? null : <ProblemNote problem={of.problem} />}
      {of.data === null ? (
        of.isLoading ? (
          <p class="dim loading">Loading …</p>
        ) : null
      ) : (
        children(of.data)
      )}
    </>
  );
}

export type Tone = "good" | "bad" | "warn" | "info" | "quiet";

export function Badge({ tone = "quiet", children }: { tone?: Tone; children: Children }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** A choice of one among a few, which is made by a button each. */
export function Chips<T extends string>({
  label,
  of,
  chosen,
  onChoose,
}: {
  label: string;
  of: readonly (readonly [T, string])[];
  chosen: T;
  onChoose: (one: T) => void;
}) {
  return (
    <div class="chips" role="group" aria-label={label}>
      {of.map(([one, name]) => (
        <button key={one} type="button" aria-pressed={chosen === one} onClick={() => onChoose(one)}>
          {name}
        </button>
      ))}
    </div>
  );
}

/** Rows that scroll sideways on their own where they are wider than the page. */
export function Table({
  label,
  head,
  children,
}: {
  label: string;
  head: readonly string[];
  children: Children;
}) {
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((one) => (
              <th key={one} scope="col">
                {one}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function Facts({ of }: { of: readonly (readonly [string, Children])[] }) {
  return (
    <dl class="facts">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const STEPS: readonly (readonly [number, string, Intl.RelativeTimeFormatUnit])[] = [
  [60_000, "second", "second"],
  [3_600_000, "minute", "minute"],
  [86_400_000, "hour", "hour"],
  [Number.POSITIVE_INFINITY, "day", "day"],
];
const UNIT_MS: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

function ago(ms: number): string {
  const step = STEPS.find(([most]) => Math.abs(ms) < most) ?? STEPS[3];
  const unit = step?.[2] ?? "day";
  if (unit === "second" && Math.abs(ms) < 10_000) return "just now";
  return relative.format(Math.round(ms / (UNIT_MS[unit] ?? 1)), unit);
}

/** A time as people say it, with the whole of it for whoever points at it. */
export function Time({ at }: { at: string | null | undefined }) {
  if (at === null || at === undefined) return <span class="dim">–</span>;
  const exact = at.replace("T", " ").replace(/\.\d+Z$/, " UTC");
  return (
    <time dateTime={at} title={exact}>
      {ago(Date.parse(at) - Date.now())}
    </time>
  );
}

/** The beginning of a hash or uuid; the whole of it is in its title. */
export function Short({ id }: { id: string }) {
  const bare = id.replace(/^sha256:/, "");
  return <code title={id}>{bare.length > 12 ? `${bare.slice(0, 10)}…` : bare}</code>;
}
