// The upper bound for MCP: a server of the same SDK with one tool that does nothing. `Servers` runs it as a separate process.
import { createServer } from "node:http"
import { Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server"

const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" }

const exchange = async (message: unknown): Promise<Response> => {
  const server = new Server({ name: "empty", version: "1.0.0" }, { capabilities: { tools: {} } })
  server.setRequestHandler("tools/call", () => ({ content: [{ type: "text", text: "{}" }] }))
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const request = new Request("http://mcp.invalid/mcp", { method: "POST", headers })
  const response = await transport.handleRequest(request, { parsedBody: message })
  await server.close()
  return response
}

const listener = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", async () => {
    const answer = await exchange(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
  })
})

listener.listen(0, "127.0.0.1", () => {
  const address = listener.address()
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : ""}\n`)
})

process.once("SIGTERM", () => {
  listener.close()
  listener.closeAllConnections()
})
