// The shop's settings that its rules depend on. Read once from the configuration and handed to decisions as a value.
import type { BasisPoints, Cents } from "./Money.ts"
import type { Tier2Prices } from "./Pricing.ts"

export interface ShopSettings {
  readonly welcomeBasisPoints: BasisPoints
  readonly tier2PricesCents: Tier2Prices
  /** The least the payment processor charges. */
  readonly cardMinimumCents: Cents
  readonly quoteTtlMs: number
  /** Quotes per key and UTC day unless the key has its own; 0 is no cap. */
  readonly dailyOrderCap: number
  /** Who assigns Plancton links while the operator has not thrown the switch. */
  readonly fulfilment: Fulfilment
}

export type Fulfilment = "auto" | "manual"

export const defaultShopSettings: ShopSettings = {
  welcomeBasisPoints: 2_000,
  tier2PricesCents: { 1: 400, 3: 1_000, 5: 1_500 },
  cardMinimumCents: 50,
  quoteTtlMs: 24 * 60 * 60_000,
  dailyOrderCap: 20,
  fulfilment: "auto"
}
