/** Parts of the console for the other page that shows programs: the playground. */
export { mistakesIn, plainText, showable } from "./api.ts";
export { EffectList } from "./pages/planned-effects.tsx";
export { planIn, type ShownPlan } from "./card/shown-plan.ts";
export { groupingOf } from "./pages/group-bars.tsx";
export { Mistakes } from "./pages/mistakes.tsx";
export { type PlanDocument, PlanView } from "./pages/plan-view.tsx";
export { Rows } from "./pages/program-rows.tsx";
export { mistakesOfText } from "./pages/program-session.ts";
export { namesInPrompt, offersAt } from "./pages/taught-names.ts";
export { ProgramField } from "./parts/program-field.tsx";
export { ThemeSwitch } from "./parts/theme.tsx";
export { Badge, Card, Table } from "./parts/ui.tsx";
