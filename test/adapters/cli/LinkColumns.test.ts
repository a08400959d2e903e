// What was paid for is on the operator's screen: in the queue, and where an order is shown.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { timeText } from "#adapters/cli/Columns.ts"
import { DAY_MS } from "#core/domain/shared/DecisionContext.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { operatorClient, operatorService, opportunityRow, projectRow } from "#test/adapters/operator/OperatorService.ts"
import { buyer, insertion, item } from "#test/scenarios/Buyers.ts"
import { listArticle, listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { succeed } from "./RunCommand.ts"

/** The line of a table that has this text in a column: its cells by their headers. */
const rowWith = (printed: string, text: string): Readonly<Record<string, string>> => {
  const lines = printed.split("\n")
  const at = lines.findIndex((line) => line.startsWith("LINK "))
  const headers = [...(lines[at] ?? "").matchAll(/\S+(?: \S+)*/g)].map((found) => ({
    name: found[0],
    from: found.index
  }))
  const row = lines.slice(at + 1).find((line) => line.includes(text)) ?? ""
  return Object.fromEntries(
    headers.map(({ name, from }, index) => {
      const before = headers[index - 1]
      // Numbers are set to the right of their column, and so may begin before the header does.
      const start = before === undefined ? 0 : Math.min(from, row.lastIndexOf("  ", from) + 2)
      return [name, row.slice(start, headers[index + 1]?.from).trim()]
    })
  )
}

layer(operatorService(), { excludeTestServices: true })("the columns of a link", (it) => {
  it.effect("show when it is due; `queue --overdue` has those alone whose time is over", () =>
    Effect.gen(function* () {
      const { advance, nowMs } = yield* MovableClock
      const { key } = yield* buyer({ creditCents: 20_000 })
      const slow = yield* listSite({ shelf: "Nautilus" })
      const quick = yield* listSite({ shelf: "Corail", turnaroundDays: 2 })
      const items = [item(slow.siteId, { anchor_text: "takes long" }), item(quick.siteId, { anchor_text: "is quick" })]
      placedBy(yield* postOrder(key, { items }))
      const dayAfter = (days: number) => timeText(nowMs() + days * DAY_MS).slice(0, 10)
      const printed = yield* succeed("queue")
      expect(rowWith(printed, "is quick")).toMatchObject({ DUE: expect.stringContaining(dayAfter(2)), OVERDUE: "" })
      expect(rowWith(printed, "takes long")).toMatchObject({ DUE: expect.stringContaining(dayAfter(14)), OVERDUE: "" })
      expect(yield* succeed("queue", "--overdue")).not.toContain("is quick")
      yield* advance("49 hours")
      const overdue = yield* succeed("queue", "--overdue")
      expect(rowWith(overdue, "is quick")).toMatchObject({ OVERDUE: "overdue" })
      expect(overdue).not.toContain("takes long")
      expect(rowWith(yield* succeed("queue"), "takes long")).toMatchObject({ OVERDUE: "" })
    })
  )

  it.effect("show pack, format, article, anchor type, brief and opportunity, in the queue and in its order", () =>
    Effect.gen(function* () {
      const client = yield* operatorClient()
      const { accountId, key } = yield* buyer({ creditCents: 20_000 })
      const project = yield* projectRow(accountId)
      const opportunity = yield* opportunityRow(project.projectId)
      yield* client.listGoods({ projects: [project], opportunities: [opportunity] })
      const site = yield* listSite({ shelf: "Nautilus" })
      const article = yield* listArticle(site.siteId)
      const { opportunityId, projectId } = opportunity
      const items = [
        item(site.siteId, {
          anchor_text: "the new one",
          anchor_type: "exact",
          tier2_links: 5,
          brief: "Say that it lasts.",
          project_id: projectId,
          opportunity_id: opportunityId
        }),
        { ...insertion(article), anchor_text: "the old one" }
      ]
      const orderId = placedBy(yield* postOrder(key, { items })).order_id ?? OrderId.make("")
      for (const command of [["queue"], ["order", "show", orderId]]) {
        const printed = yield* succeed(...command)
        expect(rowWith(printed, "the new one"), command.join(" ")).toMatchObject({
          "TIER 2": "5",
          FORMAT: "new_article",
          ARTICLE: "",
          "ANCHOR TYPE": "exact",
          BRIEF: "Say that it lasts.",
          OPPORTUNITY: opportunityId
        })
        expect(rowWith(printed, "the old one"), command.join(" ")).toMatchObject({
          "TIER 2": "0",
          FORMAT: "insertion",
          ARTICLE: String(article.articleId),
          "ANCHOR TYPE": "partial",
          BRIEF: "",
          OPPORTUNITY: ""
        })
      }
    })
  )
})
