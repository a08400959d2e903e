// A proxy as the manual's example of nginx has it: it terminates connections in front of the service and says whom a request is from.
import { Agent, createServer, request } from "node:http"
import type { AddressInfo } from "node:net"

export interface Proxy {
  readonly port: number
  /** Where it forwards to from now on. */
  readonly forwardTo: (port: number) => void
  readonly close: () => void
}

export const startProxy = (): Promise<Proxy> =>
  new Promise((resolve) => {
    let target = 0
    // Like nginx, it holds no request back.
    const agent = new Agent({ keepAlive: true })
    const server = createServer((incoming, outgoing) => {
      const headers = { ...incoming.headers, "x-forwarded-for": incoming.socket.remoteAddress ?? "" }
      const { method, url: path } = incoming
      const forwarded = request({ host: "127.0.0.1", port: target, agent, method, path, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(outgoing)
      })
      forwarded.on("error", () => {
        if (!outgoing.headersSent) outgoing.writeHead(502)
        outgoing.end()
      })
      outgoing.on("close", () => {
        // After a whole answer the connection already serves another request.
        if (!outgoing.writableFinished) forwarded.destroy()
      })
      incoming.pipe(forwarded)
    })
    server.listen(0, "0.0.0.0", () => {
      const { port } = server.address() as AddressInfo // it listens on a port
      resolve({
        port,
        forwardTo: (next) => {
          target = next
        },
        close: () => {
          server.closeAllConnections()
          server.close()
          agent.destroy()
        }
      })
    })
  })
