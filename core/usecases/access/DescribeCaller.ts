// Tells a client what its credential is: whose, what it may do, and how much of its limits is left today.
import { Clock, Context, Effect, Layer } from "effect"
import { KeyNotFound } from "#core/domain/access/AccessRefusal.ts"
import type { ApiKey, Caller, Scope } from "#core/domain/access/ApiKey.ts"
import type { Account } from "#core/domain/members/Account.ts"
import { AccountNotFound } from "#core/domain/members/MemberRefusal.ts"
import { MAX_OPEN_QUOTES, type PlacedQuote } from "#core/domain/ordering/Quote.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import { dayEndsAtMs, type Millis, utcDay } from "#core/domain/shared/DecisionContext.ts"
import { ApiKeys } from "#core/ports/access/ApiKeys.ts"
import { Quotes } from "#core/ports/ordering/Quotes.ts"
import type { StoreUnavailable } from "#core/ports/shared/PortErrors.ts"
import { ServiceContext } from "#core/ports/shared/ServiceContext.ts"
import { Wallets } from "#core/ports/wallet/Wallets.ts"
import { SweepQuotes } from "../ordering/SweepQuotes.ts"
import { listedCredentials } from "../shared/ListedCredentials.ts"

export interface CallerDescription {
  readonly account: Account
  readonly key: ApiKey
  /** The caller's: an access token may have fewer than its connection. */
  readonly scopes: ReadonlyArray<Scope>
  /** Quotes per UTC day, the shop's default included; 0 means no cap. */
  readonly dailyOrderCap: number
  /** `null` where the key has no such limit. */
  readonly leftToday: { readonly orders: number | null; readonly cents: Cents | null; readonly resetsAtMs: Millis }
  /** Open quotes of the account in the caller's mode, the last to expire first; at most `MAX_OPEN_QUOTES`. */
  readonly openQuotes: ReadonlyArray<PlacedQuote>
}

const left = (limit: number, used: number): number => Math.max(0, limit - used)

export class DescribeCaller extends Context.Service<
  DescribeCaller,
  {
    readonly describe: (
      caller: Caller
    ) => Effect.Effect<CallerDescription, AccountNotFound | KeyNotFound | StoreUnavailable>
  }
>()("backlinks/usecases/access/DescribeCaller") {
  static readonly layer = Layer.effect(
    DescribeCaller,
    Effect.gen(function* () {
      const wallets = yield* Wallets
      const quotes = yield* Quotes
      const keys = yield* ApiKeys
      const sweeper = yield* SweepQuotes
      const { placedByEach } = yield* listedCredentials
      const { settings } = yield* ServiceContext

      const describe = Effect.fn("DescribeCaller.describe")(function* (caller: Caller) {
        const { accountId, keyId, mode, scopes } = caller
        // Abandoning what has expired gives its total back to the day of the key.
        yield* sweeper.sweepAccount(accountId)
        const view = yield* wallets.of(accountId)
        if (view === null) return yield* new AccountNotFound({ accountId })
        const found = (yield* keys.ofAccount(accountId)).find(({ key }) => key.keyId === keyId)
        if (found === undefined) return yield* new KeyNotFound({ keyId })
        const day = utcDay(yield* Clock.currentTimeMillis)
        const used = yield* wallets.dailyUsage(keyId, day)
        const { maxDayCents } = found.key.limits
        const dailyOrderCap = found.key.limits.dailyOrderCap ?? settings.dailyOrderCap
        return {
          account: view.account,
          key: found.key,
          scopes,
          dailyOrderCap,
          leftToday: {
            orders: dailyOrderCap === 0 ? null : left(dailyOrderCap, used.quotes),
            cents: maxDayCents === null ? null : left(maxDayCents, used.spentCents),
            resetsAtMs: dayEndsAtMs(day)
          },
          openQuotes: yield* placedByEach(caller, yield* quotes.open({ accountId, mode, limit: MAX_OPEN_QUOTES }))
        }
      })

      return DescribeCaller.of({ describe })
    })
  )
}
