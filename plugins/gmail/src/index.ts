export { gmail } from "./gmail.ts";
