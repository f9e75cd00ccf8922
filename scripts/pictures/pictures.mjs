import { drawBars } from "./draw-bars.mjs";
import { drawCast } from "./draw-cast.mjs";

/** How each side of the figures is called where nobody has read what it is. */
const SIDES = Object.freeze({
  plasm: "Plasm",
  codemode: "codemode, knows what to look for",
  "codemode, as documented": "codemode, as documented",
  fetch: "fetch, knows every API by heart",
  fastmcp: "a tool per operation (fastmcp)",
  "openapi-mcp-generator": "… (openapi-mcp-generator)",
});

/** The pictures of README by path, each drawn from files that `read` gives by path. */
export const PICTURES = Object.freeze({
  "docs/pictures/session.svg": (read) =>
    drawCast(read("docs/pictures/session.txt"), {
      title:
        "A terminal: a program reads the old boats; a plan of three changes is shown with values before and after; it is approved and run; sent again, it changes nothing twice.",
      columns: 104,
    }),
  "docs/pictures/tokens.svg": (read) => {
    const { together } = JSON.parse(read("bench/results/peers.json")).peers;
    const bars = together.map(({ side, tokens }) => {
      const name = SIDES[side];
      if (name === undefined) throw new Error(`pictures.mjs has no name for ${side}`);
      return { name, value: tokens, ours: side === "plasm" };
    });
    const ordered = bars.toSorted((a, b) => a.value - b.value);
    return drawBars("Tokens that the same 30 tasks cost in one conversation", ordered);
  },
});
