/** Draws a transcript as a terminal whose scenes follow each other, in SVG: no fonts, scripts or files from elsewhere. */
const GLYPH = { width: 7.81, height: 20, size: 13 };
const MARGIN = 18;
const BAR = 30;
const TAB = 8;
/** seconds */
const TYPED_PER_SECOND = 45;
const PAUSE = { typed: 0.5, scene: 3.2 };

const escape = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A line as a terminal shows it: tabs reach to the next stop. */
const shownLine = (line) =>
  line.replaceAll(/([^\t]*)\t/g, (_, text) =>
    text.padEnd((Math.floor(text.length / TAB) + 1) * TAB),
  );

/** The scenes of a transcript as lines with their kinds: a remark, what was typed, what was printed. */
const scenesOf = (transcript) =>
  transcript
    .trimEnd()
    .split("\n\n")
    .map((scene) => {
      const quotes = (text) => text.split("'").length - 1;
      let open = false;
      return scene.split("\n").map((line) => {
        const text = shownLine(line);
        const typed = open || text.startsWith("$ ");
        if (typed && quotes(text) % 2 === 1) open = !open;
        return { text, kind: text.startsWith("# ") ? "said" : typed ? "typed" : "printed" };
      });
    });

/** When each line of the scenes appears, in seconds from the beginning, and when each scene ends. */
const timed = (scenes) => {
  let now = 0.4;
  return scenes.map((lines) => {
    const begin = now;
    const shown = lines.map((line, at) => {
      const from = now;
      if (line.kind === "said") now += 0.9;
      if (line.kind === "typed") {
        now += line.text.length / TYPED_PER_SECOND;
        if (lines[at + 1]?.kind !== "typed") now += PAUSE.typed;
      }
      return { ...line, from, to: now };
    });
    now += PAUSE.scene + lines.filter(({ kind }) => kind === "printed").length * 0.25;
    return { begin, end: now, shown };
  });
};

const percent = (seconds, whole) => Number(((seconds / whole) * 100).toFixed(2));

/** Keyframes that show something from one moment to another; at the last scene, until all begins anew. */
const appears = (name, from, until, whole) => {
  const [on, off] = [percent(from, whole), percent(until, whole)];
  const end = off >= 100 ? "" : `${off}%,100%{opacity:0}`;
  return `@keyframes ${name}{0%,${Math.max(0, on - 0.01)}%{opacity:0}${on}%,${Math.max(on, off - 0.01)}%{opacity:1}${end}}`;
};

const types = (name, from, to, whole) =>
  `@keyframes ${name}{0%,${percent(from, whole)}%{clip-path:inset(-4px 100% -4px 0)}${percent(to, whole)}%,100%{clip-path:inset(-4px 0 -4px 0)}}`;

/**
 * The picture of a transcript. Whoever wants no motion sees the last scene; `title` says in words what is shown. Throws for a
 * line that is wider than the picture.
 */
export const drawCast = (transcript, { title, columns }) => {
  const scenes = timed(scenesOf(transcript));
  const rows = Math.max(...scenes.map(({ shown }) => shown.length));
  const whole = scenes.at(-1).end;
  const size = {
    width: Math.ceil(columns * GLYPH.width + 2 * MARGIN),
    height: Math.ceil(BAR + rows * GLYPH.height + 1.5 * MARGIN),
  };
  const styles = [];
  const parts = scenes.map(({ begin, end, shown }, at) => {
    const last = at === scenes.length - 1;
    styles.push(appears(`s${at}`, begin, end, whole));
    const lines = shown.map(({ text, kind, from, to }, row) => {
      if (text.length > columns)
        throw new Error(`${JSON.stringify(text)} is wider than ${columns}`);
      const name = `s${at}l${row}`;
      styles.push(
        kind === "typed" ? types(name, from, to, whole) : appears(name, from, whole, whole),
      );
      const y = BAR + MARGIN + row * GLYPH.height + GLYPH.size - 8;
      const steps = kind === "typed" ? `steps(${Math.max(1, text.length)})` : "linear";
      return `<text class="${kind}" x="${MARGIN}" y="${y}" style="animation:${name} ${whole.toFixed(2)}s ${steps} infinite">${escape(text)}</text>`;
    });
    const still = last ? "" : ' class="moving"';
    return `<g${still} style="animation:s${at} ${whole.toFixed(2)}s linear infinite">${lines.join("")}</g>`;
  });
  const look = [
    "text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;white-space:pre}",
    ".said{fill:#e3b341}.typed{fill:#f0f6fc}.printed{fill:#9fb4c7}",
    "@media(prefers-reduced-motion:reduce){g,text{animation:none!important}.moving{display:none}}",
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" role="img" font-size="${GLYPH.size}">`,
    `<title>${escape(title)}</title>`,
    `<style>${[...look, ...styles].join("")}</style>`,
    `<rect width="${size.width}" height="${size.height}" rx="10" fill="#0d1117"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map(
      (fill, at) =>
        `<circle cx="${MARGIN + 4 + at * 20}" cy="${BAR / 2 + 3}" r="6" fill="${fill}"/>`,
    ),
    ...parts,
    "</svg>\n",
  ].join("\n");
};
