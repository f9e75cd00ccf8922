import type { ColumnDataType, ColumnDefinitionBuilder, RawBuilder } from "kysely";

type ColumnType = ColumnDataType | RawBuilder<unknown>;

/** How a database writes the column types that differ between the two. */
export interface ColumnTypes {
  /** text that is compared byte by byte, so that a range of an index holds a prefix */
  readonly text: ColumnType;
  readonly bytes: ColumnType;
  /** a primary key that the database numbers, rising with each row */
  readonly rowNumber: {
    readonly type: ColumnType;
    readonly build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  };
}
