import { useState } from "preact/hooks";

const ROW_PX = 34;
const VIEW_PX = 440;
/** Rows beyond the edges, so that scrolling shows no gap. */
const MORE = 8;

/** The height of so many rows; a bare number would be no length here. */
const heightOf = (rows: number) => ({ height: `${rows * ROW_PX}px` });

interface VirtualRowsProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

function shownValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A table of any number of rows, of which those in view alone are there; each is one line high. */
export function VirtualRows({ label, columns, rows }: VirtualRowsProps) {
  const [top, setTop] = useState(0);
  const first = Math.max(0, Math.floor(top / ROW_PX) - MORE);
  const last = Math.min(rows.length, Math.ceil((top + VIEW_PX) / ROW_PX) + MORE);
  return (
    <div
      class="scroll virtual"
      role="region"
      aria-label={label}
      tabIndex={0}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
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
          {first === 0 ? null : <tr aria-hidden="true" style={heightOf(first)} />}
          {rows.slice(first, last).map((row, index) => (
            <tr key={first + index} aria-rowindex={first + index + 2}>
              {columns.map((name) => (
                <td key={name} title={shownValue(row[name])}>
                  {shownValue(row[name])}
                </td>
              ))}
            </tr>
          ))}
          {last === rows.length ? null : (
            <tr aria-hidden="true" style={heightOf(rows.length - last)} />
          )}
        </tbody>
      </table>
    </div>
  );
}
