// The attempts of one call: which failures are sent again and when, and that all attempts have one idempotency key.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { NoAnswerError, ServiceError } from "#adapters/client/Failures.ts"
import { failureOf, json, lost, refusal, scripted } from "./ScriptedClient.ts"

const soon = { "retry-after": "0" }

/** How long the client would have waited before each further attempt, in milliseconds. Each wait ends at once. */
const waits: Array<number> = []

beforeEach(() => {
  waits.length = 0
  const { setTimeout: wait } = globalThis
  vi.spyOn(globalThis, "setTimeout").mockImplementation((run, millis = 0) => {
    waits.push(millis)
    return wait(run, 0)
  })
})
afterEach(() => vi.restoreAllMocks())

describe("an idempotency key", () => {
  it("is made for each call that takes one, and the same at each attempt", async () => {
    const { client, arrived } = scripted([
      lost(),
      refusal({}, soon),
      new Response("<h1>Bad gateway</h1>", { status: 502, headers: soon }),
      json({ made: "a" }),
      json({ made: "b" })
    ])
    expect(await client.makeThing({ body: { name: "a" } })).toEqual({ made: "a" })
    await client.makeThing({ body: { name: "a" } })
    const keys = arrived.map(({ headers }) => headers.get("idempotency-key"))
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => keys[0]))
    expect(keys[4]).not.toBe(keys[0])
    expect(new Set(arrived.map(({ body }) => body))).toEqual(new Set(['{"name":"a"}']))
    expect(arrived[0]?.headers.get("content-type")).toBe("application/json")
    expect(waits).toEqual([expect.any(Number), 0, 0])
  })

  it("is the caller's where there is one, and in no request that takes none", async () => {
    const { client, arrived } = scripted([json({ made: "a" }), json({ thing: "a" })])
    await client.makeThing({ body: { name: "a" }, idempotencyKey: "mine" })
    await client.getThing({ path: { id: "a" } })
    expect(arrived.map(({ headers }) => headers.get("idempotency-key"))).toEqual(["mine", null])
  })
})

describe("a refusal", () => {
  it("is final unless it is retryable, whatever its status and headers say", async () => {
    const said = { code: "daily_order_cap_reached", retryable: false, suggestion: "Wait.", details: { limit: 20 } }
    const { client, arrived } = scripted([refusal(said, soon)])
    const error = await failureOf(client.makeThing({ body: { name: "a" }, idempotencyKey: "mine" }))
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ code: said.code, refusal: said, requestId: "req_1", idempotencyKey: "mine" })
    expect(String(error)).toBe("ServiceError: daily_order_cap_reached: Too many. Wait.")
    expect(arrived).toHaveLength(1)
  })

  it("is waited for as Retry-After says, in seconds or by a date", async () => {
    const inThree = new Date(Date.now() + 3_000).toUTCString()
    const past = new Date(Date.now() - 60_000).toUTCString()
    const answers = ["7", inThree, past].map((after) => refusal({}, { "retry-after": after }))
    const { client, arrived } = scripted([...answers, json({ made: "a" })])
    await client.makeThing({ body: { name: "a" } })
    expect(arrived).toHaveLength(4)
    const [seconds, date, now] = waits
    expect([seconds, now]).toEqual([7_000, 0])
    // A date has whole seconds.
    expect(date).toBeGreaterThan(1_500)
    expect(date).toBeLessThanOrEqual(3_000)
  })

  it("is waited for ever longer where it says no time", async () => {
    const unsaid = Array.from({ length: 3 }, () => refusal({ code: "internal_error", status: 500 }))
    const { client } = scripted([...unsaid, json({ things: [] })])
    await client.listThings()
    expect(waits).toHaveLength(3)
    for (const [nth, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(500 * 2 ** nth)
      expect(wait).toBeLessThan(1_000 * 2 ** nth)
    }
  })

  it("ends the call where the wait is too long, and after the last attempt", async () => {
    const long = scripted([refusal({}, { "retry-after": "61" })])
    expect(await failureOf(long.client.listThings())).toMatchObject({ code: "rate_limited" })
    const often = scripted(
      Array.from({ length: 3 }, () => refusal({ code: "store_unavailable", status: 503 }, soon)),
      { maxAttempts: 3 }
    )
    expect(await failureOf(often.client.listThings())).toMatchObject({ code: "store_unavailable" })
    expect([long.arrived.length, often.arrived.length]).toEqual([1, 3])
  })
})

describe("an answer that did not come", () => {
  it("leaves the caller the key to send again", async () => {
    const { client } = scripted([lost()], { maxAttempts: 1 })
    const error = await failureOf(client.makeThing({ body: { name: "a" }, idempotencyKey: "mine" }))
    expect(error).toBeInstanceOf(NoAnswerError)
    expect(error).toMatchObject({ idempotencyKey: "mine", status: undefined, cause: { message: "fetch failed" } })
    expect(String(error)).toContain("mine")
  })

  it("is one whose body broke off, or is not JSON", async () => {
    const broken = new Response(new ReadableStream({ start: (controller) => controller.error(lost()) }), {
      headers: { "content-type": "application/json" }
    })
    const garbled = new Response("{", { headers: { "content-type": "application/json" } })
    for (const first of [broken, garbled]) {
      const { client, arrived } = scripted([first, json({ thing: "a" })])
      expect(await client.getThing({ path: { id: "a" } })).toEqual({ thing: "a" })
      expect(arrived).toHaveLength(2)
    }
  })

  it("is one of another type than the operation's, whatever its status", async () => {
    const page = (type: string) => () =>
      Promise.resolve(new Response("<h1>Sign in to this network</h1>", { headers: { "content-type": type, ...soon } }))
    const portal = page("text/html; charset=utf-8")
    const bought = scripted([portal, page("image/gif"), json({ made: "a" }, 201)])
    expect(await bought.client.makeThing({ body: { name: "a" }, idempotencyKey: "mine" })).toEqual({ made: "a" })
    const answer = new Response("a,b\n", { headers: { "content-type": "Text/CSV; charset=utf-8" } })
    expect(await scripted([portal, answer]).client.downloadThings()).toBe("a,b\n")
    const { client, arrived } = scripted(Array.from({ length: 4 }, () => portal))
    const error = await failureOf(client.makeThing({ body: { name: "a" } }))
    const [idempotencyKey] = arrived.map(({ headers }) => headers.get("idempotency-key"))
    expect(error).toMatchObject({ name: "NoAnswerError", status: 200, idempotencyKey })
    expect([bought.arrived.length, arrived.length]).toEqual([3, 4])
  })

  it.each([301, 403, 404])("is final where something else answers %i", async (status) => {
    const { client, arrived } = scripted([new Response("elsewhere", { status, headers: { location: "/" } })])
    expect(await failureOf(client.listThings())).toMatchObject({ name: "NoAnswerError", status })
    expect(arrived).toHaveLength(1)
  })

  it("is one that takes longer than an attempt may", async () => {
    const never = (init: RequestInit) =>
      new Promise<Response>((_, reject) => {
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason))
      })
    const { client, arrived } = scripted([never, json({ thing: "a" })], { timeoutSeconds: 0.05 })
    expect(await client.getThing({ path: { id: "a" } })).toEqual({ thing: "a" })
    expect(arrived).toHaveLength(2)
  })
})

describe("a caller's signal", () => {
  /** A call that was sent and ended leaves the key that the client made. */
  const expectEnded = (error: unknown, arrived: ReturnType<typeof scripted>["arrived"]) => {
    const [idempotencyKey = null] = arrived.map(({ headers }) => headers.get("idempotency-key"))
    expect(idempotencyKey).toMatch(/^[0-9a-f-]{36}$/)
    expect(error).toBeInstanceOf(NoAnswerError)
    expect(error).toMatchObject({ idempotencyKey, cause: { message: "enough" } })
    expect(arrived).toHaveLength(1)
  }

  it("ends a request, is not taken for a lost answer, and leaves the key", async () => {
    const controller = new AbortController()
    const ended = (init: RequestInit) =>
      new Promise<Response>((_, reject) => {
        init.signal?.addEventListener("abort", () => reject(init.signal?.reason))
        controller.abort(new Error("enough"))
      })
    const { client, arrived } = scripted([ended])
    expectEnded(await failureOf(client.makeThing({ body: { name: "a" }, signal: controller.signal })), arrived)
  })

  it("that ended before the call sends nothing, and is the failure", async () => {
    const { client, arrived } = scripted([])
    const signal = AbortSignal.abort(new Error("enough"))
    const error = await failureOf(client.makeThing({ body: { name: "a" }, signal }))
    expect(error).toMatchObject({ name: "Error", message: "enough" })
    expect(arrived).toEqual([])
  })

  it("ends the wait between two attempts, and leaves the key", async () => {
    const controller = new AbortController()
    vi.mocked(setTimeout).mockImplementation(() => {
      queueMicrotask(() => controller.abort(new Error("enough")))
      // No timer: this wait never ends by itself.
      return undefined as unknown as NodeJS.Timeout
    })
    const { client, arrived } = scripted([refusal({}, { "retry-after": "30" })])
    expectEnded(await failureOf(client.makeThing({ body: { name: "a" }, signal: controller.signal })), arrived)
  })
})
