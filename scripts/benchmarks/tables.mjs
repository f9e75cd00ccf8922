/** The tables of docs/benchmarks.md and docs/comparison.md, each made of results under bench/results/. */
const shown = (value) => {
  if (typeof value !== "number") return String(value).replaceAll("|", "\\|");
  return Number(value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 3 });
};

const table = (heads, rows) =>
  [heads, heads.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map(shown).join(" | ")} |`)
    .join("\n");

const pairs = (result) =>
  table(
    ["What", "ms", "Beside", "ms", "Ratio"],
    result.pairs.map(({ ours, ours_ms, base, base_ms, ratio }) => [
      ours,
      ours_ms,
      base,
      base_ms,
      ratio,
    ]),
  );

/** What sides add to a bare fetch. */
const addedTimes = (times) =>
  table(
    ["Requests", "Side", "ms", "Added ms", "Plasm adds"],
    times.map(({ requests, side, whole_ms, added_ms, plasm_ratio }) => [
      requests,
      side,
      whole_ms,
      added_ms,
      side === "plasm" || plasm_ratio === null ? "" : `${shown(plasm_ratio)} times as much`,
    ]),
  );

const exact = (value) => value.toLocaleString("en-US");

/** Parts of the pressure harness whose answers were judged; a held loop is measured. */
const isJudged = ({ part }) => !part.startsWith("loop ");

/** The last measurement of each kind of work that holds the loop. */
const latestLoops = (parts) => [
  ...new Map(parts.filter((one) => !isJudged(one)).map((one) => [one.part, one])).values(),
];

/** Sides of a comparison, as docs/comparison.md calls them. */
const WAYS = [
  ["plasm", "Plasm"],
  ["codemode", "Code mode"],
  ["fastmcp", "One tool an operation"],
];

/** A line a measure, a column a way: what `of` gives for each side. */
const beside = (lines) =>
  table(
    ["What", ...WAYS.map(([, way]) => way)],
    lines.map(([what, of]) => [what, ...WAYS.map(([side]) => of(side))]),
  );

/** Which result each table is of, and how it is made. */
export const TABLES = Object.freeze({
  session: [
    "economy",
    ({ session }) =>
      table(
        ["What", "Tokens", "Bound"],
        session.map(({ name, tokens, most }) => [name, exact(tokens), exact(most)]),
      ),
  ],
  catalogs: [
    "economy",
    ({ tables }) =>
      table(
        ["Catalog", "Capabilities", "Table rows", "Tools", "Tools with outputs"],
        tables.map((one) => [
          one.published ? one.catalog : `${one.catalog} (sample)`,
          one.capabilities,
          exact(one.rows),
          exact(one.tools),
          exact(one.tools_with_outputs),
        ]),
      ),
  ],
  generated: [
    "economy",
    ({ generated, tables }) =>
      table(
        ["What", "Tokens"],
        [
          [
            `tools of openapi-mcp-generator, ${generated.operations} operations`,
            exact(generated.tokens),
          ],
          [
            "the whole `github` table",
            exact(tables.find(({ catalog }) => catalog === "github").rows),
          ],
        ],
      ),
  ],
  requests: [
    "economy",
    ({ costs }) =>
      table(
        ["Task", "Program", "Requests", "One get a row"],
        costs.map(({ name, program, sent, one_get_per_row }) => [
          name,
          `\`${program.replaceAll("\n", " ⏎ ")}\``,
          sent,
          one_get_per_row,
        ]),
      ),
  ],
  peers: [
    "peers",
    ({ peers: { totals, together } }) =>
      table(
        ["Side", "Definitions", "Learn", "Warm", "Cold", "All in one conversation", "Turns"],
        totals
          .filter(({ kind, tokenizer }) => kind === "all" && tokenizer === "o200k")
          .map(({ side, definitions, learn, warm, cold, turns }) => {
            const one = together.find((each) => each.side === side);
            const whole = one === undefined ? "" : exact(one.tokens);
            return [side, ...[definitions, learn, warm, cold].map(exact), whole, turns];
          }),
      ),
  ],
  "ways-tokens": [
    "peers",
    ({ peers: { totals, together } }) => {
      const all = (side, kind = "all") =>
        totals.find((one) => one.side === side && one.kind === kind && one.tokenizer === "o200k");
      const whole = (side) => together.find((one) => one.side === side).tokens;
      return beside([
        ["definitions, at each turn", (side) => exact(all(side).definitions)],
        ["learnt before the work", (side) => exact(all(side).learn)],
        ["the work", (side) => exact(all(side).warm)],
        [
          "of it, 7 tasks that fan out to 20 rows",
          (side) => exact(all(side, "fan-out of 20").warm),
        ],
        ["30 conversations, each with all that comes before", (side) => exact(all(side).cold)],
        ["all in one conversation", (side) => exact(whole(side))],
      ]);
    },
  ],
  "ways-times": [
    "peer-times",
    ({ added, starts }) => {
      const at = (requests) => (side) =>
        added.find((one) => one.side === side && one.requests === requests).added_ms;
      const start = (side) => starts.find((one) => one.side === side).first_row_ms;
      return beside([
        ["added to 1 request, ms", at(1)],
        ["added to 10 requests, ms", at(10)],
        ["added to 100 requests, ms", at(100)],
        ["from launch to the first row, ms", start],
      ]);
    },
  ],
  "peer-goals": [
    "peers",
    ({ peers: { goals } }) =>
      table(
        ["Plasm's tokens, divided by", "Ratio", "Goal"],
        goals.map(({ goal, ratio, most }) => [goal, ratio, most === null ? "" : `at most ${most}`]),
      ),
  ],
  goals: [
    "goals",
    ({ goals: { seen, unseen, control } }) => {
      // Older results have no figure of what is told by name.
      const share = (part, whole) =>
        part === undefined ? "–" : `${shown((100 * part) / whole)} %`;
      const lines = [
        ["looked at while it was built", seen],
        ["held back", unseen],
        ...(control === undefined
          ? []
          : [["of seven APIs that nothing was made for, 47 compete", control]]),
      ];
      return table(
        [
          "Goals",
          "Number",
          "Found, API named",
          "Found, 40 APIs",
          "Found, or what means the same",
          "Found, or equally right by rule",
          "In the answer, API named",
          "In the answer, 40 APIs",
          "Taught, API named",
          "Taught, 40 APIs",
          "Tokens of tables taught",
          "Answered nothing, 40 APIs",
          "Of goals no API can do, answered as if",
        ],
        lines.map(([name, of]) => [
          name,
          of.goals,
          share(of.found_named, of.goals),
          share(of.found, of.goals),
          share(of.found_or_alike, of.goals),
          share(of.found_or_equal, of.goals),
          share(of.told_named, of.goals),
          share(of.told, of.goals),
          share(of.taught_named, of.goals),
          share(of.taught, of.goals),
          shown(of.tokens / of.goals),
          share(of.silent, of.goals),
          `${of.false_answers} of ${of.foreign}`,
        ]),
      );
    },
  ],
  "task-tokens": [
    "tasks-tokens",
    ({ task_tokens }) =>
      table(
        [
          "Tasks",
          "Side",
          "Right at first",
          "Definitions",
          "Learn",
          "Programs",
          "Median",
          "Reads",
          "Effects",
          "All in one conversation",
          "Cold, median",
        ],
        task_tokens.map((one) => [
          one.world,
          one.side,
          `${one.right_at_first} of ${one.tasks}`,
          ...[one.definitions, one.learn, one.programs.sum, one.programs.median].map(exact),
          ...[one.reads, one.effects, one.together, one.cold.median].map(exact),
        ]),
      ),
  ],
  "peer-times": ["peer-times", ({ added }) => addedTimes(added)],
  "peer-times-fresh": ["peer-times", ({ fresh }) => addedTimes(fresh)],
  "peer-memory": [
    "peer-times",
    ({ starts, held }) =>
      table(
        ["Side", "First row after ms", "MB then", "kB a session more", "Sessions in 1 GB"],
        starts.map(({ side, first_row_ms, rss_mb }) => {
          const { kb_a_session, per_gb } = held.find((each) => each.side === side);
          // Of one that keeps next to nothing no number of sessions can be told.
          const kept = per_gb === null ? "none that can be told" : kb_a_session;
          return [side, first_row_ms, rss_mb, kept, per_gb ?? "–"];
        }),
      ),
  ],
  start: ["start", pairs],
  tracing: ["tracing", pairs],
  "end-to-end": ["end-to-end", pairs],
  operations: ["operations", pairs],
  core: ["core", pairs],
  load: ["load", pairs],
  rows: ["rows", pairs],
  decode: ["decode", pairs],
  growth: [
    "growth",
    ({ growths }) =>
      table(
        ["What", "Of", "Smallest", "ms", "Largest", "ms", "Exponent", "At most"],
        growths.map(({ name, unit, most, points, fit }) => {
          const [first, last] = [points[0], points.at(-1)];
          return [name, unit, first.size, first.ms, last.size, last.ms, fit.exponent, most ?? ""];
        }),
      ),
  ],
  load500: [
    "many-operations",
    ({ loads }) =>
      table(
        ["What", "Progress p50 ms", "p99 ms", "Failed", "MB a server", "CPU s"],
        loads.map((one) => [
          one.name,
          one.progress_ms.p50,
          one.progress_ms.p99,
          one.failed,
          Math.max(...one.peak_mb),
          one.cpu_seconds,
        ]),
      ),
  ],
  many: [
    "many-rows",
    ({ many }) =>
      table(
        ["Program", "Rows", "MB more than idle", "Heap MB", "CPU s"],
        many.map((one) => [one.name, one.rows, one.grown_mb, one.heap_mb, one.cpu_seconds]),
      ),
  ],
  waves: [
    "session-waves",
    ({ waves: { costs, block } }) =>
      table(
        ["What", "In", `After ${2 * block} waves`, "After the last", "Exponent"],
        costs.map(({ name, unit, points, fit }) => [
          name,
          unit,
          points[1].value,
          points.at(-1).value,
          Number(fit.exponent.toFixed(3)) + 0,
        ]),
      ),
  ],
  open: [
    "open-sessions",
    ({ open }) =>
      table(
        ["Open sessions", "MB of the server at most", "Next", "p50 ms", "With one open", "Times"],
        ["context", "plan"].map((call) => [
          open.sessions,
          open.peak_mb,
          call,
          open.all_ms[call].p50,
          open.one_ms[call].p50,
          open.slower[call],
        ]),
      ),
  ],
  replicas: [
    "replicas",
    ({ parts }) =>
      table(
        ["Proof", "Of", "Faults"],
        parts.map(({ part, tried, faults }) => [
          part,
          Object.entries(tried)
            .map(([what, count]) => `${exact(count)} ${what.replaceAll("_", " ")}`)
            .join(", "),
          faults.length,
        ]),
      ),
  ],
  pressure: [
    "pressure",
    ({ totals }) =>
      table(
        ["Part", "Tried", "Goal", "Effects", "Done", "In doubt", "Faults"],
        totals
          .filter(isJudged)
          .map((one) => [
            one.part,
            exact(one.tried),
            exact(one.goal),
            exact(one.effects),
            exact(one.done),
            exact(one.doubtful),
            exact(one.faults),
          ]),
      ),
  ],
  loop: [
    "pressure",
    ({ parts }) =>
      table(
        [
          "While a server works on",
          "Loop idle p99 ms",
          "Working p99 ms",
          "Times",
          "Health idle p99 ms",
          "Working p99 ms",
          "Calls",
        ],
        latestLoops(parts).map(({ part, figures: { idle, busy, loopRatio } }) => [
          part.replace(/^loop /, ""),
          idle.loop.p99,
          busy.loop.p99,
          loopRatio,
          idle.health.p99,
          busy.health.p99,
          exact(busy.health.calls),
        ]),
      ),
  ],
  crashes: [
    "crashes",
    ({ totals }) =>
      table(
        ["Store", "Kills", "Effects done", "Sent twice", "Lost", "Told in doubt"],
        totals.map((one) => [
          one.store,
          exact(one.kills),
          exact(one.done),
          one.duplicates,
          one.lost,
          one.doubtful,
        ]),
      ),
  ],
  undo: [
    "undo",
    ({ kills, faults }) =>
      table(
        ["Kills in runs and their undo", "Rows not as before, untold"],
        [[exact(kills), faults]],
      ),
  ],
  grades: [
    "grades",
    ({ grades, unseen }) => {
      const [first] = grades;
      const criteria = Object.keys(first).filter(
        (key) => !["api", "letter", "score", "things"].includes(key),
      );
      return table(
        ["API", "Grade", "Mean", ...criteria],
        [
          ...grades.map((one) => [
            one.api,
            one.letter,
            one.score,
            ...criteria.map((key) => one[key] ?? ""),
          ]),
          ...unseen.map((api) => [api, "not graded", "", ...criteria.map(() => "")]),
        ],
      );
    },
  ],
  mutation: [
    "mutation",
    ({ folders }) =>
      table(
        ["Folder of core", "Mutants", "Noticed by tests, %"],
        Object.entries(folders).map(([name, one]) => [name, exact(one.mutants), one.percent]),
      ),
  ],
});

const SLOT = /(<!-- figures: ([\w-]+) -->\n)[^]*?(\n<!-- end -->)/g;

/** The page with its figures; `result` gives the JSON of a name. Throws for a table that there is not. */
export const pageWithFigures = (page, result) =>
  page.replaceAll(SLOT, (_whole, begin, name, end) => {
    const entry = TABLES[name];
    if (entry === undefined) throw new Error(`no table ${name}`);
    const [file, make] = entry;
    const made = result(file);
    const { node, cpus } = made.machine;
    const of = `From [${file}.json](../bench/results/${file}.json): Node ${node}, ${cpus} CPUs, commit \`${made.commit.slice(0, 10)}\`.`;
    return `${begin}\n${make(made)}\n\n${of}\n${end}`;
  });

/** The pages that have tables. */
export const PAGES = Object.freeze(["docs/benchmarks.md", "docs/comparison.md"]);

/** The tables that a page has. */
export const tablesOn = (page) => [...page.matchAll(SLOT)].map(([, , name]) => name);
