import { checkProperty } from "@plasm/testkit";
import { valuesAreComputed } from "./test/properties/computed.ts";
const runs = Number(process.argv[2] ?? 500);
for (let s = 1; s <= Number(process.argv[3] ?? 3); s++) {
  const r: any = await checkProperty(valuesAreComputed, runs, s * 7919 + (Date.now() % 1000));
  if (r.failure) console.log(String(r.failure).slice(0, 1800));
  else console.log("ok", s);
}
