import {
  isJSONRPCErrorResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server";

/** A failed resource read in the 2025 protocols; 2026-07-28 uses invalid params (ERR-031). */
const RESOURCE_NOT_FOUND = -32_002;

/** Only a failed read carries the error object as data. */
const isFailedRead = (data: unknown): boolean =>
  typeof data === "object" && data !== null && "type" in data && "status" in data;

function restored(message: JSONRPCMessage): JSONRPCMessage {
  if (!isJSONRPCErrorResponse(message)) return message;
  const { code, data } = message.error;
  if (code !== ProtocolErrorCode.InvalidParams || !isFailedRead(data)) return message;
  return { ...message, error: { ...message.error, code: RESOURCE_NOT_FOUND } };
}

/**
 * Makes a server of the 2025 protocols send failed resource reads as -32002. The SDK turns that code
 * into -32602 in every era, so it is put back where messages leave.
 */
export function keepLegacyNotFound(server: Server): void {
  onSend(server, restored);
}

/** Has a server send every message as `change` gives it: where the SDK leaves no other place for that. */
export function onSend(server: Server, change: (message: JSONRPCMessage) => JSONRPCMessage): void {
  const connect = server.connect.bind(server);
  server.connect = (transport: Transport) => {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(change(message), options);
    return connect(transport);
  };
}
