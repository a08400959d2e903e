// Steps of mails about what agents order: a customer with an agent, its orders, and the mails that a real SMTP server took.
import { Effect, Redacted } from "effect"
import { ALL_SCOPES, noLimits, type SpendLimits } from "#core/domain/access/ApiKey.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { openAccount } from "#test/adapters/web/Visitors.ts"
import { item, topUp } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder } from "#test/scenarios/HttpCalls.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { type ReceivedMail, readable, smtpServer } from "./SmtpServer.ts"

/** An account with an owner, a viewer, credit, and an agent's key. */
export const customer = Effect.fnUntraced(function* (limits: Partial<SpendLimits> = {}, creditCents = 90_000) {
  const people = yield* openAccount
  const { accountId } = people.account
  if (creditCents > 0) yield* topUp(accountId, creditCents)
  const key = { accountId, mode: "live", label: "Assistant <b>", scopes: ALL_SCOPES } as const
  const { text } = yield* (yield* Credentials).issue({ ...key, limits: { ...noLimits, ...limits } }, "test")
  const { siteId } = yield* listSite()
  return { ...people, key: Redacted.value(text), siteId }
})

export type Customer = Effect.Success<ReturnType<typeof customer>>

/** The agent orders a link for 5.00 EUR. */
export const orderAs = Effect.fnUntraced(function* ({ key, siteId }: Customer) {
  const link = item(siteId, { target_url: "https://shop.example/", anchor_text: "tools", anchor_type: "exact" })
  return placedBy(yield* postOrder(key, { items: [link] }))
})

export const mailsTo = (received: ReadonlyArray<ReceivedMail>, email: string): ReadonlyArray<string> =>
  received.filter(({ recipients }) => recipients.includes(email)).map(readable)

/** Runs the test with a service whose mails this server takes. */
export const withMails = <A, E, R>(test: (server: Effect.Success<typeof smtpServer>) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(smtpServer, (server) =>
    Effect.provide(
      test(server),
      RunningService.layer({ SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: "service@shop.example" })
    )
  ).pipe(Effect.scoped)
