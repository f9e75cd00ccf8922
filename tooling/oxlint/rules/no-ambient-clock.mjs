/** Pure code gets its clock and its randomness as arguments: it never asks the machine for them. */
const refused = new Set([
  "Date.now",
  "Math.random",
  "performance.now",
  "crypto.randomUUID",
  "crypto.getRandomValues",
]);

const message = (what) =>
  `No \`${what}\` in pure code: take the clock or the random source as an argument.`;

export const noAmbientClock = {
  create: (context) => ({
    MemberExpression: (node) => {
      if (node.object.type !== "Identifier" || node.computed) return;
      const name = `${node.object.name}.${node.property.name}`;
      if (refused.has(name)) context.report({ node, message: message(name) });
    },
    NewExpression: (node) => {
      if (isDate(node.callee) && node.arguments.length === 0) {
        context.report({ node, message: message("new Date()") });
      }
    },
    CallExpression: (node) => {
      if (isDate(node.callee)) context.report({ node, message: message("Date()") });
    },
    ImportDeclaration: (node) => {
      if (/^(node:)?crypto$/.test(node.source.value)) {
        context.report({ node, message: message(node.source.value) });
      }
    },
  }),
};

const isDate = (node) => node.type === "Identifier" && node.name === "Date";
