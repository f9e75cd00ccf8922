import { describe, expect, it } from "vitest";
import { toldOf, type ToldRow } from "../../test/told.ts";

const rows: readonly ToldRow[] = [
  [
    "Boat.sort()",
    "syntax at «)»: ) cannot stand here. [here may stand a column, as in .sort(p, desc)]",
  ],
  [
    "Boat.sort(-length)",
    "syntax at «-»: A minus sorts nothing. [write .sort(length desc)] → Boat.sort(length desc)",
  ],
  [
    "Boat.sort(- length, name)",
    "syntax at «-»: A minus sorts nothing. [write .sort(length desc)] → Boat.sort(length desc, name)",
  ],
  [
    "Boat.sort(length descending)",
    "syntax at «descending»: descending is no direction. [write asc or desc: .sort(length desc)] → Boat.sort(length desc)",
  ],
  [
    "Boat.sort(length ASC)",
    "syntax at «ASC»: ASC is no direction. [write asc or desc: .sort(length asc)] → Boat.sort(length asc)",
  ],
  [
    "Boat.sort(length desc, asc)",
    "syntax at «asc»: length has a direction already. [write one of asc and desc after each key, as in .sort(p, p desc)]",
  ],
  [
    "Boat.sort(length down)",
    "syntax at «down»: down cannot stand here. [here may stand asc, desc, a comma or ), as in .sort(p, p desc)]",
  ],
  [
    "Boat.sort(key=length)",
    "syntax at «key»: sort takes columns without a name in front. [write .sort(length)] → Boat.sort(length)",
  ],
  [
    "Boat.sort(by=length, name)",
    "syntax at «by»: sort takes columns without a name in front. [write .sort(length)] → Boat.sort(length, name)",
  ],
  [
    "Boat.sort(x=length)",
    "syntax at «=»: = cannot stand here. [here may stand asc, desc, a comma or ), as in .sort(p, p desc)]",
  ],
  [
    'Boat.sort("length")',
    'syntax at «"length"»: Names stand without quotes. [write length] → Boat.sort(length)',
  ],
  [
    "Boat.sort(5)",
    "syntax at «5»: 5 cannot stand here. [here may stand a column, as in .sort(p, p desc)]",
  ],
  [
    "Boat.sort(a.b DESC, c)",
    "syntax at «DESC»: DESC is no direction. [write asc or desc: .sort(a.b desc)] → Boat.sort(a.b desc, c)",
  ],
];

describe("LANG-014, errors section 2: sort and its directions", () => {
  it.each(rows)("%j", (program, ...errors) => {
    expect(toldOf(program)).toEqual(errors);
  });
});
