// What a cart may take off its price: the promotion code that its request names, and the account's welcome offer.
import { HashMap, Result } from "effect"
import { type Account, welcomeIsFree } from "#core/domain/members/Account.ts"
import type { OrderRequest } from "#core/domain/pricing/Cart.ts"
import type { Offers } from "#core/domain/pricing/Discount.ts"
import type { Cents } from "#core/domain/pricing/Money.ts"
import { PromoCodeInvalid } from "#core/domain/pricing/PriceRefusal.ts"
import { normaliseCode, ownReservation, usePromo } from "#core/domain/pricing/Promo.ts"
import { usedByAnother, welcomeDomainsOf } from "#core/domain/pricing/WelcomeUse.ts"
import type { ShopSettings } from "#core/domain/ShopSettings.ts"
import type { DecisionContext, Mode } from "#core/domain/shared/DecisionContext.ts"
import type { AccountId } from "#core/domain/shared/Ids.ts"
import { type Books, find } from "../Books.ts"

/** `null` without a code. */
export const promoOffer = (
  books: Books,
  promoCode: string | undefined,
  use: { readonly accountId: AccountId; readonly grossCents: Cents; readonly nowMs: number }
): Result.Result<Offers["promo"], PromoCodeInvalid> => {
  if (promoCode === undefined) return Result.succeed(null)
  const code = normaliseCode(promoCode)
  const promo = find(books.promos, code)
  return usePromo(promo, use).pipe(
    Result.map((amountCents) => ({ code, amountCents })),
    Result.mapError((reason) => {
      const minimum = reason === "minimum_not_met" ? promo?.minimumCents : undefined
      const reservedBy = promo === undefined ? undefined : ownReservation(promo, use, reason)
      return new PromoCodeInvalid({
        code,
        reason,
        ...(minimum == null ? {} : { minimumCents: minimum }),
        ...(reservedBy === undefined ? {} : { reservedBy })
      })
    })
  )
}

export interface CartToPrice {
  readonly account: Account
  readonly mode: Mode
  readonly request: OrderRequest
  readonly settings: ShopSettings
}

/**
 * The first of the target domains because of which a self-opened account does not get the welcome offer: another account has spent it
 * there. All others get it wherever they link to.
 */
export const welcomeUsedFor = (
  books: Books,
  { selfOpened, accountId }: Account,
  domains: ReadonlyArray<string>
): string | undefined =>
  selfOpened === true ? usedByAnother(HashMap.values(books.welcomeUses), domains, accountId) : undefined

/**
 * In sandbox a reserved welcome offer counts as available, so that sandbox orders show it until a live order spends it. A live one that
 * another open quote reserves is named with that quote, so that its price is no surprise.
 */
export const welcomeOffer = (
  books: Books,
  { nowMs }: DecisionContext,
  { account, mode, request, settings }: CartToPrice
): Offers["welcome"] => {
  const { welcome } = account
  const { welcomeBasisPoints: basisPoints } = settings
  if (welcome.state === "spent" || basisPoints === 0) return null
  const usedForDomain = welcomeUsedFor(books, account, welcomeDomainsOf(request).domains)
  if (usedForDomain !== undefined) return { basisPoints, usedForDomain }
  const free = mode === "sandbox" || welcome.state === "available" || welcomeIsFree(welcome, nowMs)
  return free ? { basisPoints } : { basisPoints, reservedBy: welcome.quoteId }
}
