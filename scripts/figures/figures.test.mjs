import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../boot/versions.mjs";
import { drawFigure } from "./draw-figure.mjs";
import { readFigure } from "./read-figure.mjs";

const directory = join(root, "docs/figures");
const names = readdirSync(directory).filter((name) => name.endsWith(".fig"));
const read = (name) => readFileSync(join(directory, name), "utf8");

describe("docs/figures: each picture is drawn from its source (`node scripts/figures.mjs` draws them)", () => {
  test.each(names)("%s", (name) => {
    const svg = read(name.replace(/fig$/, "svg"));
    expect(svg).toBe(drawFigure(readFigure(read(name))));
    // It is shown on light and on dark pages, and loads nothing.
    expect(svg).toContain("prefers-color-scheme:dark");
    expect(svg).not.toMatch(/<script|href=|url\(/);
  });

  test("there are some, and no picture without a source", () => {
    expect(names.length).toBeGreaterThanOrEqual(4);
    const pictures = readdirSync(directory).filter((name) => name.endsWith(".svg"));
    expect(pictures.map((name) => name.replace(/svg$/, "fig")).toSorted()).toEqual(
      names.toSorted(),
    );
  });
});

test.each([
  ['at 1,1 a "A"', "line 1: a figure has a title"],
  ['title t\nat 1,1 a "A"\na -> b', "line 3: no box b: a -> b"],
  ['title t\nat 1,1 a "A"\nat 2,1 a "B"', 'line 3: a is there already: at 2,1 a "B"'],
  ["title t\nbox", "line 2: neither title, at nor an arrow: box"],
])("%j is refused: %s", (source, why) => {
  expect(() => readFigure(source)).toThrow(why);
});

test("a text that does not fit is refused", () => {
  const figure = readFigure(`title t\nat 1,1 a "${"w".repeat(40)}"`);
  expect(() => drawFigure(figure)).toThrow("shorten it");
});

test("what is special in SVG is written so that it shows", () => {
  expect(drawFigure(readFigure('title a < b & c\nat 1,1 a "<A>"'))).toMatch(
    /<title>a &lt; b &amp; c<\/title>[^]*>&lt;A&gt;<\/text>/,
  );
});
