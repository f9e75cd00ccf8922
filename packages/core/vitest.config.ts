import { preset } from "@plasm/vitest";

// Core is pure, so its test files may share what one of them has loaded.
export default preset({ isolate: false });
