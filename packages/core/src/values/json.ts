/** Any JSON value; a number a double cannot hold exactly is kept as decimal text (CAT-014, RUN-033). */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object; members are read as data, never as code. */
export interface JsonObject {
  readonly [key: string]: Json;
}
