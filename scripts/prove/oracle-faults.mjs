/**
 * What takes a mend out again: an exact text of a file, and what stands in its place. The oracle must find each
 * of them in some worlds.
 */
export const oracleFaults = Object.freeze([
  {
    item: "17.1",
    fault: "a relation inside rows does not send the parent's get",
    file: "packages/runtime/src/run/relation-targets.ts",
    old: "await loadEdge(source.engine, source.feed, source.row, relation);",
    new: "",
  },
  {
    item: "17.3",
    fault: "what rows carry fills optional filters that nobody named",
    file: "packages/runtime/src/request/environment.ts",
    old: "if (names.size === 0) return { ...call.ambient, ...bound };",
    new: "if (names.size >= 0) return { ...call.ambient, ...bound };",
  },
  {
    item: "17.4",
    fault: "a list that shows further pages is not partial",
    file: "packages/runtime/src/run/list-end.ts",
    old: "return more === null ? state : { ...state, unread: unreadText(list, more, state) };",
    new: "return state;",
  },
  {
    item: "17.4",
    fault: "a total above the rows is not read",
    file: "packages/runtime/src/decode/more-signs.ts",
    old: "({ total }) => total === null || (rows !== null && total > rows)",
    new: "({ total }) => total === null",
  },
  {
    item: "17.5",
    fault: "a list column equals the whole list alone",
    file: "packages/core/src/values/test-value.ts",
    old: "return hasEach(cell, value, (item, wanted) => equal(item, wanted, type.items));",
    new: "return same(cell, value);",
  },
  {
    item: "17.8",
    fault: "a created row whose answer is empty has no key",
    file: "packages/runtime/src/run/effects/decode-effect.ts",
    old: "?? chosenIdentity(decoding, entity)",
    new: "",
  },
  {
    item: "LANG-044",
    fault: "a cell of a row known by its key is no list right of in",
    file: "packages/core/src/check/conditions/read-condition.ts",
    old: 'if (value.kind !== "list") return foldList([value]);',
    new: 'if (value.kind !== "list") return value;',
  },
  {
    item: "17.2",
    fault: "a get without variables is taken for the get by key",
    file: "packages/core/src/catalog/load-catalog.ts",
    old: "const cgs = withSingletons(buildDomain(doc), cml);",
    new: "const cgs = buildDomain(doc);",
  },
  {
    item: "17.6",
    fault: "text for a list argument is sent as a list of one",
    file: "packages/core/src/check/values/list-value.ts",
    old: "if (!isText || !takesAnyText(element)) return null;",
    new: "return null;",
  },
  {
    item: "17.7",
    fault: "the key of a map stays out of its row",
    file: "packages/runtime/src/decode/collection.ts",
    old: "return Object.fromEntries<Json>([...own, ...whole, [keyInto, key]]);",
    new: "return Object.fromEntries<Json>([...own, ...whole, [`${keyInto}_of`, key]]);",
  },
  {
    item: "17.9",
    fault: "a scope fills no field of its name",
    file: "packages/runtime/src/decode/decode-row.ts",
    old: "if (fillFromScope(row, field)) return;",
    new: "",
  },
  {
    item: "17.9",
    fault: "rows that stand in another do not know it",
    file: "packages/runtime/src/decode/row-edges.ts",
    old: "const scope = parentFields(context, row, owner, entity);",
    new: "const scope = {};",
  },
  {
    item: "17.11",
    fault: "what a GET changes is read as it was before",
    file: "packages/runtime/src/run/effects/perform-effect.ts",
    old: "engine.answers.discard(entryId);",
    new: 'if (sent.request.method !== "GET") engine.answers.discard(entryId);',
  },
  {
    item: "17.12",
    fault: "keys of later rows are read when it is their turn",
    file: "packages/runtime/src/run/effects/effect-per-row.ts",
    old: "await this.#checkAll(items);",
    new: "",
  },
  {
    item: "17.15",
    fault: "a condition chooses among lists that need nothing",
    file: "packages/core/src/check/reads/choose-list.ts",
    old: "({ capability }) => (meant === null && lost === null) || !isRival(capability),",
    new: "() => true,",
  },
  {
    item: "17.15",
    fault: "the mark of the default list is not read",
    file: "packages/core/src/mapping/open-lists.ts",
    old: "Number(b.name === marked) - Number(a.name === marked) ||",
    new: "",
  },
  {
    item: "17.16",
    fault: "conditions of a list are not taught",
    file: "packages/core/src/teaching/place.ts",
    old: "uses: placed(shape.uses, {",
    new: "uses: placed([], {",
  },
]);

/**
 * What an answer does not show, and so no oracle sees: exit codes, wording, what is taught. The tests that hold it,
 * by file and the words of their title; e2e/src/oracle/held-elsewhere.test.ts checks that they are there.
 */
export const heldElsewhere = Object.freeze([
  {
    item: "17.6",
    what: "the plan names text that looks like a template, with the form that fills it in",
    file: "packages/core/src/check/values/text-as-it-is.test.ts",
    test: "17.6 LANG-047: text that looks like a template",
  },
  {
    item: "17.10",
    what: "formats for programs have every row, or the command ends with 4",
    file: "apps/cli/src/commands/run-whole.test.ts",
    test: "17.10 a format for programs has every row, or the command ends with 4",
  },
  {
    item: "17.10",
    what: "without a terminal the command waits",
    file: "apps/cli/src/commands/run-whole.test.ts",
    test: "17.10 without a terminal a long run is waited for",
  },
  {
    item: "17.13",
    what: "a faulty capability is dropped alone",
    file: "packages/core/src/catalog/open/dropped-parts.test.ts",
    test: "17.13 RUN-180: what is wrong in one part drops that part and what needs it",
  },
  {
    item: "17.13",
    what: "shapes of the public format load",
    file: "packages/core/src/catalog/public-format.test.ts",
    test: "17.13: elements of an array may be written in place",
  },
  {
    item: "17.14",
    what: "abstract entities whose rows can be had are seeds",
    file: "packages/core/src/symbols/append-wave.test.ts",
    test: "17.14 TEACH-7: an abstract entity whose rows can be had is a seed",
  },
  {
    item: "17.14",
    what: "seeds that corrections name are accepted",
    file: "packages/agent-core/src/session/corrections.test.ts",
    test: "17.14: %s: each seed that a correction or a table names is accepted, and mends its program",
  },
  {
    item: "17.16",
    what: "rows filled from the printed table plan",
    file: "packages/core/src/teaching/table-sweep.test.ts",
    test: "17.16, TEACH-19: rows filled from the printed table alone",
  },
  {
    item: "17.17",
    what: "a parameter keeps its own description",
    file: "packages/core/src/teaching/notes.test.ts",
    test: "17.17: a parameter keeps its own description beside the field of its name",
  },
  {
    item: "17.17",
    what: "preconditions are shown in the row and checked by explain",
    file: "packages/core/src/teaching/effect-needs.test.ts",
    test: "17.17 the row of an effect says what must hold before it",
  },
  {
    item: "17.17",
    what: "a run refuses what a row in hand shows",
    file: "packages/runtime/src/run/effects/preconditions.test.ts",
    test: "17.17 a run refuses what a row in hand shows, before anything is sent",
  },
  {
    item: "17.18",
    what: "messages name what the session has, and corrections plan",
    file: "packages/core/src/plan/session-examples.test.ts",
    test: "17.18: examples are of the session, in the notation of the program, and plan there",
  },
  {
    item: "17.18",
    what: "every correction works in the session of its program",
    file: "packages/core/src/plan/corrections.test.ts",
    test: "17.14, 17.18: what corrections advise works in the session of their program",
  },
  {
    item: "17.19",
    what: "unused seeds are said once",
    file: "e2e/src/engine/commits.test.ts",
    test: "17.19: unused seeds are said once a session",
  },
  {
    item: "17.20",
    what: "one text of a key: values have their declared types before they have a text, and no drawn part of a key has a name beyond the BMP",
    file: "packages/runtime/src/decode/entity-row.test.ts",
    test: "17.20 RUN-046: one text form of an identity",
  },
]);
