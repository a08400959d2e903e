// Names from outside reach the terminal as text, without control characters.
import { expect, it } from "vitest"
import { linesOf, timeOfDay } from "#bench/headless/Transcript.ts"
import { AccountId } from "#core/domain/shared/Ids.ts"

const atMs = Date.UTC(2027, 0, 4, 9)

it("replaces control characters, line breaks and changes of direction", () => {
  const name = "Ada\u001b]0;owned\u0007\u009b2J\r\n\u202eLtd"
  const joined = {
    _tag: "ActorJoined",
    actorId: "acc_1",
    kind: "buyer",
    name,
    accountId: AccountId.make("acc_1"),
    mode: "live"
  } as const
  expect(linesOf({ ...joined, atMs }, timeOfDay)).toEqual([
    "2027-01-04 09:00:00.000  acc_1         Ada ]0;owned 2J Ltd joins (buyer)"
  ])
})
