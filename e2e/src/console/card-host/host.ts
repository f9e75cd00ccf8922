import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

/** What a client that shows cards does with one: a frame without rights, and the bridge of the extension. */
interface CardHost {
  /** what the card said for its person */
  readonly said: string[];
  show(html: string, args: object, result: object, theme: "light" | "dark"): Promise<void>;
}

declare global {
  interface Window {
    cardHost: CardHost;
  }
}

/** As clients have it for a card that asks for no addresses. */
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'none'";

const said: string[] = [];

window.cardHost = {
  said,
  async show(html, args, result, theme) {
    document.querySelector("iframe")?.remove();
    const frame = document.createElement("iframe");
    frame.title = "card";
    frame.setAttribute("sandbox", "allow-scripts");
    frame.width = "100%";
    frame.height = "900";
    const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
    frame.srcdoc = html.replace("<head>", `<head>${policy}`);
    document.body.append(frame);
    const { contentWindow } = frame;
    if (contentWindow === null) throw new Error("There is no frame");
    const info = { name: "a client", version: "1" };
    const bridge = new AppBridge(null, info, { message: {} }, { hostContext: { theme } });
    bridge.onmessage = async ({ content }) => {
      for (const part of content) if (part.type === "text") said.push(part.text);
      return {};
    };
    const ready = new Promise<void>((resolve) => (bridge.oninitialized = () => resolve()));
    await bridge.connect(new PostMessageTransport(contentWindow, contentWindow));
    await ready;
    await bridge.sendToolInput({ arguments: { ...args } });
    await bridge.sendToolResult(result as Parameters<AppBridge["sendToolResult"]>[0]);
  },
};
