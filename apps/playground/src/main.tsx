import "./browser/globals.ts";
import { openInPageApis } from "@plasm/sample-apis/in-page";
import domain from "../../../packages/testkit/catalogs/quay/domain.yaml?raw";
import mappings from "../../../packages/testkit/catalogs/quay/mappings.yaml?raw";
import { openPageEngine } from "./engine/open-engine.ts";

async function go() {
const apis = openInPageApis();
const session = await openPageEngine([
  { texts: { entryId: "quay", domain, mappings }, api: apis.fetch.quay },
]);
const context = await session.context({ intent: "try", seeds: [{ entity: "Boat" }], notation: "names" });
const plan = await session.plan("Boat{state=lost}.limit(2)[id, name]");
const run = await session.run(plan);
document.body.textContent = [context.text, plan.text, run.text].join("\n\n");
}
void go().catch((e)=>{document.body.textContent=String(e.stack)});
