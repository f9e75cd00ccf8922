/** Draws docs/figures/*.fig as SVG beside them: `node scripts/figures.mjs`. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./boot/versions.mjs";
import { drawFigure } from "./figures/draw-figure.mjs";
import { readFigure } from "./figures/read-figure.mjs";

const directory = join(root, "docs/figures");
for (const name of readdirSync(directory).filter((each) => each.endsWith(".fig"))) {
  const source = readFileSync(join(directory, name), "utf8");
  writeFileSync(join(directory, name.replace(/fig$/, "svg")), drawFigure(readFigure(source)));
}
