import { preset } from "@plasm/vitest";

export default preset();
