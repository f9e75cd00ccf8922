import type { JSONRPCMessage, Server, Transport } from "@modelcontextprotocol/server";

/** Has a server send every message as `change` gives it: where the SDK leaves no other place for that. */
export function onSend(server: Server, change: (message: JSONRPCMessage) => JSONRPCMessage): void {
  const connect = server.connect.bind(server);
  server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(change(message), options);
    return connect(transport);
  };
}
