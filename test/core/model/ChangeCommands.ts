// Changes of a link's text on books and model: by the key that ordered, by an owner, or by any key.
import { deepStrictEqual } from "node:assert"
import { Result } from "effect"
import { changeLink } from "#core/decisions/ordering/ChangeLink.ts"
import { callerOf } from "#core/domain/access/ApiKey.ts"
import { MAX_TEXT_CHANGES } from "#core/domain/ordering/LinkChange.ts"
import { KeyId, LinkId, MemberId, OrderId } from "#core/domain/shared/Ids.ts"
import { known } from "../BookReads.ts"
import { render } from "../Given.ts"
import type { Of } from "./Command.ts"
import type { Model, ModelLink, ModelQuote } from "./Model.ts"
import { attempt, type ModelRun, recent, tagOf } from "./ModelRun.ts"
import { type KeyFact, keys } from "./ModelShop.ts"

export const targets = [
  "https://brand.example/page",
  "https://www.brand.example/b",
  "https://brand.example/other",
  "https://other.example/"
]

/** All domains of the model have two labels. */
const registrable = (host: string): string => host.split(".").slice(-2).join(".")

const hostOf = (url: string): string => new URL(url).hostname

const refusesAgent = (model: Model, quote: ModelQuote, key: KeyFact, approved: boolean): string | undefined => {
  if (key.account !== quote.account || key.mode !== quote.mode) return "OrderNotFound"
  if (model.revoked.has(key.id)) return "RevokedApiKey"
  if (quote.card > 0 || approved || key.id !== quote.key) return "LinkNotChangeable"
  return model.stopped.has(quote.account) ? "SpendPolicyRefused" : undefined
}

const refusesTarget = (quote: ModelQuote, link: ModelLink, key: KeyFact | null, to: string): string | undefined => {
  if (link.changes === MAX_TEXT_CHANGES) return "LinkNotChangeable"
  const moves = hostOf(to) !== hostOf(link.target)
  if (key?.domain != null && !`.${hostOf(to)}`.endsWith(`.${key.domain}`)) return "SpendPolicyRefused"
  if (key?.approveAbove != null && moves) return "SpendPolicyRefused"
  const leaves = registrable(hostOf(to)) !== registrable(hostOf(link.target))
  return quote.source === "welcome" && leaves ? "LinkNotChangeable" : undefined
}

const ownerOf = (account: string): MemberId => MemberId.make(account.replace(/^acc_/, "mem_"))

export const change = (run: ModelRun, { link: n, by, target: nth, dryRun }: Of<"change link">): void => {
  const { model, books } = run
  const all = model.quotes.flatMap((quote) => quote.links.map((link, index) => ({ quote, link, index })))
  const one = recent(all, n)
  if (one === undefined) return
  const { quote, link, index } = one
  const linkId = quote.linkIds[index] ?? LinkId.make("")
  const key = by === "owner" ? null : (keys.find(({ id }) => id === (by === "orderer" ? quote.key : by)) ?? null)
  const to = targets[nth] ?? ""
  const approved = known(books.quotes, quote.id).approvedAtMs !== null
  const changeable = link.status === "to_assign" || link.status === "assigned"
  const expected =
    (key === null ? undefined : refusesAgent(model, quote, key, approved)) ??
    (changeable ? undefined : "InvalidTransition") ??
    (to === link.target ? "unchanged" : refusesTarget(quote, link, key, to)) ??
    "done"
  const outcome = attempt(
    run,
    changeLink({
      orderId: quote.orderId ?? OrderId.make(""),
      linkId,
      by:
        key === null
          ? { memberId: ownerOf(quote.account) }
          : { caller: callerOf(known(books.keys, KeyId.make(key.id))) },
      text: { targetUrl: to },
      registrable,
      dryRun,
      render
    })
  )
  const done = Result.isSuccess(outcome) ? outcome.success.reply.changed.length > 0 : undefined
  deepStrictEqual(done === false ? "unchanged" : tagOf(outcome), expected)
  run.note(`change link: ${expected}`)
  if (expected === "done") deepStrictEqual(Result.getOrThrow(outcome).reply.link.targetUrl, to)
  if (expected !== "done" || dryRun) {
    deepStrictEqual(run.books, books)
    return
  }
  link.target = to
  link.changes += 1
  link.unseen = true
}
