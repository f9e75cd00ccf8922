import type { RunObserver } from "@plasm/runtime";

/** One run watched by two. */
export const observeBoth = (a: RunObserver, b: RunObserver): RunObserver => ({
  node: (node) => {
    const [endA, endB] = [a.node(node), b.node(node)];
    return (how) => {
      endA(how);
      endB(how);
    };
  },
  request: (sent) => {
    const [ofA, ofB] = [a.request(sent), b.request(sent)];
    return {
      headers: [...ofA.headers, ...ofB.headers],
      ended: (status, ms) => {
        ofA.ended(status, ms);
        ofB.ended(status, ms);
      },
    };
  },
});
