// Every served path answers in its documented spelling alone: a proxy's rule for one exact path covers all that leads there.
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { stylesheetRoutes } from "#adapters/html/Stylesheet.ts"
import { apiRoutes } from "#adapters/http/server/RouteTable.ts"
import { stripeRoutes } from "#adapters/http/server/StripeRoutes.ts"
import { systemRoutes } from "#adapters/http/server/SystemRoutes.ts"
import { mcpRoutes } from "#adapters/mcp/McpRoute.ts"
import { serverCardRoutes } from "#adapters/mcp/ServerCardRoutes.ts"
import { operatorRoutes } from "#adapters/operator/OperatorRoute.ts"
import { sitesRoutes } from "#adapters/web/front/SitesPage.ts"
import { startRoutes } from "#adapters/web/front/StartPage.ts"
import { paymentRoutes } from "#adapters/web/payment/PaymentRoutes.ts"
import { webRoutes } from "#adapters/web/WebPages.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { exchange } from "./RawHttp.ts"

const metrics = { method: "GET", path: "/metrics" }
const routes = [
  ...apiRoutes,
  ...systemRoutes,
  ...startRoutes,
  ...sitesRoutes,
  ...stylesheetRoutes,
  ...paymentRoutes,
  ...webRoutes,
  ...stripeRoutes,
  ...mcpRoutes,
  ...serverCardRoutes,
  ...operatorRoutes,
  metrics
]

const service = RunningService.layer({
  OPERATOR_TOKEN: "an-operator-token-for-paths",
  PAYMENTS: "stripe",
  STRIPE_SECRET_KEY: "sk_test_paths",
  STRIPE_WEBHOOK_SECRET: "whsec_cGF0aHM="
})

/** The last letter of the last fixed segment, in another spelling. */
const encodeLetter = (path: string): string =>
  path.replace(/([a-z])(?=[^a-z:]*(?:\/:\w+)?$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

const spellings: ReadonlyArray<readonly [name: string, spell: (path: string) => string]> = [
  ["a slash at the end", (path) => `${path}/`],
  ["a slash at the beginning", (path) => `/${path}`],
  ["a slash in between", (path) => path.replace(/(.)\//, "$1//")],
  ["a semicolon", (path) => `${path};x`],
  ["a semicolon alone", (path) => `${path};`],
  ["a fragment", (path) => `${path}#x`],
  ["an encoded letter", encodeLetter],
  ["an encoded slash", (path) => path.replace(/(\/\w+)\/(?=\w)/, "$1%2F")],
  ["another case", (path) => path.replace(/[a-z]/, (letter) => letter.toUpperCase())],
  ["a segment that leads back", (path) => `/x/..${path}`],
  ["a segment of one dot", (path) => `/.${path}`]
]

layer(service)("paths", (it) => {
  const ask = Effect.fnUntraced(function* (method: string, target: string) {
    const { port } = yield* RunningService.RunningService
    const length = method === "POST" ? "Content-Length: 0\r\n" : ""
    const head = `${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${length}\r\n`
    const { status, body } = yield* exchange(port, head)
    // People's paths say the same by a page.
    if (body.includes("There is no page at this address.")) return { status, code: "route_not_found" }
    return { status, code: body.startsWith("{") ? JSON.parse(body).error?.code : undefined }
  })

  it.effect.each(routes.map(({ method, path }) => [method, path] as const))("%s %s", ([method, path]) =>
    Effect.gen(function* () {
      const { code } = yield* ask(method, path.replace(/:\w+/g, "none"))
      expect(code).not.toBe("route_not_found")
      for (const [name, spell] of spellings) {
        if (spell(path) === path) continue
        const target = spell(path).replace(/:\w+/g, "none")
        expect(yield* ask(method, target), `${name}: ${target}`).toEqual({ status: 404, code: "route_not_found" })
      }
    })
  )

  it.effect("an encoded parameter is still a parameter", () =>
    Effect.gen(function* () {
      const plain = yield* ask("GET", "/api/v1/agent/orders/none")
      expect(plain.code).not.toBe("route_not_found")
      for (const id of ["n%6Fne", "a%2Fb", "orders%3Bx", "cat%61log?x=%66"]) {
        expect(yield* ask("GET", `/api/v1/agent/orders/${id}`), id).toEqual(plain)
      }
    })
  )

  it.effect("a query needs the exact path too", () =>
    Effect.gen(function* () {
      expect((yield* ask("GET", "/healthz?a=/")).status).toBe(200)
      expect((yield* ask("GET", "/healthz/?a=1")).status).toBe(404)
    })
  )
})
