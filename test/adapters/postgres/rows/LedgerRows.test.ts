// The hold and the capture of one decision are one row, if the database derives exactly these two entries from it.
import { describe, expect, it } from "vitest"
import { type LedgerEntryWithHold, ledgerRowsOf } from "#adapters/postgres/rows/OrderRows.ts"

const ID_PREFIX = "01k5zqv8dwabcdefghjkmnpqrs"

const hold: LedgerEntryWithHold = {
  accountId: "acc_a",
  entryId: `led_${ID_PREFIX}02`,
  kind: "hold",
  amountCents: 500,
  balanceDeltaCents: 0,
  heldDeltaCents: 500,
  balanceAfterCents: 900,
  heldAfterCents: 700,
  quoteId: `q_${ID_PREFIX}00`,
  orderId: null,
  linkId: null,
  holdId: `hld_${ID_PREFIX}01`,
  atMs: 7
}

const capture: LedgerEntryWithHold = {
  ...hold,
  entryId: `led_${ID_PREFIX}05`,
  kind: "capture",
  balanceDeltaCents: -500,
  heldDeltaCents: -500,
  balanceAfterCents: 400,
  heldAfterCents: 200,
  orderId: `ord_${ID_PREFIX}03`
}

const kindsOf = (...entries: ReadonlyArray<LedgerEntryWithHold>) => ledgerRowsOf(entries).map(([, , kind]) => kind)

describe("new ledger entries", () => {
  it("are one row where credit pays at once", () => {
    expect(ledgerRowsOf([hold, capture])).toEqual([
      [...["acc_a", hold.entryId, "settlement", 500, -500, 0, 400, 200], null, null, null, null, 7, null, "05"]
    ])
    expect(kindsOf(hold, capture, { ...hold, accountId: "acc_b" }, capture)).toEqual(["settlement", "hold", "capture"])
  })

  it.each<readonly [string, Partial<LedgerEntryWithHold>, Partial<LedgerEntryWithHold>]>([
    ["a hold of another decision", { entryId: "led_01k5zqv8dwabcdefghjkmnpqrt02" }, {}],
    ["another place in the decision", { entryId: `led_${ID_PREFIX}03` }, {}],
    ["a capture of another decision", {}, { entryId: "led_01k5zqv8dwabcdefghjkmnpqrt05" }],
    ["a hold with another id", { holdId: "hld_other" }, { holdId: "hld_other" }],
    ["a capture of another hold", {}, { holdId: "hld_other" }],
    ["another quote", { quoteId: "q_other" }, { quoteId: "q_other" }],
    ["a capture for another quote", {}, { quoteId: "q_other" }],
    ["another order", {}, { orderId: "ord_other" }],
    ["another account", {}, { accountId: "acc_b" }],
    ["another amount", {}, { amountCents: 400 }],
    ["a balance between them that changed", {}, { balanceAfterCents: 300 }],
    ["a hold between them that changed", {}, { heldAfterCents: 100 }],
    ["another time", {}, { atMs: 8 }],
    ["a release", {}, { kind: "release" }]
  ])("are two rows otherwise: %s", (_, held, captured) => {
    expect(kindsOf({ ...hold, ...held }, { ...capture, ...captured })).toEqual(["hold", captured.kind ?? "capture"])
  })

  it("are as many rows as entries in any other order", () => {
    expect(kindsOf(capture, hold)).toEqual(["capture", "hold"])
    expect(kindsOf(hold)).toEqual(["hold"])
  })
})
