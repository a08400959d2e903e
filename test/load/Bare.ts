// The floor: reads a body, parses it, answers a body of an order's size. Run by `Servers` as a process of its own.
import { createServer } from "node:http"

const answer = JSON.stringify({ ok: true, padding: "x".repeat(900) })

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString())
    response.writeHead(request.method === "POST" ? 201 : 200, { "content-type": "application/json" }).end(answer)
  })
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.stdout.write(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : ""}\n`)
})

process.once("SIGTERM", () => {
  server.close()
  server.closeAllConnections()
})
