// Requests as people make them to their assistant, each played through the tools: at /mcp where the eleven suffice, else at /mcp/full. The
// printed table has the calls of each.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { SELLER } from "#test/scenarios/InvoiceSteps.ts"
import { RunningService, layer as shop } from "#test/scenarios/RunningService.ts"
import { callsOf, chatWith, type Step } from "./Chats.ts"
import { household } from "./Household.ts"
import { laterRequests } from "./LaterRequests.ts"
import { purchaseRequests } from "./PurchaseRequests.ts"

const requests = [...purchaseRequests, ...laterRequests].sort((a, b) => a.number - b.number)

const rows: Array<string> = []

layer(shop(SELLER), { excludeTestServices: true })("requests of people", (it) => {
  for (const { number, says, play } of requests) {
    it.effect(`${number}: ${says}`, () =>
      Effect.gen(function* () {
        const { url } = yield* RunningService
        const who = yield* household
        const steps: Array<Step> = []
        const newChat = (key: string) => chatWith(url, key, steps)
        yield* play(newChat(who.key), who, newChat)
        expect(steps.length).toBeGreaterThan(0)
        rows.push(`| ${number} | ${says} | ${callsOf(steps)} |`)
      })
    )
  }

  it("are answered by these calls", () => {
    console.log(["| # | request | calls |", "|---|---|---|", ...rows].join("\n"))
    expect(rows).toHaveLength(requests.length)
  })
})
