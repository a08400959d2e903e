// A proxy in front of the service that can lose an answer: the service has answered, and the client's connection breaks instead.
import { createServer, request, type Server } from "node:http"
import { Effect } from "effect"

export interface LosingProxy {
  readonly url: string
  /** Loses the answer to the next POST whose body matches. */
  readonly loseNext: (body: RegExp) => void
  /** How many answers it has lost. */
  readonly lost: () => number
}

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Serves until the scope closes. */
export const losingProxy = (target: string) =>
  Effect.acquireRelease(
    Effect.callback<LosingProxy & { readonly close: () => void }>((resume) => {
      let next: RegExp | undefined
      let lost = 0
      const server = createServer((incoming, outgoing) => {
        const chunks: Array<Buffer> = []
        incoming.on("data", (chunk) => chunks.push(chunk))
        incoming.on("end", () => {
          const body = Buffer.concat(chunks)
          const losing = incoming.method === "POST" && next?.test(body.toString()) === true
          if (losing) next = undefined
          const { method, headers } = incoming
          const onward = request(new URL(incoming.url ?? "/", target), { method, headers }, (answer) => {
            if (losing) {
              answer.resume().on("end", () => {
                lost += 1
                outgoing.destroy()
              })
            } else {
              outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
              answer.pipe(outgoing)
            }
          })
          onward.on("error", () => outgoing.destroy())
          onward.end(body)
        })
      })
      server.listen(0, "127.0.0.1", () =>
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${portOf(server)}`,
            loseNext: (body) => {
              next = body
            },
            lost: () => lost,
            close: () => {
              server.close()
              server.closeAllConnections()
            }
          })
        )
      )
    }),
    ({ close }) => Effect.sync(close)
  )
