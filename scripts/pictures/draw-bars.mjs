/** Draws figures as horizontal bars in SVG, with colours for light and dark; no fonts or files from elsewhere. */
const ROW = 34;
const LABEL = 270;
const BAR = 460;
const VALUE = 90;
const HEAD = 52;

const escape = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const STYLE = [
  "text{font-family:system-ui,sans-serif}.back{fill:#fff}.name,.value{fill:#1b1f24;font-size:14px}.ours{font-weight:600}",
  ".head{fill:#1b1f24;font-size:15px;font-weight:600}.bar{fill:#c5cdd6}.bar.ours{fill:#0969da}",
  "@media(prefers-color-scheme:dark){.back{fill:#0d1117}.name,.value,.head{fill:#f0f6fc}.bar{fill:#4d5866}.bar.ours{fill:#4493f8}}",
].join("");

/** The picture of `bars`, `{name, value, ours}` each, in their order; the longest fills the width. */
export const drawBars = (heading, bars) => {
  const most = Math.max(...bars.map(({ value }) => value));
  const [width, height] = [LABEL + BAR + VALUE, HEAD + bars.length * ROW + 10];
  const rows = bars.flatMap(({ name, value, ours }, at) => {
    const kind = ours ? " ours" : "";
    const y = HEAD + at * ROW;
    const long = Number(((value / most) * BAR).toFixed(1));
    return [
      `<text class="name${kind}" x="${LABEL - 12}" y="${y + 16}" text-anchor="end">${escape(name)}</text>`,
      `<rect class="bar${kind}" x="${LABEL}" y="${y}" width="${long}" height="22" rx="3"/>`,
      `<text class="value${kind}" x="${LABEL + long + 8}" y="${y + 16}">${value.toLocaleString("en-US")}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escape(`${heading} ${bars.map(({ name, value }) => `${name} ${value.toLocaleString("en-US")}`).join("; ")}.`)}</title>`,
    `<style>${STYLE}</style>`,
    `<rect class="back" width="${width}" height="${height}"/>`,
    `<text class="head" x="16" y="30">${escape(heading)}</text>`,
    ...rows,
    "</svg>\n",
  ].join("\n");
};
