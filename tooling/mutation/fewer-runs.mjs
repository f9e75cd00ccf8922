// Mutants are many: a property gets a moment of each, from the same seed.
import fc from "fast-check";

fc.configureGlobal({ seed: 1, interruptAfterTimeLimit: 60 });
