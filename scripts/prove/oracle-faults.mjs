/**
 * What takes a mend out again: an exact text of a file, and what stands in its place. The oracle must find each
 * of them in some worlds.
 */
export const oracleFaults = Object.freeze([
  {
    item: "17.1",
    fault: "a relation inside rows does not send the parent's get",
    file: "packages/runtime/src/execute/relation-targets.ts",
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
    file: "packages/runtime/src/execute/list-reader.ts",
    old: "return sign === null ? state : { ...state, unread: unreadText(list, sign, state) };",
    new: "return state;",
  },
  {
    item: "17.4",
    fault: "a total above the rows is not read",
    file: "packages/runtime/src/paging/more-signs.ts",
    old: "if (total > answer.rows) add(key, total);",
    new: "",
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
    file: "packages/runtime/src/execute/effects/decode-effect.ts",
    old: "?? chosenIdentity(decoding, entity)",
    new: "",
  },
  {
    item: "LANG-044",
    fault: "a cell of a row known by its key is no list right of in",
    file: "packages/core/src/check/conditions/read-members.ts",
    old: 'if (value.kind !== "list") return foldList([value]);',
    new: 'if (value.kind !== "list") return value;',
  },
]);
