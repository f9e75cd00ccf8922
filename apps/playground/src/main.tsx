import "./browser/globals.ts";
import "@plasm/console/style.css";
import "./style.css";
import { render } from "preact";
import { Playground } from "./app.tsx";

const place = document.getElementById("app");
if (place !== null) render(<Playground />, place);
