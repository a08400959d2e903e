// Step 052 makes invitations of members who may not know of their account: a member added them, and they never came.
import { it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { expect } from "vitest"
import { INVITATION_MS } from "#core/domain/members/Invitation.ts"
import { AccountId } from "#core/domain/shared/Ids.ts"
import { Invitations } from "#core/ports/members/Invitations.ts"
import { Members } from "#core/ports/members/Members.ts"
import { Reconciliation } from "#core/ports/operations/Reconciliation.ts"
import { accept } from "#test/core/ports/members/InvitationSteps.ts"
import { storeInstance } from "../StoreInstances.ts"
import { execute } from "../TestDatabase.ts"
import { databaseOfStep048 } from "./Step048.ts"

const HASH = "ab".repeat(32)

/** An account with its first owner, and members whom the first owner added, or the operator; each a day younger than the one before. */
const account = (id: string, members: ReadonlyArray<readonly [name: string, role: string, addedBy: string]>) => `
INSERT INTO accounts (account_id, version, name, email, balance_cents, held_cents, welcome_state, created_at_ms)
VALUES ('acc_${id}', '0123456789abcdefghjkmnpqrz', '${id}', 'first@${id}.example', 0, 0, 'available', 1000);
${members
  .map(
    ([name, role, addedBy], nth) => `
INSERT INTO members (member_id, account_id, email, role, created_at_ms)
VALUES ('mem_${id}_${name}', 'acc_${id}', '${name}@${id}.example', '${role}', ${2_000 + nth});
INSERT INTO audit (audit_id, actor, action, subject, details, at_ms, account_id)
VALUES ('aud_${id}_${name}', '${addedBy}', 'member.add', 'mem_${id}_${name}', '{}', 2000, 'acc_${id}');`
  )
  .join("")}`

const before = `
${account("garden", [
  ["never_came", "viewer", "mem_garden"],
  ["never_came_owner", "owner", "mem_garden"],
  ["by_operator", "viewer", "ada"],
  ["signed_in", "viewer", "mem_garden"],
  ["has_passkey", "viewer", "mem_garden"],
  ["has_app", "viewer", "mem_garden"],
  ["did_something", "viewer", "mem_garden"]
])}
INSERT INTO sessions VALUES ('ses_1', '${HASH}', 'mem_garden_signed_in', 'link', '192.0.2.1', '', 3000, 3000, 4000, NULL);
INSERT INTO passkeys VALUES ('pk_1', 'mem_garden_has_passkey', 'key', 'key', 0, '{}', 3000, NULL);
INSERT INTO totps VALUES ('mem_garden_has_app', 'sealed', 3000, 1, NULL, NULL);
INSERT INTO audit VALUES ('aud_garden_did', 'mem_garden_did_something', 'agents.stop', 'acc_garden', '{}', 3000, 'acc_garden');
${account("orphan", [
  ["oldest", "owner", "mem_orphan"],
  ["younger", "owner", "mem_orphan"]
])}
UPDATE members SET removed_at_ms = 3000 WHERE member_id = 'mem_orphan';
UPDATE accounts SET email = 'moved@orphan.example' WHERE account_id = 'acc_orphan';
${account("closed", [["never_came", "viewer", "mem_closed"]])}
UPDATE accounts SET closed_at_ms = 3000 WHERE account_id = 'acc_closed';`

const namesOf = (rows: ReadonlyArray<{ readonly email: string }>) => rows.map(({ email }) => email.split("@")[0])

it.live(
  "step 052 makes invitations of who never came, frees their addresses, and keeps the first and the last owner",
  () =>
    Effect.gen(function* () {
      const url = yield* databaseOfStep048
      yield* execute(url, `DO $load$ BEGIN EXECUTE '${before.replaceAll("'", "''")}'; END $load$`)
      const atMs = yield* Clock.currentTimeMillis
      yield* Effect.gen(function* () {
        const [members, invitations] = [yield* Members, yield* Invitations]
        const [garden, orphan, closed] = ["garden", "orphan", "closed"].map((id) => AccountId.make(`acc_${id}`))
        if (garden === undefined || orphan === undefined || closed === undefined) throw new Error("no account")
        expect(namesOf(yield* members.ofAccount(garden)).toSorted()).toEqual(
          ["first", "by_operator", "signed_in", "has_passkey", "has_app", "did_something"].toSorted()
        )
        const made = yield* invitations.ofAccount(garden)
        expect(new Set(namesOf(made))).toEqual(new Set(["never_came", "never_came_owner"]))
        for (const { invitedBy, outcome, createdAtMs, expiresAtMs } of made) {
          expect([invitedBy, outcome, expiresAtMs - createdAtMs]).toEqual([null, null, INVITATION_MS])
          expect(createdAtMs).toBeGreaterThan(atMs - 60_000)
        }
        expect(namesOf(yield* members.ofAccount(orphan))).toEqual(["oldest"])
        expect(namesOf(yield* invitations.ofAccount(orphan))).toEqual(["younger"])
        expect(namesOf(yield* members.ofAccount(closed))).toEqual(["first"])
        expect(yield* invitations.ofAccount(closed)).toEqual([])
        // No mail, but who signs in with the address may join again.
        const claim = { nowMs: atMs, leaseMs: 1_000, limit: 100 }
        expect(yield* invitations.claimMails(claim)).toEqual([])
        const [invited] = yield* invitations.openTo("NEVER_CAME@garden.example", atMs)
        if (invited === undefined) throw new Error("not invited")
        expect(yield* members.byEmail("never_came@garden.example")).toBe(null)
        expect((yield* accept(invited.invitation)).role).toBe("viewer")
        const { violations } = yield* (yield* Reconciliation).reconcile(100)
        expect(violations.filter(({ subject }) => /garden|orphan|closed/.test(subject))).toEqual([])
      }).pipe(Effect.provide(storeInstance(url)))
    }).pipe(Effect.scoped)
)
