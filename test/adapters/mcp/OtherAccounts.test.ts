// No tool finds what belongs to another account or to the other mode.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { ProjectId } from "#core/domain/shared/Ids.ts"
import { cart, item } from "#test/scenarios/Buyers.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { bearer } from "./Clients.ts"
import { McpServers, layer as mcpServers, serverNames } from "./McpServers.ts"
import { post, resultIn, toolCall } from "./Post.ts"
import { type CustomerWithOrder, customerWithOrder, newCustomer } from "./ToolCalls.ts"

/** Everything of a customer that a tool takes by id, with the error code when it is not found. */
const belongings = ({ placed, linkId, projectId, siteId, idempotencyKey }: CustomerWithOrder) =>
  [
    ["get_quote_status", { quote_id: placed.quote_id }, "quote_not_found"],
    ["get_quote_status", { idempotency_key: idempotencyKey }, "quote_not_found"],
    ["get_order_status", { order_id: placed.order_id }, "order_not_found"],
    ["cancel_links", { order_id: placed.order_id }, "order_not_found"],
    ["change_link", { order_id: placed.order_id, link_id: linkId, anchor_text: "a" }, "order_not_found"],
    ["get_ai_visibility_plan", { project_id: projectId }, "project_not_found"],
    [
      "create_order",
      { ...cart([item(siteId, { project_id: ProjectId.make(projectId) })]), dry_run: true },
      "project_not_found"
    ]
  ] as const

layer(mcpServers(), { excludeTestServices: true })("other accounts", (it) => {
  for (const server of serverNames) {
    it.effect(`${server}: nothing of another account is found`, () =>
      Effect.gen(function* () {
        const { [server]: url } = yield* McpServers
        const { books } = yield* RunningService
        const owner = yield* customerWithOrder()
        const other = yield* newCustomer()
        const before = yield* books
        for (const [tool, args, code] of belongings(owner)) {
          const { isError, body } = resultIn(
            yield* post(`${url}/full`, toolCall("2025", tool, args), bearer(other.key))
          )
          expect(isError, tool).toBe(true)
          expect(body, tool).toMatchObject({ ok: false, error: { code, status: 404 } })
        }
        for (const [tool, list] of [
          ["list_orders", "orders"],
          ["list_ai_visibility_projects", "projects"],
          ["list_links", "links"],
          ["list_invoices", "invoices"]
        ] as const) {
          const { body } = resultIn(yield* post(`${url}/full`, toolCall("2025", tool), bearer(other.key)))
          expect(body[list]).toStrictEqual([])
        }
        expect(yield* books).toBe(before)
      })
    )

    it.effect(`${server}: a live key does not find sandbox orders, and a sandbox key no live ones`, () =>
      Effect.gen(function* () {
        const { [server]: url } = yield* McpServers
        const live = yield* customerWithOrder("live")
        const sandbox = yield* customerWithOrder("sandbox")
        for (const [who, other] of [
          [live, sandbox],
          [sandbox, live]
        ] as const) {
          const { quote_id, order_id } = other.placed
          const quote = yield* post(url, toolCall("2025", "get_quote_status", { quote_id }), bearer(who.key))
          expect(resultIn(quote).body).toMatchObject({ error: { code: "quote_not_found" } })
          const order = yield* post(url, toolCall("2025", "get_order_status", { order_id }), bearer(who.key))
          expect(resultIn(order).body).toMatchObject({ error: { code: "order_not_found" } })
        }
      })
    )
  }
})
