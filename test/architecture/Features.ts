// The features as data: the folders inside each ring of the core, and what may stand loose beside them. `FeatureRule` enforces it.

/** In the order in which a reader meets them; the same names in every ring, in the stores' `ports` and in the contract. */
export const features: ReadonlyArray<string> = [
  "ordering",
  "pricing",
  "wallet",
  "catalogue",
  "access",
  "members",
  "webhooks",
  "invoicing",
  "mails",
  "operations",
  "shared"
]

export interface FeatureRing {
  readonly folder: string
  /** Files that belong to no single feature. */
  readonly loose: ReadonlyArray<string>
  /** Folders beside the features. */
  readonly others?: ReadonlyArray<string>
  /** Files in a feature's folder; no bound where the ring only follows the names. */
  readonly bounds?: { readonly min: number; readonly max: number }
}

const bounds = { min: 2, max: 25 }

export const featureRings: ReadonlyArray<FeatureRing> = [
  { folder: "core/domain", loose: ["Refusal.ts", "ShopSettings.ts"], bounds },
  {
    folder: "core/decisions",
    // The one idea: reads as data, a pure decision, writes as data.
    loose: ["Apply", "Books", "Change", "Difference", "Draft", "Invariants", "Reads", "ResultFn"].map(
      (name) => `${name}.ts`
    ),
    others: ["invariants"],
    bounds
  },
  { folder: "core/ports", loose: [] },
  { folder: "core/usecases", loose: [], bounds },
  { folder: "adapters/contract", loose: [], others: ["decoding", "errors", "schema"] },
  { folder: "adapters/memory/ports", loose: [] },
  { folder: "adapters/postgres/ports", loose: [] }
]
