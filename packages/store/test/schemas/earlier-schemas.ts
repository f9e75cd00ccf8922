import { readFileSync } from "node:fs";

type Dialect = "sqlite" | "postgres";

const statementsOf = (file: string): readonly string[] =>
  readFileSync(new URL(file, import.meta.url), "utf8")
    .split(";\n")
    .filter((statement) => statement.trim() !== "");

/** The statements that made a schema as it was once published, with the note of its steps. */
export const schemaOf = (step: string, dialect: Dialect): readonly string[] =>
  statementsOf(`./${step}.${dialect}.sql`);

/** The SHA-256 of the text `rows`: content that a snapshot among these rows names. */
export const CONTENT = "bc51e9e65d79e1c90ba544ab2eae1044ccdf8c1af7a559ba375cba4276f7d99e";

/** A blob, as each dialect writes bytes. */
const BLOBS: Readonly<Record<Dialect, string>> = {
  sqlite: `insert into blobs (sha256, bytes) values ('${CONTENT}', x'726f7773') on conflict do nothing`,
  postgres: `insert into plasm.blobs (sha256, bytes) values ('${CONTENT}', '\\x726f7773') on conflict do nothing`,
};

/** The statements by which a program of that schema wrote a session, with names that end in `mark`. */
export function rowsOf(step: string, dialect: Dialect, mark: string): readonly string[] {
  const prefix = dialect === "postgres" ? "plasm." : "";
  const rows = statementsOf(`./${step}.rows.sql`).map((statement) =>
    statement.replace(/\{(\w+)\}/, `${prefix}$1`).replaceAll("@", mark),
  );
  return [BLOBS[dialect], ...rows];
}
