// What is on the invoices of an account, on the pages: an owner changes it, a viewer sees it, and the operator confirms.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { vatText } from "#adapters/web/money/PriceVat.ts"
import type { VatTreatment } from "#core/domain/invoicing/Vat.ts"
import { OrderId } from "#core/domain/shared/Ids.ts"
import { EditBilling } from "#core/usecases/invoicing/EditBilling.ts"
import { WatchActivity } from "#core/usecases/operations/WatchActivity.ts"
import { issueKey, item, order, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { invoiceOf, SELLER } from "#test/scenarios/InvoiceSteps.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit } from "./Visitors.ts"

const PATH = "/account/settings/billing"

const FORM = {
  name: "Garden Tools GmbH",
  address: "Gartenweg 7\r\n10115 Berlin",
  country: "DE",
  vatId: "DE 136 695 976",
  reference: "PO 4711"
}

const save = (token: string, over: Partial<typeof FORM> = {}) =>
  visit({ method: "POST", path: PATH, token, form: { ...FORM, ...over } })

layer(RunningService.layer(SELLER), { excludeTestServices: true })("billing identity on the pages", (it) => {
  it.effect("an owner writes it, a viewer sees it and has no form", () =>
    Effect.gen(function* () {
      const { owner, viewer, account } = yield* openAccount
      assert.include((yield* visit({ path: PATH, token: viewer })).text, "as a consumer, without an address")
      const { status, location } = yield* save(owner)
      assert.deepStrictEqual([status, location], [303, PATH])
      assert.deepStrictEqual(yield* (yield* EditBilling).of(account.accountId), {
        name: FORM.name,
        address: "Gartenweg 7\n10115 Berlin",
        country: "DE",
        vatId: "DE136695976",
        vatIdConfirmed: false,
        reference: "PO 4711"
      })
      const { text } = yield* visit({ path: PATH, token: viewer })
      assert.include(text, "Garden Tools GmbH</strong><br>Gartenweg 7<br>10115 Berlin<br>Germany")
      assert.include(text, "DE136695976 (not confirmed by us yet)")
      assert.notInclude(text, "<textarea")
      assert.strictEqual((yield* save(viewer)).status, 403)
    })
  )

  it.effect("what is wrong stands beside its field, what was typed stays, and nothing is written", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* openAccount
      for (const [over, message] of [
        [{ vatId: "DE136695977" }, "check digits do not fit"],
        [{ country: "FR" }, "This must begin with the country FR"],
        [{ country: "XX" }, "Choose one of the options"],
        [{ address: "1\n2\n3\n4\n5\n6\n7" }, "at most 6 lines"]
      ] as const) {
        const { status, text } = yield* save(owner, over)
        assert.strictEqual(status, 422)
        assert.include(text, message)
        assert.include(text, 'value="Garden Tools GmbH"')
      }
      assert.isNull(yield* (yield* EditBilling).of(account.accountId))
    })
  )

  it.effect(
    "a confirmed VAT id stays so with another name, and not with another id or country; issued invoices stay",
    () =>
      Effect.gen(function* () {
        const billing = yield* EditBilling
        const { owner, account } = yield* openAccount
        const { accountId } = account
        yield* topUp(accountId, 5_000)
        const agent = yield* issueKey(accountId)
        const { siteId } = yield* listSite()
        const treatment = Effect.gen(function* () {
          const { order_id } = yield* order(agent, [item(siteId)])
          const { invoice_id } = yield* invoiceOf(agent, order_id ?? OrderId.make(""))
          return yield* agent.api.invoices.getInvoice({ params: { id: invoice_id } })
        })
        yield* save(owner)
        assert.strictEqual((yield* treatment).vat_treatment, "standard")
        const confirm = (vatId: string) => billing.confirm({ accountId, vatId, confirmed: true }, "ben")
        assert.strictEqual((yield* Effect.flip(confirm("DE129273398")))._tag, "VatIdDiffers")
        yield* confirm("DE136695976")
        yield* save(owner, { name: "Garden Tools AG" })
        const reverse = yield* treatment
        assert.deepStrictEqual([reverse.vat_treatment, reverse.buyer.name], ["reverse_charge", "Garden Tools AG"])
        yield* save(owner, { vatId: "DE129273398" })
        assert.strictEqual((yield* treatment).vat_treatment, "standard")
        yield* save(owner)
        assert.isFalse((yield* billing.of(accountId))?.vatIdConfirmed)
        const again = yield* agent.api.invoices.getInvoice({ params: { id: reverse.invoice_id } })
        assert.deepStrictEqual(again, reverse)
      })
  )

  it.effect("pages where an amount is agreed to say what VAT is in it, as the invoice will have it", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* openAccount
      const { accountId } = account
      const agent = yield* issueKey(accountId)
      const { siteId } = yield* listSite()
      const { quote_id: quoteId, payment_url: url } = yield* order(agent, [item(siteId)])
      const pages = [`/account/quotes/${quoteId}`, new URL(url ?? "").pathname]
      const said = Effect.forEach(pages, (path) =>
        Effect.map(visit({ path, token: owner }), ({ text }) => / class="hint">([^<]*VAT[^<]*)</.exec(text)?.[1])
      )
      assert.deepStrictEqual(yield* said, ["Includes 20 % VAT, 0.83 EUR.", "Includes 20 % VAT, 0.83 EUR."])
      yield* save(owner)
      yield* (yield* EditBilling).confirm({ accountId, vatId: "DE136695976", confirmed: true }, "ben")
      assert.deepStrictEqual(yield* said, ["Without VAT (reverse charge).", "Without VAT (reverse charge)."])
      yield* visit({ method: "POST", path: `${pages[1]}/pay`, token: owner })
      const orderPath = (yield* visit({ path: pages[1] ?? "", token: owner })).location ?? ""
      assert.include((yield* visit({ path: orderPath, token: owner })).text, "Without VAT (reverse charge).")
      const issued = yield* invoiceOf(agent, OrderId.make(orderPath.split("/").at(-1) ?? ""))
      assert.strictEqual(issued.vat_eur, 0)
      yield* save(owner, { vatId: "DE129273398" })
      const { text } = yield* visit({ path: orderPath, token: owner })
      assert.include(text, "Without VAT (reverse charge).", "a document that is issued never changes")
    })
  )

  it.effect("no amount of VAT is named where none is charged", () =>
    Effect.sync(() => {
      const said = (treatment: VatTreatment) => vatText({ treatment, vatBasisPoints: 0 }, 6_000)
      assert.strictEqual(said("franchise"), "No VAT is charged.")
      assert.strictEqual(said("outside_eu"), "Without VAT (outside the European Union).")
      assert.isNull(vatText({ treatment: "standard", vatBasisPoints: 2_000 }, 0))
      assert.strictEqual(
        vatText({ treatment: "standard", vatBasisPoints: 550 }, 1_055),
        "Includes 5.5 % VAT, 0.55 EUR."
      )
    })
  )

  it.effect("each change is in the audit log, and one that changes nothing is not", () =>
    Effect.gen(function* () {
      const { owner, account, by } = yield* openAccount
      const { accountId } = account
      yield* save(owner)
      yield* save(owner)
      yield* (yield* EditBilling).confirm({ accountId, vatId: "DE136695976", confirmed: true }, "ben")
      const { records } = yield* (yield* WatchActivity).audit({ limit: 200, beforeId: null })
      const mine = records.filter(({ subject }) => subject === accountId)
      assert.deepStrictEqual(
        mine.slice(0, 2).map(({ actor, action, details }) => [actor, action, details["vatId"], details["confirmed"]]),
        [
          ["ben", "account.confirm_vat", "DE136695976", true],
          [by.memberId, "account.billing", "DE136695976", false]
        ]
      )
      assert.strictEqual(mine.filter(({ action }) => action === "account.billing").length, 1)
    })
  )
})
