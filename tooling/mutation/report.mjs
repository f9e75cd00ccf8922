/** What Stryker's JSON report says, in our words. */

const mutantsOf = (report) =>
  Object.entries(report.files).flatMap(([file, { mutants, source }]) =>
    mutants.map((mutant) => ({ ...mutant, file, source })),
  );

const SCORED = ["Killed", "Timeout", "Survived", "NoCoverage"];

/** Mutants that run at load only (`ignoreStatic`) and those that do not compile count for nothing. */
export const scoreOf = (report) => {
  const scored = mutantsOf(report).filter(({ status }) => SCORED.includes(status));
  const count = (...statuses) => scored.filter(({ status }) => statuses.includes(status)).length;
  const noticed = count("Killed", "Timeout");
  return {
    percent: Math.round((1000 * noticed) / Math.max(1, scored.length)) / 10,
    mutants: scored.length,
    noticed,
    survived: count("Survived"),
    uncovered: count("NoCoverage"),
    ignored: mutantsOf(report).length - scored.length,
  };
};

/** Each mutant that no test noticed: place, what stood there, what stood there instead. */
export const unnoticed = (report) =>
  mutantsOf(report)
    .filter(({ status }) => status === "Survived" || status === "NoCoverage")
    .map(({ file, source, location: { start, end }, replacement, status }) => {
      const lines = source.split("\n").slice(start.line - 1, end.line);
      const stood = lines.join(" ").trim().slice(0, 120);
      const mark = status === "Survived" ? "survived" : "not run";
      return `${file}:${start.line}:${start.column} ${mark}\n  ${stood}\n  → ${replacement ?? ""}`;
    })
    .join("\n");
