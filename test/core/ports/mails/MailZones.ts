// Owners who read deadlines by other clocks than UTC.
import { Effect } from "effect"
import { chooseTimeZone } from "#core/decisions/members/Members.ts"
import type { Member } from "#core/domain/members/Member.ts"
import { OrderBook } from "#core/ports/ordering/OrderBook.ts"
import type { Due } from "./MailSteps.ts"

export const ZONE = "Asia/Tokyo"

export const chooseZone = Effect.fnUntraced(function* ({ accountId, memberId }: Member) {
  const decide = chooseTimeZone({ accountId, memberId, timeZone: ZONE })
  yield* (yield* OrderBook).transact({ _tag: "ForAccount", accountId }, decide)
})

/** The zones of mails that name a deadline. */
export const zonesOf = (mails: ReadonlyArray<Due>): ReadonlySet<string | null> =>
  new Set(mails.flatMap((mail) => ("orders" in mail ? [mail.timeZone] : [])))
