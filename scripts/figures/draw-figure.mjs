/** Draws a figure as SVG: own colours for light and dark, no fonts and no scripts from elsewhere. */
const BOX = { width: 168, height: 76 };
const GAP = { x: 84, y: 52 };
const MARGIN = 20;
const HEAD = { size: 14, glyph: 8.2 };
const LINE = { size: 12, glyph: 6.8 };
const LABEL = { size: 11, glyph: 6.2 };

const STYLE = [
  ".back{fill:#fff}.box{fill:#f3f6fa;stroke:#57606a}.head{fill:#1b1f24;font-weight:600}",
  ".line{fill:#424a53}.label{fill:#424a53}.veil{fill:#fff}.arrow{stroke:#57606a;fill:none}.tip{fill:#57606a}",
  "text{font-family:system-ui,sans-serif;text-anchor:middle}",
  "@media(prefers-color-scheme:dark){.back{fill:#161b22}.box{fill:#21262d;stroke:#9198a1}",
  ".head{fill:#f0f6fc}.line,.label{fill:#d1d7e0}.veil{fill:#161b22}.arrow{stroke:#9198a1}.tip{fill:#9198a1}}",
].join("");

const escape = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const refuseWide = (text, { glyph }, room) => {
  if (text.length * glyph <= room) return;
  throw new Error(`${JSON.stringify(text)} is wider than ${room} px: shorten it`);
};

const middleOf = ({ column, row }) => ({
  x: MARGIN + (column - 1) * (BOX.width + GAP.x) + BOX.width / 2,
  y: MARGIN + (row - 1) * (BOX.height + GAP.y) + BOX.height / 2,
});

const textAt = (kind, size, x, y, text) =>
  `<text class="${kind}" font-size="${size}" x="${x}" y="${y}">${escape(text)}</text>`;

const drawBox = (box) => {
  const { x, y } = middleOf(box);
  refuseWide(box.heading, HEAD, BOX.width - 8);
  for (const line of box.lines) refuseWide(line, LINE, BOX.width - 8);
  if (box.lines.length > 3) throw new Error(`${box.heading}: more than three lines`);
  const top = y - (box.lines.length * 15) / 2 + 5;
  return [
    `<rect class="box" x="${x - BOX.width / 2}" y="${y - BOX.height / 2}" width="${BOX.width}" height="${BOX.height}" rx="8"/>`,
    textAt("head", HEAD.size, x, top, box.heading),
    ...box.lines.map((line, at) => textAt("line", LINE.size, x, top + 16 + at * 15, line)),
  ];
};

/** Where the line from a box's middle towards another leaves the box. */
const edge = (from, to) => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const reach = Math.min(
    dx === 0 ? Infinity : BOX.width / 2 / Math.abs(dx),
    dy === 0 ? Infinity : BOX.height / 2 / Math.abs(dy),
  );
  return { x: Math.round(from.x + dx * reach), y: Math.round(from.y + dy * reach) };
};

const drawArrow = ({ label }, from, to) => {
  const [a, b] = [middleOf(from), middleOf(to)];
  const [start, end] = [edge(a, b), edge(b, a)];
  const angle = Math.round((Math.atan2(end.y - start.y, end.x - start.x) * 180) / Math.PI);
  const [x, y] = [(start.x + end.x) / 2, (start.y + end.y) / 2];
  const width = label.length * LABEL.glyph;
  if (start.y === end.y) refuseWide(label, LABEL, Math.abs(end.x - start.x) - 4);
  return [
    `<line class="arrow" x1="${start.x}" y1="${start.y}" x2="${end.x}" y2="${end.y}"/>`,
    `<path class="tip" d="M0 0-9-4.5-9 4.5z" transform="translate(${end.x} ${end.y}) rotate(${angle})"/>`,
    ...(label === ""
      ? []
      : start.y === end.y
        ? [textAt("label", LABEL.size, x, y - 6, label)]
        : [
            `<rect class="veil" x="${x - width / 2 - 2}" y="${y - 8}" width="${width + 4}" height="15"/>`,
            textAt("label", LABEL.size, x, y + 4, label),
          ]),
  ];
};

/** The SVG of what `readFigure` gives. Throws if a text does not fit where it stands. */
export const drawFigure = ({ title, boxes, arrows }) => {
  const all = [...boxes.values()];
  const most = (of) => Math.max(...all.map((box) => box[of]));
  const width = 2 * MARGIN + most("column") * (BOX.width + GAP.x) - GAP.x;
  const height = 2 * MARGIN + most("row") * (BOX.height + GAP.y) - GAP.y;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escape(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="back" width="${width}" height="${height}" rx="10"/>`,
    ...arrows.flatMap((arrow) => drawArrow(arrow, boxes.get(arrow.from), boxes.get(arrow.to))),
    ...all.flatMap(drawBox),
    "</svg>",
    "",
  ].join("\n");
};
