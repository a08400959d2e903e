// Books that do not add up: the command line names what breaks which law, and its exit status says so to scripts.
import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { Proof } from "#adapters/operator/records/WatchRecords.ts"
import { openShop } from "#test/adapters/operator/Desk.ts"
import { commit, entry } from "#test/ports/Misdeeds.ts"
import { buyer } from "#test/scenarios/Buyers.ts"
import { operate, succeed } from "./Operating.ts"

const readProof = Schema.decodeUnknownSync(Schema.fromJsonString(Proof))

layer(openShop(), { excludeTestServices: true })("reconcile", (it) => {
  it.effect("exits with 1 and names what breaks", () =>
    Effect.gen(function* () {
      const { accountId } = yield* buyer({ creditCents: 100 })
      expect(yield* succeed("reconcile")).toContain("All of it agrees.")
      const over = { accountId, entryId: `led_${accountId}`, heldAfterCents: 106 }
      const unsound = entry({ balanceCents: 100, heldCents: 0 }, { kind: "top_up", cents: 5 }, over)
      yield* commit({ _tag: "ForAccount", accountId }, () => [{ _tag: "Credited", entry: unsound }])

      const told = yield* operate("reconcile")
      expect(told.out).toMatch(
        /^Looked at 1 account, \d+ ledger entries, 0 quotes, 0 orders, 0 links, 0 events, 0 deliveries\.$/m
      )
      expect(told.status).toBe(1)
      expect(told.out).toMatch(new RegExp(`wallet_is_sound +${accountId} +106 of 105 cents are held`))
      expect(told.err).toMatch(/^(One record breaks|\d+ records break) a law\.$/)
      const { status, out } = yield* operate("reconcile", "--json")
      expect(status).toBe(1)
      expect(readProof(out).findings.map(({ law }) => law)).toContain("wallet_is_sound")
    })
  )
})
