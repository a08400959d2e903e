// Commands on links, run on books and model: moves and cancellations.
import { deepStrictEqual } from "node:assert"
import { advanceOrder } from "#core/decisions/AdvanceOrder.ts"
import { cancelLink, cancelOrder } from "#core/decisions/CancelLinks.ts"
import { correctLink } from "#core/decisions/CorrectLink.ts"
import { moveLink } from "#core/decisions/MoveLink.ts"
import type { Stage } from "#core/domain/Link.ts"
import { known } from "../BookReads.ts"
import { render } from "../Given.ts"
import type { Of } from "./Command.ts"
import type { Model, ModelLink, ModelQuote } from "./Model.ts"
import { attempt, type ModelRun, recent, tagOf } from "./ModelRun.ts"

const stages = ["to_assign", "assigned", "drafted", "in_review", "approved", "published", "verified"]
const stageIndex = (status: string): number => stages.indexOf(status)
const isOnline = (status: string): boolean => stageIndex(status) >= 5
const canMove = (status: string, to: Stage): boolean => status !== "cancelled" && stageIndex(to) > stageIndex(status)
const canCancel = (status: string, published: boolean): boolean =>
  status !== "cancelled" && (published || !isOnline(status))

const cancelInModel = (model: Model, quote: ModelQuote, link: ModelLink): void => {
  link.status = "cancelled"
  if (quote.mode === "live") model.addEntry(quote.account, "recredit", link.net)
}

const cancelling = (published: boolean) => ({ reason: "requested", published, actor: null, render })

const allLinks = ({ quotes }: Model) =>
  quotes.flatMap((quote) => quote.links.map((link, index) => ({ quote, link, linkId: quote.linkIds[index] ?? "" })))

export const cancelOneLink = (run: ModelRun, { link: n, published }: Of<"cancel link">): void => {
  const one = recent(allLinks(run.model), n)
  if (one === undefined) return
  const allowed = canCancel(one.link.status, published)
  const outcome = attempt(run, cancelLink(one.linkId, cancelling(published)))
  deepStrictEqual(tagOf(outcome), allowed ? "done" : "InvalidTransition")
  run.note(`cancel link: ${allowed}${isOnline(one.link.status) ? ", online" : ""}`)
  if (allowed) cancelInModel(run.model, one.quote, one.link)
}

const orders = ({ quotes }: Model) => quotes.filter(({ orderId }) => orderId !== null)

export const cancelWholeOrder = (run: ModelRun, { order: n, published }: Of<"cancel order">): void => {
  const quote = recent(orders(run.model), n)
  if (quote === undefined) return
  const cancellable = quote.links.filter(({ status }) => canCancel(status, published))
  const outcome = attempt(run, cancelOrder(quote.orderId ?? "", cancelling(published)))
  deepStrictEqual(tagOf(outcome), cancellable.length > 0 ? "done" : "InvalidTransition")
  run.note(`cancel order: ${cancellable.length > 0}`)
  for (const link of cancellable) cancelInModel(run.model, quote, link)
}

export const move = (run: ModelRun, { link: n, to }: Of<"move link">): void => {
  const one = recent(allLinks(run.model), n)
  if (one === undefined) return
  const allowed = canMove(one.link.status, to)
  const publishedUrl =
    isOnline(to) && !isOnline(one.link.status) ? `https://${known(run.books.links, one.linkId).domain}/post` : null
  const input = { linkId: one.linkId, to, publishedUrl, reason: null, actor: null, render }
  deepStrictEqual(tagOf(attempt(run, moveLink(input))), allowed ? "done" : "InvalidTransition")
  run.note(`move link: ${allowed}`)
  if (allowed) moveInModel(one.link, to)
}

const moveInModel = (link: ModelLink, to: Stage): void => {
  link.status = to
  link.announced ||= isOnline(to)
}

export const correct = (run: ModelRun, { link: n, onSite }: Of<"correct">): void => {
  const one = recent(allLinks(run.model), n)
  if (one === undefined) return
  const { linkId, link } = one
  const host = onSite ? `blog.${known(run.books.links, linkId).domain}` : "elsewhere.example"
  const publishedUrl = `https://${host}/${run.model.now}`
  const expected = !isOnline(link.status) ? "InvalidTransition" : onSite ? "done" : "PublishedElsewhere"
  const outcome = attempt(run, correctLink({ linkId, publishedUrl, reason: "a typing error", actor: null, render }))
  deepStrictEqual(tagOf(outcome), expected)
  run.note(`correct: ${expected}`)
  if (expected === "done") deepStrictEqual(known(run.books.links, linkId).publishedUrl, publishedUrl)
}

export const advance = (run: ModelRun, { order: n, to }: Of<"advance order">): void => {
  const quote = recent(orders(run.model), n)
  if (quote === undefined) return
  const movable = quote.links.filter(({ status }) => canMove(status, to))
  const expected = quote.mode === "live" ? "OrderNotFound" : movable.length === 0 ? "InvalidTransition" : "done"
  deepStrictEqual(tagOf(attempt(run, advanceOrder({ orderId: quote.orderId ?? "", to, render }))), expected)
  run.note(`advance order: ${expected}`)
  if (expected === "done") for (const link of movable) moveInModel(link, to)
}
