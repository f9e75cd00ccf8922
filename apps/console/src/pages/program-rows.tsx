import type { Done } from "../api.ts";
import { csvCell, save } from "../parts/save.ts";
import { Card, Empty, Table } from "../parts/ui.tsx";
import { VirtualRows } from "../parts/virtual-rows.tsx";
import type { ResultRows } from "../records.ts";
import { GroupBars, type Grouping } from "./group-bars.tsx";

/** What a run had done before it failed: nobody sends that again without knowing. */
export function DoneBefore({ done: { effects, results } }: { done: Done }) {
  return (
    <>
      {effects.length === 0 ? null : (
        <Card title="What became of its effects">
          <Table label="Effects of the run" head={["Effect", "Of", "How it ended"]}>
            {effects.map(({ seq, capability, target, status }) => (
              <tr key={seq}>
                <td>{capability}</td>
                <td>
                  <code>{target ?? "a new one"}</code>
                </td>
                <td>{status}</td>
              </tr>
            ))}
          </Table>
        </Card>
      )}
      {results.map((result) => (
        <Rows key={result.name} result={result} raw={null} grouping={null} />
      ))}
    </>
  );
}

const asCsv = ({ columns, rows }: ResultRows): string =>
  [
    columns.map(csvCell).join(","),
    ...rows.map((row) => columns.map((name) => csvCell(row[name])).join(",")),
  ]
    .join("\n")
    .concat("\n");

interface RowsProps {
  readonly result: ResultRows;
  /** the same as it is saved; null where it is not to be */
  readonly raw: ResultRows | null;
  /** null where it has no groups, or where that is not known */
  readonly grouping: Grouping | null;
}

/** Rows as they are shown, and as they are saved: never the former as the latter. */
export function Rows({ result, raw, grouping }: RowsProps) {
  const { name, rows, columns, partial } = result;
  const file = name.replaceAll(/\W+/g, "-");
  const saveAs = (text: string, type: string, ending: string) =>
    save(new Blob([text], { type }), `${file}.${ending}`);
  return (
    <Card
      title={`${name}: ${rows.length} ${rows.length === 1 ? "row" : "rows"}`}
      more={
        raw === null ? null : (
          <span class="row">
            <button
              type="button"
              onClick={() => saveAs(JSON.stringify(raw.rows, null, 2), "application/json", "json")}
            >
              JSON
            </button>
            <button type="button" onClick={() => saveAs(asCsv(raw), "text/csv", "csv")}>
              CSV
            </button>
          </span>
        )
      }
    >
      {partial === null ? null : <p class="dim">These are not all rows: {partial}.</p>}
      {rows.length === 0 ? (
        <Empty title="No row is like that." />
      ) : (
        <>
          {grouping === null ? null : <GroupBars name={name} rows={rows} grouping={grouping} />}
          <VirtualRows label={`Rows of ${name}`} columns={columns} rows={rows} />
        </>
      )}
    </Card>
  );
}
