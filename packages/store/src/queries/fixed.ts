import type { Compilable, CompiledQuery, QueryResult } from "kysely";
import type { Db } from "../schema/tables.ts";

/** Stands for a value while a query is being compiled. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Places of all values that a query can be given, in the types of those values. */
const placesFor = <Given extends object>(): Given =>
  new Proxy({} as Given, { get: (_none, name) => new Place(String(name)) });

/**
 * The adapter of a database that answers without waiting for anything: kysely's way there, which is made for
 * connections, takes longer than the answer.
 */
export interface AtOnce {
  /** Runs a statement; `isWithin` its transaction, else when no transaction is under way. */
  atOnce<Row>(
    text: string,
    parameters: readonly unknown[],
    isWithin: boolean,
  ): Promise<QueryResult<Row>>;
}

/** What identifies a database and its transactions: dialect, schema and text of a query go with it. */
const databaseOf = (db: Db): object => db.getExecutor().adapter;

const isAtOnce = (database: object): database is AtOnce => "atOnce" in database;

/** A query to run with other values each time. */
export type FixedQuery<Given extends object, Row> = (
  db: Db,
  given: Given,
) => Promise<QueryResult<Row>>;

/**
 * A query whose text depends on the database alone, built and compiled when it is first asked for: that
 * takes longer than SQLite needs to answer. `build` is to compute nothing with the values it is handed, which
 * stand for those of later calls.
 */
export function fixed<Given extends object, Row>(
  build: (db: Db, given: Given) => Compilable<Row>,
): FixedQuery<Given, Row> {
  const compiled = new WeakMap<object, CompiledQuery<Row>>();
  return (db, given) => {
    const database = databaseOf(db);
    let query = compiled.get(database);
    if (query === undefined) {
      query = build(db, placesFor<Given>()).compile();
      compiled.set(database, query);
    }
    const values = given as Readonly<Record<string, unknown>>;
    const parameters = query.parameters.map((value) =>
      value instanceof Place ? values[value.name] : value,
    );
    return isAtOnce(database)
      ? database.atOnce(query.sql, parameters, db.isTransaction)
      : db.executeQuery({ ...query, parameters });
  };
}

/** How many rows a statement has written. */
export const written = ({ numAffectedRows = 0n }: QueryResult<unknown>): number =>
  Number(numAffectedRows);
