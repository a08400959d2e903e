// Creating webhooks with production settings: every hostile URL is refused for the right reason, without revealing anything about
// the network, and without opening a connection.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { connectionTrap, httpServer, refusingPort } from "#test/adapters/outbound/Loopback.ts"
import { hostileUrls } from "#test/core/domain/webhooks/HostileUrls.ts"
import { buyer } from "#test/scenarios/Buyers.ts"
import { call, refusalIn, WEBHOOKS } from "#test/scenarios/HttpCalls.ts"
import { layer as shop } from "#test/scenarios/RunningService.ts"
import { receiver } from "./Receiver.ts"

const create = (key: string, url: string) => call("POST", WEBHOOKS, { key, body: { url, events: ["order.accepted"] } })

/** Other texts are refused by request validation, before the URL policy. */
const isText = (url: string): boolean => url.length >= 1 && url.length <= 2_048 && !/[\p{Cc}\p{Cs}]/u.test(url)

layer(shop({ WEBHOOK_INSECURE_TARGETS: "false" }), { excludeTestServices: true })(
  "creating a webhook in production",
  (it) => {
    it.effect(`refuses each of ${hostileUrls.length} hostile URLs with its reason, and opens no connection`, () =>
      Effect.gen(function* () {
        const { key, api } = yield* buyer()
        const trap = yield* connectionTrap("127.0.0.1", 8_443)
        let judged = 0
        for (const [url, reason] of hostileUrls) {
          const refusal = refusalIn(yield* create(key, url))
          expect([refusal.status, url]).toEqual([422, url])
          if (refusal.code === "webhook_url_refused") {
            judged++
            expect([refusal.details, url]).toEqual([{ reason }, url])
          } else expect([refusal.code, isText(url), url]).toEqual(["validation_failed", false, url])
          expect(refusal.message).not.toMatch(/\d+\.\d+\.\d+\.\d+|::/)
        }
        expect(judged).toBeGreaterThanOrEqual(120)
        expect(trap.connections()).toBe(0)
        expect((yield* api.webhooks.listWebhooks()).count).toBe(0)
      })
    )

    it.effect("reveals no host, address or port", () =>
      Effect.gen(function* () {
        const { key } = yield* buyer()
        for (const url of [
          "https://169.254.169.254/latest/meta-data",
          "https://10.1.2.3/",
          "https://localhost:8443/"
        ]) {
          const { message, details, suggestion } = refusalIn(yield* create(key, url))
          expect(JSON.stringify({ message, details, suggestion })).not.toMatch(/169\.254|10\.1\.2\.3|:8443/)
        }
      })
    )
  }
)

layer(shop(), { excludeTestServices: true })("creating a webhook", (it) => {
  it.effect("refuses a URL that redirects, without following it, and one that refuses connections", () =>
    Effect.gen(function* () {
      const { key } = yield* buyer()
      const inside = yield* receiver()
      const { port } = yield* httpServer((_, response) => void response.writeHead(307, { location: inside.url }).end())
      expect(refusalIn(yield* create(key, `http://127.0.0.1:${port}/`))).toMatchObject({
        details: { reason: "redirects" }
      })
      const { port: closed } = yield* refusingPort
      expect(refusalIn(yield* create(key, `http://127.0.0.1:${closed}/`))).toMatchObject({
        details: { reason: "unreachable" }
      })
      expect(inside.connections()).toBe(0)
    })
  )
})
