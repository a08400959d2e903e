// Keys, webhook secrets and payment tokens do not leak: after a session with every kind of fault, none of them is in any log, span, error
// or row, and tokens are only where a human or the owner's agent needs them.
import { Effect, Ref } from "effect"
import { expect } from "vitest"
import { ProcessorFaults } from "#bench/service/FaultyProcessor.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { SweepQuotes } from "#core/usecases/ordering/SweepQuotes.ts"
import { buyer, by, cart, freshKey, issueKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { OrderBookFaults } from "./FaultyOrderBook.ts"
import { BALANCE, call, type HttpResponse, ORDERS, placedBy, postOrder, press, QUOTES, WEBHOOKS } from "./HttpCalls.ts"
import { MovableClock } from "./MovableClock.ts"
import { bodyFor, pathWith, routes } from "./Routes.ts"
import { LogLines, RunningService } from "./RunningService.ts"
import { observed } from "./ScenarioSuite.ts"
import { SpanRecorder } from "./SpanRecorder.ts"

const tokenOf = (paymentUrl: string | null): string => new URL(paymentUrl ?? "").pathname.replace("/pay/", "")

const sha256Hex = (text: string) =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (digest) => Buffer.from(digest).toString("hex")
  )

/** Every route with a missing, wrong or misplaced key, and with a wrong id or body. */
const mistakes = Effect.fnUntraced(function* (key: string, wrongKeys: ReadonlyArray<string>) {
  const answers: Array<HttpResponse> = []
  for (const route of routes) {
    const path = pathWith(route, "none")
    const body = bodyFor(route)
    const sent = body === undefined ? {} : { body }
    answers.push(yield* call(route.method, `${path}${path.includes("?") ? "&" : "?"}key=${key}`, { key, ...sent }))
    answers.push(yield* call(route.method, `${path}${path.includes("?") ? "&" : "?"}key=${key}`, sent))
    answers.push(yield* call(route.method, `${path}${path.includes("?") ? "&" : "?"}${key}`, { key, ...sent }))
    for (const wrong of wrongKeys) answers.push(yield* call(route.method, path, { key: wrong, ...sent }))
    for (const misplaced of [{ api_key: key }, { [key]: 1 }, `{"${key}":1,"${key}":2}`]) {
      if (route.method !== "GET") answers.push(yield* call(route.method, path, { key, body: misplaced }))
    }
    answers.push(yield* call(route.method === "GET" ? "PUT" : "PATCH", path, { key }))
  }
  for (const headers of [
    { authorization: key },
    { authorization: `Token ${key}` },
    { authorization: `Basic ${btoa(`${key}:`)}` },
    { authorization: `Basic ${btoa(`user:${key}`)}` },
    { "x-api-key": key },
    { "api-key": `Bearer ${key}` },
    { [key]: key }
  ]) {
    answers.push(yield* call("GET", BALANCE, { headers }))
    answers.push(yield* call("POST", ORDERS, { headers, body: cart([]) }))
    answers.push(yield* call("GET", `${BALANCE}/none`, { headers }))
  }
  for (const query of [`?api_key=${key}`, `?token=${key}`, `?a=Bearer+${key}`, `?%73n=${key}`, `?k=%73${key.slice(1)}`])
    answers.push(yield* call("GET", `${BALANCE}${query}`), yield* call("POST", `${ORDERS}${query}`, { body: cart([]) }))
  answers.push(yield* postOrder(key, "{", key), yield* postOrder(key, cart([]), key))
  return answers
})

/** Calls while the store or the payment processor fails. */
const mishaps = Effect.fnUntraced(function* (key: string, siteId: number) {
  const { down } = yield* ProcessorFaults
  const { injectFaults } = yield* OrderBookFaults
  const { advance } = yield* MovableClock
  const { sweep } = yield* SweepQuotes
  const answers: Array<HttpResponse> = []
  yield* Ref.set(down, true)
  answers.push(yield* postOrder(key, cart([item(siteId)]), freshKey()))
  yield* advance("1 minute")
  yield* sweep()
  yield* Ref.set(down, false)
  for (const fate of ["is refused", "breaks"] as const) {
    yield* injectFaults(fate)
    answers.push(yield* postOrder(key, cart([item(siteId)])))
  }
  return answers
})

/** A session: its secrets, and every response that must contain none of them. */
const session = Effect.gen(function* () {
  const { revoke } = yield* Credentials
  const { port } = yield* RunningService
  const { siteId } = yield* listSite()
  const live = yield* buyer({ creditCents: 600 })
  const test = yield* issueKey(live.accountId, { mode: "sandbox" })
  const revoked = yield* issueKey(live.accountId)
  const readOnly = yield* issueKey(live.accountId, { scopes: ["read"] })
  yield* revoke(revoked.keyId, by)
  const misspelt = `${live.key.slice(0, -1)}${live.key.endsWith("0") ? "1" : "0"}`
  const secrets: Array<string> = []
  const tokens: Array<string> = []
  for (const { key } of [live, test]) {
    const body = { url: `http://127.0.0.1:${port}/healthz`, events: ["order.accepted"] }
    const { secret } = JSON.parse((yield* call("POST", WEBHOOKS, { key, body })).text)
    secrets.push(secret, yield* sha256Hex(secret))
    for (const ending of ["pay", "abandon"] as const) {
      const order = cart([item(siteId), item(siteId)], key === test.key ? { sandbox_credit_cents: 1 } : {})
      const placed = placedBy(yield* postOrder(key, order, `${ending}-${key.slice(0, 7)}`))
      yield* postOrder(key, order, `${ending}-${key.slice(0, 7)}`)
      tokens.push(tokenOf(placed.payment_url))
      yield* call("GET", placed.payment_url ?? "")
      yield* press(ending, placed.payment_url ?? "")
      yield* call("POST", `${QUOTES}/${placed.quote_id}/abandon`, { key })
      yield* call("GET", `${placed.payment_url}x`)
      yield* call("PUT", placed.payment_url ?? "")
    }
    for (const path of [ORDERS, BALANCE, `${BALANCE}/ledger`, WEBHOOKS]) yield* call("GET", path, { key })
  }
  const keys = [live.key, test.key, revoked.key, readOnly.key, misspelt]
  const wrong = yield* mistakes(live.key, [misspelt, revoked.key, readOnly.key])
  secrets.push(...encoded(live.key))
  return { keys, secrets, tokens, answers: [...wrong, ...(yield* mishaps(live.key, siteId))] }
})

/** The random middle of a key would be as bad as the key. */
const kernel = (key: string): string => key.slice("sn_live_".length, -6)

/** A key is legible in the credentials of another scheme. */
const encoded = (key: string): ReadonlyArray<string> => [btoa(`${key}:`), btoa(`user:${key}`)]

const found = (secrets: ReadonlyArray<string>, text: string): ReadonlyArray<string> =>
  secrets.filter((secret) => text.includes(secret))

/** The lines of these texts that contain a secret, each kind once, with the secret masked. */
const leaks = (secrets: ReadonlyArray<string>, texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const kinds = texts.flatMap((text) =>
    found(secrets, text).flatMap((secret) =>
      text
        .split("\n")
        .filter((line) => line.includes(secret))
        .map((line) => line.trim().replaceAll(secret, "…"))
    )
  )
  return [...new Set(kinds.map((line) => line.replaceAll(/:\d+/g, "")))]
}

export const secretLeaksSuite = observed("secret leaks", {}, (it) => {
  /** Runs once for each kind of service and is checked by every test. */
  const played = Effect.runSync(Effect.cached(session))

  it.effect("no key, secret or token is in any log", () =>
    Effect.gen(function* () {
      const { keys, secrets, tokens } = yield* played
      const { lines } = yield* LogLines
      expect(lines.length).toBeGreaterThan(1)
      expect(leaks([...keys.map(kernel), ...secrets, ...tokens], lines)).toEqual([])
    })
  )

  it.effect("no key, secret or token is in the body or a header of any error", () =>
    Effect.gen(function* () {
      const { keys, secrets, tokens, answers } = yield* played
      expect(answers.filter(({ status }) => status >= 400).length).toBeGreaterThan(100)
      const texts = answers.map(({ text, headers }) => `${text}\n${[...headers].join("\n")}`)
      expect(leaks([...keys.map(kernel), ...secrets, ...tokens], texts)).toEqual([])
    })
  )

  it.effect("no key or secret is in any row; tokens are only in the rows of their quotes and of stored responses", () =>
    Effect.gen(function* () {
      const { keys, secrets, tokens } = yield* played
      const { rows } = yield* RunningService
      for (const [place, text] of yield* rows) {
        const home = place === "quotes" || place === "bindings"
        expect(found([...keys.map(kernel), ...secrets], text), `in ${place}`).toEqual([])
        expect(found(tokens, text).length > 0, `tokens in ${place}`).toBe(home)
      }
    })
  )

  it.effect("no key or secret is in any span, not even a key sent in the query", () =>
    Effect.gen(function* () {
      const { keys, secrets } = yield* played
      const { spans } = yield* SpanRecorder
      expect(spans.length).toBeGreaterThan(100)
      expect(leaks([...keys.map(kernel), ...secrets], spans)).toEqual([])
    })
  )

  it.effect("no payment token is in any span", () =>
    Effect.gen(function* () {
      const { tokens } = yield* played
      const { spans } = yield* SpanRecorder
      expect(tokens.length).toBe(4)
      expect(leaks(tokens, spans)).toEqual([])
    })
  )
})
