// Top-ups on the pages: the form, the page of the simulated processor, and what becomes of a form that is sent again.
import { assert, layer } from "@effect/vitest"
import { Effect, Ref } from "effect"
import { ProcessorFaults } from "#bench/service/FaultyProcessor.ts"
import { formatEur } from "#core/domain/pricing/Money.ts"
import { type AccountId, ChargeId, ReversalId, TopUpId } from "#core/domain/shared/Ids.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { CheckBalance } from "#core/usecases/wallet/CheckBalance.ts"
import { FollowTopUps } from "#core/usecases/wallet/FollowTopUps.ts"
import { OpenTopUps } from "#core/usecases/wallet/OpenTopUps.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import { owing } from "#test/scenarios/OwingAccount.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { openAccount, visit, withoutBreaks } from "./Visitors.ts"

const FORM = "/account/credit/top-ups"

const hiddenId = (text: string): string => /name="top_up" value="([^"]+)"/.exec(text)?.[1] ?? ""

/** The path behind the link of the page that leads to the payment. */
const paymentPath = (text: string): string => /class="btn main" href="([^"]+)"/.exec(text)?.[1] ?? ""

const start = Effect.fnUntraced(function* (token: string, amount: string) {
  const id = hiddenId((yield* visit({ path: FORM, token })).text)
  const answer = yield* visit({ method: "POST", path: FORM, token, form: { top_up: id, amount } })
  return { id, ...answer }
})

/** An account, and a top-up of 25.00 EUR that waits for payment. */
const opened = Effect.gen(function* () {
  const people = yield* openAccount
  const { location } = yield* start(people.owner, "25")
  const path = location ?? ""
  const { text } = yield* visit({ path, token: people.owner })
  return { ...people, path, pay: paymentPath(text) }
})

const entriesOf = (accountId: AccountId) =>
  Effect.flatMap(CheckBalance, ({ ledger }) =>
    Effect.map(ledger({ accountId, mode: "live" }, { limit: 50, beforeId: null }), ({ entries }) => entries)
  )

layer(RunningService.layer())("top-up", (it) => {
  for (const [amount, message] of [
    ["4.99", "4.99 EUR is less than the smallest top-up, 5.00 EUR."],
    ["5000.01", "5,000.01 EUR is more than the largest top-up, 5,000.00 EUR."],
    ["ten", "such as 12.50"],
    ["-5", "This must not be below 0."]
  ] as const) {
    it.effect(`${amount} EUR is refused beside its field, which keeps it`, () =>
      Effect.gen(function* () {
        const { owner, account } = yield* openAccount
        const { id, status, text } = yield* start(owner, amount)
        assert.strictEqual(status, 422)
        assert.include(text, message)
        assert.include(text, `value="${amount}"`)
        assert.strictEqual(hiddenId(text), id)
        assert.include((yield* visit({ path: FORM, token: owner })).text, "No top-up yet")
        assert.deepStrictEqual(yield* entriesOf(account.accountId), [])
      })
    )
  }

  it.effect("the form has the amount that an agent asks for, where it is one that can be paid", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* openAccount
      const shown = (amount: string) =>
        Effect.map(
          visit({ path: `${FORM}?amount_eur=${amount}`, token: owner }),
          ({ text }) => /<input[^>]*name="amount"[^>]*>/.exec(text)?.[0] ?? ""
        )
      for (const [amount, value] of [
        ["50", "50.00"],
        ["5.00", "5.00"],
        ["5000", "5000.00"]
      ] as const)
        assert.include(yield* shown(amount), `value="${value}"`)
      for (const amount of ["4.99", "5000.01", "ten", "-50", "", "1e2", '50"><script>'])
        assert.notMatch(yield* shown(encodeURIComponent(amount)), /value="[^"]+"/)
      assert.include((yield* visit({ path: FORM, token: owner })).text, "No top-up yet")
      assert.deepStrictEqual(yield* entriesOf(account.accountId), [])
    })
  )

  it.effect("a form that is sent twice opens one top-up", () =>
    Effect.gen(function* () {
      const { owner } = yield* openAccount
      const first = yield* start(owner, "12,50")
      const form = { top_up: first.id, amount: "12,50" }
      const second = yield* visit({ method: "POST", path: FORM, token: owner, form })
      assert.deepStrictEqual([first.status, second.status], [303, 303])
      assert.strictEqual(second.location, first.location)
      const { text } = yield* visit({ path: FORM, token: owner })
      assert.strictEqual(text.split("awaiting payment").length - 1, 1)
    })
  )

  it.effect("ten payments of one top-up are one entry of credit, and the pages say that it is paid", () =>
    Effect.gen(function* () {
      const { account, owner, viewer, path, pay } = yield* opened
      const once = visit({ method: "POST", path: `${pay}/pay` })
      const answers = yield* Effect.all(
        times(10, () => once),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        new Set(answers.map(({ status, location }) => `${status} ${location}`)),
        new Set([`303 ${pay}`])
      )
      const entries = yield* entriesOf(account.accountId)
      assert.deepStrictEqual(
        entries.map(({ kind, amountCents }) => [kind, amountCents]),
        [["top_up", 2500]]
      )
      assert.include((yield* visit({ path: pay })).text, "Paid: thank you")
      assert.include((yield* visit({ path, token: viewer })).text, `${formatEur(2500)} paid`)
      assert.include((yield* visit({ path: "/account/credit", token: owner })).text, `figure">${formatEur(2500)}`)
    })
  )

  it.effect(
    "one whose payment page cannot be opened says so without loading itself again, and has its button later",
    () =>
      Effect.gen(function* () {
        const { owner } = yield* openAccount
        const { down } = yield* ProcessorFaults
        yield* Ref.set(down, true)
        const { location } = yield* start(owner, "25")
        const path = location ?? ""
        const stuck = yield* visit({ path, token: owner })
        yield* Ref.set(down, false)
        assert.include(withoutBreaks(stuck.text), "not answering. Nothing was charged. We try again by ourselves")
        assert.include(stuck.text, `<a class="btn" href="${path}">Look again</a>`)
        assert.notInclude(stuck.text, "http-equiv")
        yield* (yield* MovableClock).advance("1 minute")
        yield* (yield* OpenTopUps).sweep
        assert.match(paymentPath((yield* visit({ path, token: owner })).text), /^\/account\/top-up\//)
      })
  )

  it.effect("who says to have paid sees that it is not known yet, and may look again", () =>
    Effect.gen(function* () {
      const { owner, path, pay } = yield* opened
      const open = yield* visit({ path, token: owner })
      assert.include(open.text, `href="${path}?returned=paid"`)
      const list = (yield* visit({ path: "/account/credit/top-ups", token: owner })).text
      assert.include(list, '<button class="btn main" type="submit">Go to payment<')
      assert.match(
        list,
        /<a class="btn main sm" href="[^"]+" aria-label="Pay the top-up of 25.00\sEUR">Pay<[\s\S]+Cancel this top-up</
      )
      const waiting = yield* visit({ path: `${path}?returned=paid`, token: owner })
      assert.include(waiting.text, "Please do not pay again.")
      assert.notInclude(waiting.text, 'class="btn main"')
      yield* visit({ method: "POST", path: `${pay}/pay` })
      assert.include((yield* visit({ path: `${path}?returned=paid`, token: owner })).text, `${formatEur(2500)} paid`)
    })
  )

  it.effect("one that is not paid books nothing", () =>
    Effect.gen(function* () {
      const { account, owner, path, pay } = yield* opened
      assert.strictEqual((yield* visit({ method: "POST", path: `${pay}/abandon` })).status, 303)
      assert.include((yield* visit({ path, token: owner })).text, "Nothing was paid")
      assert.include((yield* visit({ path: pay })).text, "Nothing was charged")
      assert.deepStrictEqual(yield* entriesOf(account.accountId), [])
    })
  )

  it.effect("one that was refunded after it was spent: every page says what you owe, and the form has the amount", () =>
    Effect.gen(function* () {
      const { account, owner, path, pay } = yield* opened
      yield* visit({ method: "POST", path: `${pay}/pay` })
      // Spent meanwhile.
      const { accountId } = account
      const debit = { accountId, cents: 1_500, reference: "spent", reason: "spent" }
      yield* (yield* ManageAccounts).debitOnce(debit, "olga")
      const topUpId = TopUpId.make(path.split("/").at(-1) ?? "")
      const [reversalId, chargeId] = [ReversalId.make("ch_1"), ChargeId.make("ch_1")]
      const { reverse } = yield* FollowTopUps
      yield* reverse({ ...{ quoteId: topUpId, reversalId, chargeId }, kind: "refund", cents: 2_500, state: "final" })
      for (const page of ["/account", "/account/shop", "/account/credit"]) {
        const { text } = yield* visit({ path: page, token: owner })
        assert.include(text, `You owe ${formatEur(1_500)}.`)
        assert.include(text, `Top up ${formatEur(1_500)}`)
        assert.include(text, "All agents are stopped.")
      }
      const credit = yield* visit({ path: "/account/credit", token: owner })
      assert.include(credit.text, "Taken back")
      const csv = yield* visit({ path: "/account/credit.csv", token: owner })
      assert.match(csv.text, /,adjustment,-10(\.00)?,/)
      assert.include((yield* visit({ path: FORM, token: owner })).text, 'value="15.00"')
      const { location } = yield* start(owner, "15.00")
      const again = paymentPath((yield* visit({ path: location ?? "", token: owner })).text)
      yield* visit({ method: "POST", path: `${again}/pay` })
      assert.notInclude((yield* visit({ path: "/account", token: owner })).text, "You owe")
      const collected = yield* visit({ path: location ?? "", token: owner })
      assert.include(collected.text, "All of it paid what your account owed.")
      assert.include((yield* visit({ path: again })).text, "All of it paid what the account owed.")
      const reversed = yield* visit({ path, token: owner })
      assert.include(reversed.text, `It became credit of your account. Since then, ${formatEur(2_500)} were taken back`)
      const entries = yield* entriesOf(accountId)
      assert.deepStrictEqual(
        entries.slice(0, 2).map(({ kind, amountCents }) => [kind, amountCents]),
        [
          ["adjustment", 1_500],
          ["top_up", 1_500]
        ]
      )
    })
  )

  it.effect("one that pays more than is owed says what became of each part; the least there is is asked for", () =>
    Effect.gen(function* () {
      const { account, owner } = yield* openAccount
      const { accountId } = account
      yield* owing(accountId, 500)
      yield* (yield* ManageAccounts).topUp({ accountId, cents: 200, reference: "a part" }, "olga")
      for (const page of ["/account", "/account/shop"]) {
        const { text } = yield* visit({ path: page, token: owner })
        assert.include(text, `You owe ${formatEur(300)}.`)
        assert.include(text, `Top up ${formatEur(500)}`)
        assert.notInclude(text, `Top up ${formatEur(300)}`)
      }
      assert.include((yield* visit({ path: FORM, token: owner })).text, 'value="5.00"')
      const { location } = yield* start(owner, "5.00")
      const pay = paymentPath((yield* visit({ path: location ?? "", token: owner })).text)
      yield* visit({ method: "POST", path: `${pay}/pay` })
      const { text } = yield* visit({ path: location ?? "", token: owner })
      assert.include(text, `${formatEur(300)} of it paid what your account owed; ${formatEur(200)} became credit.`)
    })
  )

  it.effect("another account does not see it, and another site cannot send its forms", () =>
    Effect.gen(function* () {
      const { path, pay, account } = yield* opened
      const stranger = yield* openAccount
      const { status, text } = yield* visit({ path, token: stranger.owner })
      assert.strictEqual(status, 404)
      assert.notInclude(text, "25.00")
      const forged = yield* visit({ method: "POST", path: `${pay}/pay`, headers: { "sec-fetch-site": "cross-site" } })
      assert.strictEqual(forged.status, 403)
      assert.deepStrictEqual(yield* entriesOf(account.accountId), [])
    })
  )
})
