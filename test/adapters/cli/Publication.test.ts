// The operator's commands on what is online, and on money that went back by refund or dispute.
import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { OrderDetails } from "#adapters/operator/records/OrderRecords.ts"
import { AuditRecord } from "#core/domain/members/AuditRecord.ts"
import { Link } from "#core/domain/ordering/Link.ts"
import { LinkId, QuoteId, ReversalId } from "#core/domain/shared/Ids.ts"
import { Payments } from "#core/usecases/ordering/Payments.ts"
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { buyer, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import { owing } from "#test/scenarios/OwingAccount.ts"
import { refusal, runJson, succeed } from "./RunCommand.ts"

/** An order of one link for 30.00 EUR, from credit, and what it does not cover by card. */
const order = Effect.fnUntraced(function* (creditCents = 10_000) {
  const { key, accountId } = yield* buyer({ creditCents })
  const { siteId, domain } = yield* listSite({ shelf: "Nautilus" })
  const quoteId = placedBy(yield* postOrder(key, { items: [item(siteId)] })).quote_id ?? QuoteId.make("")
  if (creditCents < 3_000) yield* succeed("pay", quoteId)
  const { order: found } = yield* runJson(QuoteDetails, "quote", "show", quoteId)
  const { orderId } = found.order
  return { accountId, quoteId, orderId, domain, linkId: found.links[0]?.linkId ?? LinkId.make("") }
})

const QuoteDetails = Schema.Struct({ order: OrderDetails })

layer(operatorService(), { excludeTestServices: true })("the operator", (it) => {
  it.effect("publishes on the site's domain, or anyway, and corrects a URL", () =>
    Effect.gen(function* () {
      const { linkId, domain } = yield* order()
      const elsewhere = yield* refusal("publish", linkId, "https://elsewhere.example/post")
      expect(elsewhere).toContain("(published_elsewhere)")
      expect(elsewhere).toContain("--anyway")
      const published = yield* runJson(Link, "publish", linkId, "https://elsewhere.example/post", "--anyway")
      expect(published).toMatchObject({ status: "published", publishedUrl: "https://elsewhere.example/post" })
      const because = ["--reason", "moved to the site"]
      expect(yield* refusal("correct", linkId, "https://third.example/post", ...because)).toContain(
        "(published_elsewhere)"
      )
      const url = `https://blog.${domain}/post`
      expect(yield* succeed("correct", linkId, url, ...because)).toBe(`Link ${linkId} is at ${url} now.`)
      const audit = yield* runJson(Schema.Array(AuditRecord), "audit", "--limit", "2")
      expect(audit).toMatchObject([
        { action: "link.correct", subject: linkId, details: { to_url: url, reason: "moved to the site" } },
        { action: "link.move", subject: linkId, details: { anyway: true } }
      ])
    })
  )

  it.effect("cancels what is online with credit, when asked to", () =>
    Effect.gen(function* () {
      const { linkId, domain } = yield* order()
      yield* succeed("publish", linkId, `https://${domain}/post`)
      const why = ["--reason", "published by mistake"]
      expect(yield* refusal("cancel", linkId, ...why)).toContain("--published")
      expect(yield* succeed("cancel", linkId, "--published", ...why)).toContain("30.00 EUR back as credit")
      expect(yield* succeed("reconcile")).toContain("All of it agrees")
    })
  )

  it.effect("says what of the credit paid what the account owes", () =>
    Effect.gen(function* () {
      const why = ["--reason", "as asked"]
      const one = yield* order(3_000)
      yield* owing(one.accountId, 1_200)
      expect(yield* succeed("cancel", one.linkId, ...why)).toBe(
        `Link ${one.linkId} is cancelled; ${one.accountId} has 30.00 EUR back, of which 12.00 EUR paid what it owed and 18.00 EUR are credit.`
      )
      const whole = yield* order(3_000)
      yield* owing(whole.accountId, 1_200)
      expect(yield* succeed("cancel", whole.orderId, ...why)).toContain(
        "12.00 EUR of what came back paid what the account owed."
      )
      expect(yield* succeed("reconcile")).toContain("All of it agrees")
    })
  )

  it.effect("sees refunds and disputes of an order, and cancels it without credit", () =>
    Effect.gen(function* () {
      const { quoteId, orderId, linkId } = yield* order(0)
      const { reverse } = yield* Payments
      const told = { quoteId, cents: 3_000 }
      yield* reverse({ ...told, reversalId: ReversalId.make("dp_1"), kind: "dispute", state: "open" })
      expect(yield* succeed("order", "show", orderId)).toMatch(
        /^Disputed \(blocks unpublished links\): 30\.00 EUR, dp_1, told .*\.$/m
      )
      yield* reverse({ ...told, reversalId: ReversalId.make("dp_1"), kind: "dispute", state: "won" })
      expect(yield* succeed("order", "show", orderId)).toContain("Dispute won: 30.00 EUR, dp_1")
      yield* reverse({ ...told, reversalId: ReversalId.make("ch_1"), kind: "refund", state: "final" })
      expect(yield* succeed("order", "show", orderId)).toContain("Refunded: 30.00 EUR, ch_1")
      const why = ["--reason", "refunded"]
      expect(yield* refusal("cancel", linkId, ...why)).toContain("--refunded")
      expect(yield* succeed("cancel", linkId, "--refunded", ...why)).toBe(`Link ${linkId} is cancelled without credit.`)
    })
  )

  it.effect("cancels a refunded link with the part that credit had paid", () =>
    Effect.gen(function* () {
      const { linkId } = yield* order(1_001)
      expect(yield* succeed("cancel", linkId, "--refunded", "--reason", "refunded")).toMatch(
        new RegExp(
          `^Link ${linkId} is cancelled; acc_\\w+ has 10\\.01 EUR back as credit\\. 10\\.01 EUR, which credit had paid, came back as credit; 19\\.99 EUR of the card did not\\. The processor has told of 0\\.00 EUR of this order that went back by refund or dispute\\.$`
        )
      )
      expect(yield* succeed("reconcile")).toContain("All of it agrees")
    })
  )

  it.effect("refuses to cancel as refunded what credit alone had paid", () =>
    Effect.gen(function* () {
      const { linkId, orderId } = yield* order(3_000)
      for (const what of [linkId, orderId])
        expect(yield* refusal("cancel", what, "--refunded", "--reason", "refunded")).toContain(
          "Cancel it without --refunded"
        )
      expect(yield* succeed("cancel", linkId, "--reason", "refunded")).toContain("30.00 EUR back as credit")
    })
  )
})
