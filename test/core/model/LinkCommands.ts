// Commands on links, run on books and model: moves and cancellations.
import { deepStrictEqual } from "node:assert"
import { advanceOrder } from "#core/decisions/AdvanceOrder.ts"
import { cancelLink, cancelOrder } from "#core/decisions/CancelLinks.ts"
import { moveLink } from "#core/decisions/MoveLink.ts"
import type { Stage } from "#core/domain/Link.ts"
import { render } from "../Given.ts"
import type { Of } from "./Command.ts"
import type { Model, ModelLink, ModelQuote } from "./Model.ts"
import { attempt, type ModelRun, recent, tagOf } from "./ModelRun.ts"

const stages = ["to_assign", "assigned", "drafted", "in_review", "approved", "published", "verified"]
const stageIndex = (status: string): number => stages.indexOf(status)
const isOnline = (status: string): boolean => stageIndex(status) >= 5
const canMove = (status: string, to: Stage): boolean => status !== "cancelled" && stageIndex(to) > stageIndex(status)
const canCancel = (status: string): boolean => status !== "cancelled" && !isOnline(status)

const cancelInModel = (model: Model, quote: ModelQuote, link: ModelLink): void => {
  link.status = "cancelled"
  if (quote.mode === "live") model.addEntry(quote.account, "recredit", link.net)
}

const cancelling = { reason: "requested", actor: null, render }

const allLinks = ({ quotes }: Model) =>
  quotes.flatMap((quote) => quote.links.map((link, index) => ({ quote, link, linkId: quote.linkIds[index] ?? "" })))

export const cancelOneLink = (run: ModelRun, n: number): void => {
  const one = recent(allLinks(run.model), n)
  if (one === undefined) return
  const allowed = canCancel(one.link.status)
  deepStrictEqual(tagOf(attempt(run, cancelLink(one.linkId, cancelling))), allowed ? "done" : "InvalidTransition")
  run.note(`cancel link: ${allowed}`)
  if (allowed) cancelInModel(run.model, one.quote, one.link)
}

const orders = ({ quotes }: Model) => quotes.filter(({ orderId }) => orderId !== null)

export const cancelWholeOrder = (run: ModelRun, n: number): void => {
  const quote = recent(orders(run.model), n)
  if (quote === undefined) return
  const cancellable = quote.links.filter(({ status }) => canCancel(status))
  const outcome = attempt(run, cancelOrder(quote.orderId ?? "", cancelling))
  deepStrictEqual(tagOf(outcome), cancellable.length > 0 ? "done" : "InvalidTransition")
  run.note(`cancel order: ${cancellable.length > 0}`)
  for (const link of cancellable) cancelInModel(run.model, quote, link)
}

export const move = (run: ModelRun, { link: n, to }: Of<"move link">): void => {
  const one = recent(allLinks(run.model), n)
  if (one === undefined) return
  const allowed = canMove(one.link.status, to)
  const publishedUrl = isOnline(to) && !isOnline(one.link.status) ? "https://site.example/post" : null
  const input = { linkId: one.linkId, to, publishedUrl, reason: null, actor: null, render }
  deepStrictEqual(tagOf(attempt(run, moveLink(input))), allowed ? "done" : "InvalidTransition")
  run.note(`move link: ${allowed}`)
  if (allowed) one.link.status = to
}

export const advance = (run: ModelRun, { order: n, to }: Of<"advance order">): void => {
  const quote = recent(orders(run.model), n)
  if (quote === undefined) return
  const movable = quote.links.filter(({ status }) => canMove(status, to))
  const expected = quote.mode === "live" ? "OrderNotFound" : movable.length === 0 ? "InvalidTransition" : "done"
  deepStrictEqual(tagOf(attempt(run, advanceOrder({ orderId: quote.orderId ?? "", to, render }))), expected)
  run.note(`advance order: ${expected}`)
  if (expected === "done") for (const link of movable) link.status = to
}
