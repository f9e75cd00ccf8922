import { preset } from "@plasm/vitest";

// No file keeps state in its modules, so test files may share what one of them has loaded.
export default preset({ isolate: false });
