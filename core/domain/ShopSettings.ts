// The settings that decisions depend on. Read once from the configuration and passed to decisions as a value.
import { Schema } from "effect"
import type { ShelfTurnaround } from "./catalogue/Turnaround.ts"
import type { BasisPoints, Cents } from "./pricing/Money.ts"
import type { Tier2Prices } from "./pricing/Pricing.ts"

export interface ShopSettings {
  readonly welcomeBasisPoints: BasisPoints
  readonly tier2PricesCents: Tier2Prices
  /** Days to a link online, for sites without their own number. */
  readonly turnaroundDays: ShelfTurnaround
  /** The smallest charge that the payment processor accepts. */
  readonly cardMinimumCents: Cents
  /** The largest charge that the payment processor accepts. */
  readonly cardMaximumCents: Cents
  readonly quoteTtlMs: number
  /** Quotes per key and UTC day, unless the key has its own limit; 0 means no limit. */
  readonly dailyOrderCap: number
  /** Insertion articles that the open unpaid live quotes of one account may reserve; 0 means no limit. */
  readonly openArticlesMax: number
  /** Uses of one limited promo code that the open unpaid live quotes of one account may reserve; 0 means no limit. */
  readonly openCodeUsesMax: number
  /** Whether Plancton links are assigned automatically, until the operator sets the switch. */
  readonly fulfilment: Fulfilment
}

export const Fulfilment = Schema.Literals(["auto", "manual"])
export type Fulfilment = typeof Fulfilment.Type

export const defaultShopSettings: ShopSettings = {
  welcomeBasisPoints: 2_000,
  tier2PricesCents: { 1: 400, 3: 1_000, 5: 1_500 },
  turnaroundDays: { Plancton: 3, Corail: 7, Nautilus: 14 },
  cardMinimumCents: 50,
  cardMaximumCents: 99_999_999,
  quoteTtlMs: 24 * 60 * 60_000,
  dailyOrderCap: 20,
  openArticlesMax: 20,
  openCodeUsesMax: 3,
  fulfilment: "auto"
}
