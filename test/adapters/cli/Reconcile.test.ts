// `reconcile` on corrupt books: names each violation and exits with status 1.
import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import { ReconciliationReport } from "#adapters/operator/records/MonitoringRecords.ts"
import { EntryId } from "#core/domain/shared/Ids.ts"
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { ledgerEntryAfter, writeCorrupt } from "#test/core/ports/operations/CorruptBooks.ts"
import { buyer } from "#test/scenarios/Buyers.ts"
import { runCommand, succeed } from "./RunCommand.ts"

const readProof = Schema.decodeUnknownSync(Schema.fromJsonString(ReconciliationReport))

layer(operatorService(), { excludeTestServices: true })("reconcile", (it) => {
  it.effect("exits with 1 in an empty store, such as one whose restore failed", () =>
    Effect.gen(function* () {
      const { status, out, err } = yield* runCommand("reconcile")
      expect(status).toBe(1)
      expect(out).not.toContain("agrees")
      expect(err).toBe("The store has no accounts: nothing was checked.")
    })
  )

  it.effect("exits with 1 and names the violations", () =>
    Effect.gen(function* () {
      const { accountId } = yield* buyer({ creditCents: 100 })
      expect(yield* succeed("reconcile")).toContain("All of it agrees.")
      const over = { accountId, entryId: EntryId.make(`led_${accountId}`), heldAfterCents: 106 }
      const unsound = ledgerEntryAfter({ balanceCents: 100, heldCents: 0 }, { kind: "top_up", cents: 5 }, over)
      yield* writeCorrupt({ _tag: "ForAccount", accountId }, () => [{ _tag: "Credited", entry: unsound }])

      const told = yield* runCommand("reconcile")
      expect(told.out).toMatch(
        /^Checked 1 account, \d+ ledger entries, 0 quotes, 0 orders, 0 links, 0 events, 0 deliveries\.$/m
      )
      expect(told.status).toBe(1)
      expect(told.out).toMatch(new RegExp(`wallet_is_sound +${accountId} +106 of 105 cents are held`))
      expect(told.err).toMatch(/^(One record violates|\d+ records violate) an invariant\.$/)
      const { status, out } = yield* runCommand("reconcile", "--json")
      expect(status).toBe(1)
      expect(readProof(out).findings.map(({ law }) => law)).toContain("wallet_is_sound")
    })
  )
})
