// Every route of the API definition with every kind of credential, generated so that a new route is covered; and keys that are issued and
// revoked at once.
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { expect } from "vitest"
import { MAX_ACTIVE_KEYS } from "#core/domain/access/ApiKey.ts"
import { formatKey, KEY_ENTROPY_BYTES } from "#core/domain/access/ApiKeyFormat.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { countEach } from "../core/BookReads.ts"
import { buyer, by, issueKey } from "./Buyers.ts"
import { call, type HttpResponse, refusalIn } from "./HttpCalls.ts"
import { bodyFor, pathWith, type Route, routes, title } from "./Routes.ts"
import { LogLines, RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"

const send = (route: Route, headers: Readonly<Record<string, string>>) => {
  const body = bodyFor(route)
  return call(route.method, pathWith(route, "1"), { headers, ...(body === undefined ? {} : { body }) })
}

/** A key where it is not read, and how the place is told. */
const dressesOf = (key: string): ReadonlyArray<readonly [Readonly<Record<string, string>>, place: string]> => [
  [{ authorization: `Basic ${btoa(`${key}:`)}` }, "the Authorization header with the scheme Basic"],
  [{ authorization: `Token ${key}` }, "the Authorization header with another scheme"],
  [{ authorization: key }, "the Authorization header without a scheme"],
  [{ "x-api-key": key }, "the header X-API-Key"]
]

const misplaced = (place: string) => ({
  recovery: "correct",
  message: expect.stringMatching(
    new RegExp(`^A key came in ${place}: send it as \`Authorization: Bearer …\`\\. It is sn_(live|test)_…\\w{4}\\.$`)
  )
})

const routeNamed = (wanted: string): Route => {
  const found = routes.find(({ name }) => name === wanted)
  if (found === undefined) throw new Error(`There is no route ${wanted}.`)
  return found
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

/** Unknown keys, and two keys of one account. */
const issueKeys = Effect.gen(function* () {
  const { revoke } = yield* Credentials
  const keySets = yield* Effect.all(
    (["live", "sandbox"] as const).map((mode) =>
      Effect.gen(function* () {
        const full = yield* buyer({ mode })
        const revoked = yield* issueKey(full.accountId, { mode })
        yield* revoke(revoked.keyId, by)
        const readOnly = yield* issueKey(full.accountId, { mode, scopes: ["read"] })
        const orderOnly = yield* issueKey(full.accountId, { mode, scopes: ["order"] })
        const unknown = formatKey(mode, crypto.getRandomValues(new Uint8Array(KEY_ENTROPY_BYTES)))
        const last = full.key.endsWith("0") ? "1" : "0"
        return {
          revoked: revoked.key,
          read: readOnly.key,
          order: orderOnly.key,
          unknown,
          misspelt: `${full.key.slice(0, -1)}${last}`,
          full: full.key
        }
      })
    )
  )
  return keySets
})

interface Refused {
  readonly status: number
  readonly code: string
}

const expectRefused = (answer: HttpResponse, { status, code }: Refused, challenge: string): void => {
  const error = refusalIn(answer)
  expect([error.status, error.code, error.retryable]).toEqual([status, code, false])
  expect(answer.headers.get("www-authenticate")).toMatch(new RegExp(`^Bearer realm="backlinks"${challenge}`))
  expect(answer.text).not.toMatch(/sn_(live|test)_\w/)
}

const METADATA_PATH = "/.well-known/oauth-protected-resource/mcp"

/** The end of a challenge: where the client finds the authorization server, if there is one. */
const metadata = Effect.map(call("GET", METADATA_PATH), ({ status }) =>
  status === 200 ? `, resource_metadata="http://[^"]+${METADATA_PATH.replace(".", "\\.")}"$` : "$"
)

const MISSING = { status: 401, code: "missing_api_key" }
const INVALID = { status: 401, code: "invalid_api_key" }
const REVOKED = { status: 401, code: "revoked_api_key" }
const WRONG_SCOPE = { status: 403, code: "insufficient_scope" }

const NO_FAULTS = "none of these requests was logged as a fault of the service"
const noFaults = Effect.map(LogLines, ({ lines }) => expect(lines).toEqual([]))

export const accessSuite = scenarios("access", {}, (it) => {
  for (const route of routes) {
    it.effect(`${title(route)} with every kind of credential`, () =>
      Effect.gen(function* () {
        const { books } = yield* RunningService
        const keySets = yield* issueKeys
        const end = yield* metadata
        const before = yield* books
        expectRefused(yield* send(route, {}), MISSING, `, scope="read"${end}`)
        for (const { full, misspelt, unknown, revoked, read, order } of keySets) {
          for (const authorization of ["Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "Negotiate"]) {
            const refused = yield* send(route, { authorization })
            expectRefused(refused, MISSING, `, scope="read"${end}`)
            expect(refusalIn(refused)).toMatchObject({
              recovery: "human",
              message: expect.not.stringContaining("came")
            })
          }
          for (const [dress, place] of dressesOf(full)) {
            const refused = yield* send(route, dress)
            expectRefused(refused, MISSING, `, scope="read"${end}`)
            expect(refusalIn(refused)).toMatchObject(misplaced(place))
          }
          for (const key of [misspelt, unknown, `${full}0`, full.slice(0, -1), full.toUpperCase(), "sn_live_", "x"]) {
            expectRefused(yield* send(route, bearer(key)), INVALID, ', error="invalid_token"')
          }
          expectRefused(yield* send(route, bearer(revoked)), REVOKED, ', error="invalid_token"')
          const [wrong, right] = route.scope === "order" ? [read, order] : [order, read]
          const refused = yield* send(route, bearer(wrong))
          expectRefused(refused, WRONG_SCOPE, `, error="insufficient_scope", scope="read order"${end}`)
          const held = route.scope === "order" ? ["read"] : ["order"]
          expect(refusalIn(refused).details).toEqual({ required: route.scope, held })
          expect(yield* books).toBe(before)
          for (const key of [right, full]) {
            const { status, text } = yield* send(route, bearer(key))
            expect([401, 403].includes(status) || status >= 500, text).toBe(false)
          }
          expect(yield* Effect.map(send(route, { authorization: `bearer ${right}` }), ({ status }) => status)).not.toBe(
            401
          )
        }
      })
    )
  }

  it.effect(NO_FAULTS, () => noFaults)
})

/** What several instances must agree on. */
export const revokedKeysSuite = scenarios("revoked keys", {}, (it) => {
  it.effect("a revoked key places no order from then on, even in requests in progress", () =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const { revoke } = yield* Credentials
      const who = yield* buyer()
      const ask = send(routeNamed("getBalance"), bearer(who.key))
      // Every instance has the key in its cache now.
      for (const { status } of yield* concurrently(times(6, () => ask))) expect(status).toBe(200)
      const [answers] = yield* Effect.all([concurrently(times(50, () => ask)), revoke(who.keyId, by)], {
        concurrency: 2
      })
      expect(
        Object.keys(countEach(answers.map(({ status }) => status))).every((status) => /^(200|401)$/.test(status))
      ).toBe(true)
      const before = yield* books
      for (const _ of times(4, () => null)) {
        expectRefused(yield* send(routeNamed("createOrder"), bearer(who.key)), REVOKED, "")
      }
      expect(yield* books).toBe(before)
      // Every other request is refused within a second, on every instance.
      yield* Effect.promise(() => sleep(1_000))
      for (const answer of yield* concurrently(times(4, () => ask))) expectRefused(answer, REVOKED, "")
    })
  )

  it.effect(
    `of 20 keys issued at once, live and sandbox, an account gets ${MAX_ACTIVE_KEYS}; revoking one allows another`,
    () =>
      Effect.gen(function* () {
        const { revoke, list } = yield* Credentials
        const { accountId, keyId } = yield* buyer()
        const issue = (nth: number) => Effect.result(issueKey(accountId, { mode: nth % 2 === 0 ? "live" : "sandbox" }))
        const results = yield* concurrently(times(20, issue))
        expect(results.filter(({ _tag }) => _tag === "Success").length).toBe(MAX_ACTIVE_KEYS - 1)
        expect((yield* issue(0))._tag).toBe("Failure")
        yield* revoke(keyId, by)
        const again = yield* concurrently(times(5, issue))
        expect(again.filter(({ _tag }) => _tag === "Success").length).toBe(1)
        const active = (yield* list(accountId)).filter(({ key }) => key.revokedAtMs === null)
        expect(active.length).toBe(MAX_ACTIVE_KEYS)
      })
  )

  it.effect(NO_FAULTS, () => noFaults)
})
