// Approval by a passkey in a real browser with a simulated authenticator: on the page itself, and assertions that were made for something
// else, which count for nothing.
import { it } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { browser, isLeftOut } from "./Browser.ts"
import { addPasskey, confirmation, openWithAuthenticator, sessionOf } from "./PasskeyBrowser.ts"
import { openAccount, visit } from "./Visitors.ts"
import { agentOf, pageOf } from "./WaitingOrder.ts"

const inBrowser = <A>(act: () => Promise<A>) => Effect.promise(act)

it.live.skipIf(isLeftOut)("an assertion approves the quote and the total that it was made for, and nothing else", () =>
  Effect.gen(function* () {
    const people = yield* openAccount
    const at = yield* openWithAuthenticator(yield* browser, people.ownerEmail)
    yield* inBrowser(() => addPasskey(at, "Laptop"))
    const token = yield* inBrowser(() => sessionOf(at))
    const agent = yield* agentOf(people)
    const [one, two] = [pageOf(yield* agent.order()), pageOf(yield* agent.order({ anchor_text: "another" }))]
    const approve = (page: typeof one, form: Readonly<Record<string, string>>) =>
      Effect.map(visit({ method: "POST", path: `${page.path}/approve`, token, form }), ({ status }) => status)
    const made = (page: typeof one, form: Readonly<Record<string, string>>) =>
      inBrowser(() => confirmation(at, `${page.path}/approve`, form))

    expect(yield* approve(one, one.form)).toBe(403)
    const others: ReadonlyArray<readonly [what: string, page: typeof one, form: Readonly<Record<string, string>>]> = [
      ["another quote", two, two.form],
      ["another total", one, { ...one.form, total: "1" }],
      ["another state", one, { ...one.form, state: "awaiting_payment" }],
      ["more than an approval", one, { ...one.form, always: "on", up_to: "100" }]
    ]
    for (const [what, page, form] of others) {
      const assertion = yield* made(page, form)
      expect([what, yield* approve(one, { ...one.form, assertion })]).toEqual([what, 403])
    }
    const plain = yield* made(one, one.form)
    expect(yield* approve(one, { ...one.form, always: "on", up_to: "100", assertion: plain })).toBe(403)
    expect((yield* agent.ask(`/quotes/${one.quoteId}`)).status).toBe("awaiting_approval")
    expect((yield* agent.ask("/me")).key.limits.approve_above_cents).toBe(0)

    expect(yield* approve(one, { ...one.form, assertion: yield* made(one, one.form) })).toBe(303)
    expect((yield* agent.ask(`/quotes/${one.quoteId}`)).status).toBe("paid")

    // On the page, the browser does all of it.
    const { page, home } = at
    yield* inBrowser(async () => {
      await page.goto(new URL(two.path, home).href)
      await page.getByText("Ask me less often").first().click()
      await page.getByLabel(/Always allow shop.example/).check()
      await page.getByLabel("Up to (EUR per order)").fill("7.50")
      await page.getByRole("button", { name: "Approve 5.00 EUR" }).click()
      await page.getByRole("status").filter({ hasText: "You approved it, and the order is placed." }).waitFor()
    })
    expect((yield* agent.ask(`/quotes/${two.quoteId}`)).status).toBe("paid")
    expect((yield* agent.ask("/me")).key.limits).toMatchObject({
      approve_above_cents: 0,
      always_allow: [{ domain: "shop.example", up_to_cents: 750 }]
    })
  }).pipe(Effect.scoped, Effect.provide(RunningService.layer()))
)
