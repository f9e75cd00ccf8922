import { preset } from "@plasm/tsup";

export default preset();
