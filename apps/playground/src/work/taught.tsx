import { Card, plainText, Table } from "@plasm/console";

interface TaughtTable {
  readonly title: string;
  readonly rows: readonly (readonly [code: string, meaning: string])[];
}

const TABLE = /^(.*)\n```tsv\n.*\n([\s\S]*?)```/gm;

/** The tables of what a session taught, in order. */
function tablesIn(prompt: string): readonly TaughtTable[] {
  return [...plainText(prompt).matchAll(TABLE)].map(([, title = "", body = ""]) => ({
    title,
    rows: body
      .trimEnd()
      .split("\n")
      .map((line): readonly [string, string] => {
        const [code = "", meaning = ""] = line.split("\t");
        return [code, meaning];
      }),
  }));
}

/** What a session has taught: the tables as tables, and the whole as an agent reads it. */
export function Taught({ prompt }: { readonly prompt: string }) {
  return (
    <Card title="What the agent reads">
      <div class="taught">
        {tablesIn(prompt).map(({ title, rows }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <Table label={`Table of ${title}`} head={["Code", "What it is or gives"]}>
              {rows.map(([code, meaning]) => (
                <tr key={code + meaning}>
                  <td>
                    <code>{code}</code>
                  </td>
                  <td>{meaning}</td>
                </tr>
              ))}
            </Table>
          </section>
        ))}
      </div>
      <details class="as-read">
        <summary>All of it, the language included, as text</summary>
        <pre tabIndex={0} aria-label="Instructions and tables">
          {plainText(prompt)}
        </pre>
      </details>
    </Card>
  );
}
