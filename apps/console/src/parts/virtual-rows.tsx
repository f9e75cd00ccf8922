import { useLayoutEffect, useRef, useState } from "preact/hooks";

const ROW_PX = 34;
const VIEW_PX = 440;
/** Rows beyond the edges, so that scrolling shows no gap. */
const MORE = 8;
/** Browsers cut what is higher: Firefox at some 17.9 million px, Chromium at 33.5. */
const MOST_PX = 15_000_000;
/** Of places that far down a few px are in doubt: browsers keep them as floating-point numbers of four bytes. */
const NEAR_PX = 6;

interface VirtualRowsProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

function shownValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Where the box is scrolled to, and which px of all rows stands there: the same as long as no browser cuts anything. */
interface Position {
  readonly top: number;
  readonly row: number;
}

interface Sizes {
  /** px that the box can be scrolled by */
  readonly most: number;
  /** px of rows that the box is too low for */
  readonly excess: number;
}

/**
 * The position after a scroll. What is moved by less than a view moves the rows by as much, so that none is skipped;
 * a jump goes to the rows that are as far down among all as the box is.
 */
function scrolled(before: Position, top: number, { most, excess }: Sizes): Position {
  if (excess === 0 || top <= 0) return { top, row: top };
  const end = most + excess;
  if (top >= most - NEAR_PX) return { top, row: end };
  const step = top - before.top;
  const row = Math.abs(step) < VIEW_PX ? before.row + step : Math.round(top * (end / most));
  return { top, row: Math.min(end, Math.max(0, row)) };
}

/** The rows to draw, and the blank above and below them, px. */
function windowAt({ top, row }: Position, count: number) {
  const bodyPx = Math.min(count * ROW_PX, MOST_PX);
  const first = Math.max(0, Math.floor(row / ROW_PX) - MORE);
  const last = Math.min(count, Math.ceil((row + VIEW_PX) / ROW_PX) + MORE);
  const above = Math.max(0, top - row + first * ROW_PX);
  return { first, last, above, below: Math.max(0, bodyPx - above - (last - first) * ROW_PX) };
}

const heightOf = (px: number) => ({ height: `${px}px` });

/** A table of any number of rows, of which those in view alone are there; each is one line high. */
export function VirtualRows({ label, columns, rows }: VirtualRowsProps) {
  const [at, setAt] = useState<Position>({ top: 0, row: 0 });
  const box = useRef<HTMLDivElement>(null);
  const excess = Math.max(0, rows.length * ROW_PX - MOST_PX);
  const sizes = (of: HTMLElement): Sizes => ({ most: of.scrollHeight - of.clientHeight, excess });
  const { first, last, above, below } = windowAt(at, rows.length);
  // Other rows begin at their first.
  useLayoutEffect(() => {
    box.current?.scrollTo(0, 0);
    setAt({ top: 0, row: 0 });
  }, [rows]);
  return (
    <div
      ref={box}
      class="scroll virtual"
      role="region"
      aria-label={label}
      tabIndex={0}
      onScroll={({ currentTarget: one }) =>
        setAt((before) => scrolled(before, one.scrollTop, sizes(one)))
      }
      // At once: a glide to the end of so much would end where it was when the glide began.
      onKeyDown={(event) => {
        if (event.key !== "End" && event.key !== "Home") return;
        event.preventDefault();
        event.currentTarget.scrollTop = event.key === "End" ? event.currentTarget.scrollHeight : 0;
      }}
      // Many small steps leave the scroll bar behind the rows; it catches up where nobody sees it move.
      onScrollEnd={({ currentTarget: one }) => {
        // An end that comes late is not this position's: what moved the box since has an end of its own.
        if (Math.abs(at.top - one.scrollTop) > 1) return;
        const { most } = sizes(one);
        const top = Math.round(at.row * (most / (most + excess)));
        if (excess === 0 || Math.abs(top - one.scrollTop) < 2) return;
        setAt({ ...at, top });
        one.scrollTop = top;
      }}
    >
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above === 0 ? null : <tr aria-hidden="true" style={heightOf(above)} />}
          {rows.slice(first, last).map((row, index) => (
            <tr key={first + index} aria-rowindex={first + index + 2}>
              {columns.map((name) => (
                <td key={name} title={shownValue(row[name])}>
                  {shownValue(row[name])}
                </td>
              ))}
            </tr>
          ))}
          {below === 0 ? null : <tr aria-hidden="true" style={heightOf(below)} />}
        </tbody>
      </table>
    </div>
  );
}
