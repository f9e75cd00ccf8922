import { comp } from "./zz.mts";
const cpu = (f: any) => {
  let b = 1e9;
  for (let i = 0; i < 2; i++) {
    const t = process.threadCpuUsage();
    f();
    const { user, system } = process.threadCpuUsage(t);
    b = Math.min(b, (user + system) / 1000);
  }
  return Math.round(b);
};
const fams: [string, string, string, string][] = [
  ["parens", "b = Boat\nb => {x: ", "(", ""],
  ["parens cond", "Boat{", "(", ""],
  ["parens closed cond", "Boat{", "(", "Z"],
  ["sum cells", "b = Boat\nb => {x: _.a", "+_.a", "}"],
  ["sum spaced", "b = Boat\nb => {x: _.length", " + _.length", "}"],
  ["minus", "b = Boat\nb => {x: _.a", "-_.a", "}"],
  ["cond sum", "Boat{length > a", "+a", "}"],
  ["cond sum sp", "Boat{length > a", " + a", "}"],
  ["cond left", "Boat{length", " * length", " > 3}"],
  ["cond a-a", "Boat{length > a", "-a", "}"],
  ["not", "b = Boat\nb => {x: ", "not ", "true}"],
  ["not cond", "Boat{", "not ", "state=lost}"],
  ["not paren", "Boat{", "not (", "state=lost}"],
  ["not paren val", "b = Boat\nb => {x: ", "not (", "true}"],
  ["neg", "b = Boat\nb => {x: ", "-(", "1}"],
  ["and", "Boat{state=lost", " and state=lost", "}"],
  ["or", "Boat{state=lost", " or state=lost", "}"],
  ["and words", "Boat{state=lost", " and x", "}"],
  ["and val", "b = Boat\nb => {x: _.length > 1", " and _.length > 1", "}"],
  ["or words", "b = Boat\nb => {x: a", " or b", "}"],
  ["call", "b = Boat\nb => {x: ", "abs(", "1}"],
  ["call sort", "Boat.sort(", "abs(", "length)"],
  ["quotes", 'b = Boat\nb => {x: "a"', '+"a"', "}"],
  ["quotes sp", 'Boat{name = "a"', ' + "a"', "}"],
  ["quote cond left", 'Boat{"a"', ' + "a"', " = name}"],
  ["dots", "b = Boat\nb => {x: _.a", ".a", "}"],
  ["dots minus", "Boat.sort(a", ".a-a", ")"],
  ["slices", "b = Boat\nb => {x: _.name", "[1:]", "}"],
  ["members", "b = Boat\nb => {x: _.meta", '."a"', "}"],
  ["agg sums", "Boat.aggregate(x=sum(length", "+length", "))"],
  ["in", "b = Boat\nb => {x: _.length", " in [1]", "}"],
  ["list", "b = Boat\nb => {x: [", "_.length + 1,", "1]}"],
  ["object", "b = Boat\nb => {", "x: _.length + 1,", "y: 1}"],
  ["group", "Boat.group_by(", "year(built),", "n=count)"],
  ["words calc", "Boat{name = a", " * b", "}"],
  ["calc broken", "Boat{name = a", " * b", " ?}"],
  ["obj words", "b = Boat\nb => {x: a", " - b", " c}"],
  ["brackets", "b = Boat\nb => {x: _.a", "[", "}"],
  ["open quotes", 'b = Boat\nb => {x: "', '" + "', "}"],
  ["digits", "b = Boat\nb => {x: 1", "+1", "}"],
  ["digit minus", "Boat{length > 1", "-1", "}"],
  ["days", "b = Boat\nb => {x: _.built", " + 1d", "}"],
  ["path dots cmp", "Boat{", "a.", " > 3}"],
  ["-a", "Boat{", "-a", "}"],
  ["-", "Boat.sort(", "-", ")"],
  ["commas and", "Boat{state=lost", ", state=lost and", "}"],
  ["many stmts", "b = Boat\n", "b => {x: _.length + 1}\n", ""],
  ["ternary", "b = Boat\nb => {x: _.a", " ? 1", " : 2}"],
  ["paren pairs", "Boat{", "(length > 1) and ", "state=lost}"],
  ["groups", "Boat{", "(state=lost or ", "state=lost}"],
];
for (const [n, a, m, z] of fams) {
  const mk = (k: number) => a + m.repeat((k / m.length) | 0) + z;
  const t: number[] = [];
  let kind = "";
  try {
    for (const k of [8000, 32000, 128000])
      t.push(
        cpu(() => {
          const c = comp(mk(k));
          kind = c.kind + " " + (c.errors?.[0]?.message ?? "").slice(0, 60);
        }),
      );
  } catch (e: any) {
    kind = "THROW " + e.stack.slice(0, 300);
  }
  console.log(
    (t[2] > 10 * t[1] + 60 || t[2] > 900 || kind.startsWith("THROW") ? "!!! " : "    ") +
      n.padEnd(16),
    t.join(" "),
    kind,
  );
}
process.exit(0);
