/**
 * Draws the pictures of README: a session that is run anew, and a chart of measured figures: `node scripts/pictures.mjs`. The
 * program has to be built.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./boot/versions.mjs";
import { PICTURES } from "./pictures/pictures.mjs";
import { recordSession } from "./pictures/record-session.mjs";

writeFileSync(join(root, "docs/pictures/session.txt"), await recordSession());
const read = (path) => readFileSync(join(root, path), "utf8");
for (const [path, draw] of Object.entries(PICTURES)) writeFileSync(join(root, path), draw(read));
