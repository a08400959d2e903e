// A server at the address of the API that responds as a test says.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Effect } from "effect"

export type Responder = (request: IncomingMessage, response: ServerResponse) => void

/** Serves until the scope closes. */
export const serveFakeApi = (answer: Responder) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer(answer)
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close: () => server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

export const json =
  (status: number, body: unknown): Responder =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
