import fc from "fast-check";

/** A setup file of vitest: all properties that name no seed of their own draw by PLASM_PROPERTY_SEED. */
const seed = Number(process.env["PLASM_PROPERTY_SEED"]);
if (process.env["PLASM_PROPERTY_SEED"] && Number.isInteger(seed)) fc.configureGlobal({ seed });
