import { App as McpApp } from "@modelcontextprotocol/ext-apps";
import { render } from "preact";
import "../style.css";
import { PlanCard } from "./plan-card.tsx";
import { planIn, type ShownPlan } from "./shown-plan.ts";

const place = document.getElementById("card");
const host = new McpApp({ name: "plasm", version: "1" }, {});

function show(plan: ShownPlan | null): void {
  if (place === null) return;
  const ask = async (text: string): Promise<boolean> => {
    const told = await host.sendMessage({ role: "user", content: [{ type: "text", text }] });
    return told.isError !== true;
  };
  render(<PlanCard plan={plan} ask={ask} />, place);
}

/** Light or dark, as the client around it is. */
function follow({ theme }: { readonly theme?: "light" | "dark" | undefined }): void {
  if (theme !== undefined) document.documentElement.dataset["theme"] = theme;
}

host.ontoolresult = (result) => show(planIn(result));
host.onhostcontextchanged = follow;
show(null);
await host.connect();
follow(host.getHostContext() ?? {});
