// Every call without a token, with a wrong one, and with invalid input is refused and changes nothing.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { OPERATOR_PATH } from "#adapters/operator/OperatorRpcs.ts"
import { buyer } from "#test/scenarios/Buyers.ts"
import { call, refusalIn } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { operatorService, TOKEN } from "./OperatorService.ts"
import { message, payloadOf, tags, validPayloads } from "./Payloads.ts"

const send = (body: string, key?: string, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", OPERATOR_PATH, {
    body,
    headers: { "content-type": "application/x-ndjson", ...headers },
    ...(key === undefined ? {} : { key })
  })

/** Nothing was written, and the response is the error body of REST with this code. */
const expectRefused = Effect.fnUntraced(function* (request: ReturnType<typeof send>, status: number, code: string) {
  const { books } = yield* RunningService
  const before = yield* books
  const answer = yield* request
  expect(refusalIn(answer).code, answer.text).toBe(code)
  expect(answer.status).toBe(status)
  expect(yield* books).toBe(before)
  return answer
})

layer(operatorService(), { excludeTestServices: true })("checks of operator requests", (it) => {
  it.effect("refuse every wrong token", () =>
    Effect.gen(function* () {
      const { key } = yield* buyer()
      const wrong = [key, `${TOKEN}0`, TOKEN.slice(0, -1), TOKEN.toUpperCase(), `${TOKEN.slice(0, -1)}x`, "x"]
      const attempts = tags.flatMap((tag) => wrong.map((token) => ({ body: message(tag, payloadOf(tag)), token })))
      const refused = ({ body, token }: (typeof attempts)[number]) =>
        expectRefused(send(body, token), 401, "invalid_operator_token")
      // At once, because refusals are slowed.
      yield* Effect.forEach(attempts, refused, { concurrency: "unbounded", discard: true })
    })
  )

  it.effect.each(tags)("%s requires the token", (tag) =>
    Effect.gen(function* () {
      const body = message(tag, payloadOf(tag))
      const missing = yield* expectRefused(send(body), 401, "missing_operator_token")
      expect(missing.headers.get("www-authenticate")).toBe('Bearer realm="operator"')
      for (const headers of [{ authorization: TOKEN }, { authorization: `Basic ${btoa(TOKEN)}` }, { token: TOKEN }]) {
        yield* expectRefused(send(body, undefined, headers), 401, "missing_operator_token")
      }
      const inQuery = call("POST", `${OPERATOR_PATH}?token=${TOKEN}&key=${TOKEN}`, { body })
      yield* expectRefused(inQuery, 401, "missing_operator_token")
    })
  )

  it.effect.each(tags)("%s refuses every invalid payload", (tag) =>
    Effect.gen(function* () {
      const sound: unknown = payloadOf(tag)
      const fields = Object.entries(sound ?? {})
      const bad = [
        null,
        [],
        "",
        7,
        { ...Object.fromEntries(fields), surprise: true },
        ...fields.map(([name]) => ({ ...Object.fromEntries(fields), [name]: { not: "this" } })),
        ...fields.map(([name]) => ({ ...Object.fromEntries(fields), [name]: "\0" })),
        ...fields.map(([name]) => ({ ...Object.fromEntries(fields), [name]: -0.5 }))
      ]
      for (const payload of bad) {
        const answer = yield* expectRefused(send(message(tag, payload), TOKEN), 422, "validation_failed")
        expect(refusalIn(answer).errors?.length).toBeGreaterThan(0)
      }
    })
  )

  it.effect("refuse bodies that are not exactly one call", () =>
    Effect.gen(function* () {
      const sound = message("openAccount", validPayloads.openAccount)
      const refusals: ReadonlyArray<readonly [body: string, status: number, code: string]> = [
        ["", 400, "invalid_json"],
        ["{", 400, "invalid_json"],
        [sound + sound, 400, "invalid_json"],
        ["[]", 422, "validation_failed"],
        [message("sellEverything", {}), 422, "validation_failed"],
        [message("__proto__", {}), 422, "validation_failed"],
        [message("openAccount", validPayloads.openAccount, { discard: true }), 422, "validation_failed"],
        [message("openAccount", validPayloads.openAccount, { isNotification: true }), 422, "validation_failed"],
        [message("openAccount", validPayloads.openAccount, { _tag: "Ping" }), 422, "validation_failed"],
        [
          message("openAccount", validPayloads.openAccount, { headers: [["operator-name", "Eve"]] }),
          422,
          "validation_failed"
        ],
        [`[${sound.trim()}]`, 422, "validation_failed"],
        [`${sound.trim()}${" ".repeat(4 * 1_024 * 1_024)}`, 413, "body_too_large"]
      ]
      for (const [body, status, code] of refusals) yield* expectRefused(send(body, TOKEN), status, code)
      for (const name of ["", "x".repeat(65), "caf\u00e9"]) {
        yield* expectRefused(send(sound, TOKEN, { "operator-name": name }), 422, "validation_failed")
      }
    })
  )

  it.effect("answer other methods with 405", () =>
    Effect.gen(function* () {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const answer = yield* call(method, OPERATOR_PATH, { key: TOKEN })
        expect(refusalIn(answer).code).toBe("method_not_allowed")
        expect(answer.headers.get("allow")).toBe("POST")
      }
    })
  )
})

layer(operatorService({ OPERATOR_TOKEN: "" }), { excludeTestServices: true })(
  "a service without OPERATOR_TOKEN",
  (it) => {
    it.effect("answers the operator path as any unknown route", () =>
      Effect.gen(function* () {
        for (const key of [undefined, TOKEN, "undefined", ""]) {
          yield* expectRefused(send(message("listAccounts", { limit: 1 }), key), 404, "route_not_found")
        }
      })
    )
  }
)
