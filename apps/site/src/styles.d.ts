/** Vite makes a style sheet of it. */
declare module "*.css";
