/**
 * A figure's source, line by line:
 *
 *     title What it shows
 *     at COLUMN,ROW NAME "heading" ["line"]...
 *     NAME -> NAME ["label"]
 *
 * `#` begins a remark. Gives `{title, boxes, arrows}`; throws with the line's number for anything else.
 */
const BOX = /^at (\d+),(\d+) (\w+)((?: "[^"]*")+)$/;
const ARROW = /^(\w+) -> (\w+)(?: "([^"]*)")?$/;

const quoted = (text) => [...text.matchAll(/"([^"]*)"/g)].map(([, line]) => line);

const readLine = (figure, line) => {
  const [, column, row, name, texts] = BOX.exec(line) ?? [];
  if (name !== undefined) {
    if (figure.boxes.has(name)) throw new Error(`${name} is there already`);
    const [heading, ...lines] = quoted(texts);
    figure.boxes.set(name, { column: Number(column), row: Number(row), heading, lines });
    return;
  }
  const [, from, to, label = ""] = ARROW.exec(line) ?? [];
  if (from === undefined) throw new Error("neither title, at nor an arrow");
  for (const end of [from, to]) if (!figure.boxes.has(end)) throw new Error(`no box ${end}`);
  figure.arrows.push({ from, to, label });
};

export const readFigure = (text) => {
  const figure = { title: "", boxes: new Map(), arrows: [] };
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    try {
      if (line.startsWith("title ")) figure.title = line.slice("title ".length);
      else readLine(figure, line);
    } catch (error) {
      throw new Error(`line ${at + 1}: ${error.message}: ${line}`, { cause: error });
    }
  }
  if (figure.title === "") throw new Error("line 1: a figure has a title");
  return figure;
};
