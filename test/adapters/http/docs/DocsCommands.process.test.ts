// Every command of `/docs`, copied from the page into one shell and run against a demo: nothing is changed, and the reader has set nothing but
// the address of a receiver of webhooks. What arrives there is verified by the page's own code. Needs bash and curl.
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { layer } from "@effect/vitest"
import { Effect, HashMap, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { expect } from "vitest"
import { portsWithStore } from "#adapters/app/Ports.ts"
import * as Service from "#adapters/app/Service.ts"
import { endpoints } from "#adapters/http/operations/OperationRequest.ts"
import * as MemoryStore from "#adapters/memory/MemoryStore.ts"
import { type Received, receiver } from "#test/adapters/outbound/Receiver.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { commandsOf, preformattedOf, runInShell } from "./DocsCommands.ts"

/** The settings of a demo, as `npm start` has them. */
const DEMO = {
  DEMO: "on",
  DAILY_ORDER_CAP: "20",
  RATE_LIMIT_READS: "600",
  RATE_LIMIT_ORDERS: "120",
  WELCOME_OFFER_PERCENT: "20"
}

/** The service with the real time, which the libraries that verify deliveries go by. */
const demo = RunningService.layerInMemoryBooks.pipe(
  Layer.provideMerge(
    Layer.unwrap(
      Effect.map(RunningService.settingsFrom(DEMO), (config) =>
        Service.layerWithPorts(config, (url) => portsWithStore(config, url, MemoryStore.layer))
      )
    )
  ),
  Layer.provide(Layer.merge(FetchHttpClient.layer, RunningService.layerLogLines))
)

const page = Effect.flatMap(RunningService.RunningService, ({ url }) =>
  Effect.promise(async () => (await fetch(new URL("/docs", url))).text())
)

/** A document of the demo's top-up, which is issued within seconds; a reader takes longer than that. */
const untilReceipt = Effect.flatMap(RunningService.RunningService, ({ books }) =>
  Effect.repeat(Effect.andThen(Effect.sleep("50 millis"), books), {
    until: ({ invoices }) => HashMap.size(invoices) > 0
  })
)

/** The two pieces of JavaScript that verify a delivery, by the library that they import. */
const verifiers = (text: string) =>
  ["standardwebhooks", "stripe"].map((library) => {
    const [code, ...others] = preformattedOf(text).filter((one) => one.includes(`from "${library}"`))
    expect(others).toEqual([])
    return [library, code ?? ""] as const
  })

/** The event that the page's code makes of a delivery. */
const verifiedBy = (code: string, secret: string, delivery: Received | undefined) => {
  const given = { secret, rawBody: String(delivery?.body), headers: delivery?.headers }
  const script = `const { secret, rawBody, headers } = ${JSON.stringify(given)}\n${code}\nconsole.log(JSON.stringify(event))`
  return Effect.promise(async (): Promise<unknown> => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script])
    return JSON.parse(stdout)
  })
}

layer(demo, { excludeTestServices: true })("the commands of /docs", (it) => {
  // First, because the sandbox looks at the credit that the live key spends.
  it.effect("answer with a key of the sandbox, too, but for invoices", () =>
    Effect.gen(function* () {
      const [setup, ...commands] = commandsOf(yield* page)
      const { url } = yield* receiver()
      const chosen = { text: "KEY=$TEST_KEY", answers: null, section: "" }
      const all = [...(setup === undefined ? [] : [setup]), chosen, ...commands]
      const { statuses } = yield* runInShell(all, { WEBHOOK_URL: url })
      const sent = commands.filter(({ answers }) => answers !== null)
      const others = sent.flatMap(({ answers, section }, index) =>
        statuses[index] === answers ? [] : [[section, statuses[index]]]
      )
      expect(others).toEqual([
        ["getInvoice", "404"],
        ["getInvoicePdf", "404"]
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("answer as the page says, one after another, and its code verifies what arrives", () =>
    Effect.gen(function* () {
      const commands = commandsOf(yield* page)
      const { url, received } = yield* receiver()
      yield* untilReceipt
      const { statuses, out, err } = yield* runInShell(commands, { WEBHOOK_URL: url })
      const stated = commands.flatMap(({ answers, text }) => (answers === null ? [] : [[answers, text]]))
      expect(
        stated.map(([, text], index) => [statuses[index], text]),
        `${out}\n${err}`
      ).toEqual(stated)
      expect(statuses).toHaveLength(stated.length)
      // What is kept in a variable is shown on standard error.
      const [, secret = ""] = /"secret":"(whsec_[^"]+)"/.exec(err) ?? []
      const [delivery] = received
      expect(delivery?.headers["service-event"]).toBe("webhook.test")
      for (const [name, code] of verifiers(yield* page))
        expect(yield* verifiedBy(code, secret, delivery), name).toEqual(JSON.parse(String(delivery?.body)))
    }).pipe(Effect.scoped)
  )

  it.effect("are there for every operation, and are all that a reader finds", () =>
    Effect.gen(function* () {
      const text = yield* page
      const commands = commandsOf(text)
      const sections = new Set(commands.map(({ section }) => section))
      expect(Object.keys(endpoints).filter((name) => !sections.has(name))).toEqual([])
      const others = preformattedOf(text).filter((one) => !commands.some((command) => command.text === one))
      expect(others.filter((one) => one.includes("curl"))).toEqual([])
    })
  )

  it.effect("take every id from a variable that an earlier one sets", () =>
    Effect.gen(function* () {
      const known = new Set(["WEBHOOK_URL"])
      for (const { text } of commandsOf(yield* page)) {
        for (const [, name = ""] of text.matchAll(/^([A-Z_]+)=/gm))
          if (!text.includes(`${name}=$(curl`)) known.add(name)
        for (const [, name = ""] of text.matchAll(/\$([A-Z][A-Z_]+)/g)) expect([...known], text).toContain(name)
        for (const [, name = ""] of text.matchAll(/^([A-Z_]+)=\$\(curl/gm)) known.add(name)
        expect(text).not.toMatch(/\b(?:q|ord|lnk|wh|dlv|evt|prj|inv)_\w|\{id\}/)
      }
    })
  )

  it.effect("say what the reader must have", () =>
    Effect.gen(function* () {
      const text = yield* page
      expect(text).toContain("Invoices want a live key")
      expect(text).toMatch(/Webhooks want a public https address/)
    })
  )
})
