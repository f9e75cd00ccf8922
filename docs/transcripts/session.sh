#!/usr/bin/env bash
# A session of MCP 2025-11-25 by curl alone. Usage: session.sh http://127.0.0.1:3000
set -euo pipefail
url=$1/mcp
types=(-H 'content-type: application/json' -H 'accept: application/json, text/event-stream')

# Names the connection.
initialize='{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"curl","version":"1"}}}'
session=$(curl -sS -o /dev/null -w '%header{mcp-session-id}' "${types[@]}" -d "$initialize" "$url")
printf '> %s\n< mcp-session-id: %s\n' "$initialize" "$session"

# Calls a tool; an answer may be a stream, whose last message is the result. Notices of progress are left out.
call() {
  local message="{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"tools/call\",\"params\":{\"name\":\"$2\",\"arguments\":$3}}"
  local answer
  answer=$(curl -sS "${types[@]}" -H 'mcp-protocol-version: 2025-11-25' \
    -H "mcp-session-id: $session" -d "$message" "$url" |
    sed -e 's/^data: //' -e '/^event:/d' -e '/^$/d' -e '/"method":"notifications/d')
  printf '\n> %s\n< %s\n' "$message" "$answer"
}

call 1 discover_capabilities '{"intent":"long boats at the quay"}'
call 2 plasm_context '{"intent":"long boats","seeds":[{"api":"quay","entity":"Boat"}]}'
call 3 plasm '{"logical_session_ref":"s0","program":"Boat{length>12}[id, name, length]"}'
call 4 plasm_run '{"logical_session_ref":"s0","plan_commit_ref":"pc0","wait":false}'
call 5 plasm_run '{"logical_session_ref":"s0","program":"wait(s0_o1)","wait":true}'
