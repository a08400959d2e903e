// Accounts that an operator opens by an address alone, finds by a part of what it knows, and whose members it changes.
import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import * as Accounts from "#adapters/operator/records/AccountRecords.ts"
import { MAX_PAGE } from "#adapters/operator/records/Fields.ts"
import { AccountId, MemberId } from "#core/domain/shared/Ids.ts"
import { ManageAccounts } from "#core/usecases/members/ManageAccounts.ts"
import { operatorService } from "#test/adapters/operator/OperatorService.ts"
import { joinAs } from "#test/core/decisions/members/JoinedMember.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { buyer, cart, issueKey, item } from "#test/scenarios/Buyers.ts"
import { listSite } from "#test/scenarios/CatalogueSetup.ts"
import { placedBy, postOrder, refusalIn } from "#test/scenarios/HttpCalls.ts"
import { refusal, runCommand, runJson, succeed } from "./RunCommand.ts"

const list = (...search: ReadonlyArray<string>) =>
  Effect.map(runJson(Schema.Array(Accounts.Account), "account", "list", ...search), (found) =>
    found.map(({ email }) => email)
  )

const open = (email: string, ...more: ReadonlyArray<string>) =>
  Effect.map(succeed("account", "open", "--email", email, ...more), (text) => /acc_\w+/.exec(text)?.[0] ?? "")

layer(operatorService(), { excludeTestServices: true })("accounts of an operator", (it) => {
  it.effect("are opened with an address alone, which is their name until they have another", () =>
    Effect.gen(function* () {
      const accountId = yield* open("ada@alone.example")
      expect(yield* succeed("account", "show", accountId)).toMatch(/name +ada@alone\.example/)
      yield* succeed("account", "edit", accountId, "--name", "Ada & Sons")
      expect(yield* succeed("account", "show", accountId)).toMatch(/name +Ada & Sons/)
      expect(yield* refusal("account", "open", "--email", "nowhere")).toContain("Must be an e-mail address.")
    })
  )

  it.effect("are found by a part of their id, name or address, with as many rows as asked for", () =>
    Effect.gen(function* () {
      const ids = []
      for (const nth of [1, 2, 3]) ids.push(yield* open(`sam${nth}@found.example`, "--name", `Garden ${nth}`))
      expect(yield* list("--search", "FOUND.example")).toEqual(
        ["sam3", "sam2", "sam1"].map((one) => `${one}@found.example`)
      )
      expect(yield* list("--search", "garden 2")).toEqual(["sam2@found.example"])
      expect(yield* list("--search", ids[0] ?? "")).toEqual(["sam1@found.example"])
      expect(yield* list("--search", "found.example", "--limit", "1")).toEqual(["sam3@found.example"])
      expect(yield* list("--search", "nobody has this")).toEqual([])
    })
  )

  it.effect("are listed over several pages of the service, newest first, each once", () =>
    Effect.gen(function* () {
      const { open: openAt } = yield* ManageAccounts
      const count = MAX_PAGE + 5
      for (const nth of times(count, (index) => index))
        yield* openAt({ name: `Paged ${nth}`, email: `paged${nth}@pages.example` }, "test")
      const all = yield* list("--search", "pages.example", "--limit", "1000")
      expect(all).toEqual(times(count, (index) => `paged${count - 1 - index}@pages.example`))
      const { out, err } = yield* runCommand("account", "list", "--limit", String(MAX_PAGE + 1))
      expect(out.trimEnd().split("\n")).toHaveLength(MAX_PAGE + 2)
      expect(err).toContain(`These are the first ${MAX_PAGE + 1}; --limit shows more.`)
    })
  )

  it.effect("have members, who are listed, invited and removed; the last owner stays", () =>
    Effect.gen(function* () {
      const accountId = yield* open("owner@members.example")
      const members = runJson(Schema.Array(Accounts.Member), "account", "members", "list", accountId)
      const [owner] = yield* members
      const add = (email: string, role: string) =>
        ["account", "members", "add", accountId, "--email", email, "--role", role] as const
      const invited = yield* succeed(...add("eve@members.example", "owner"))
      expect(invited).toContain(`eve@members.example is invited to ${accountId} as owner`)
      expect(yield* refusal(...add("Eve@members.example", "viewer"))).toContain("is invited already; nothing was done")
      // The address of another account's owner is answered like any other.
      yield* open("ida@members.example")
      expect(yield* succeed(...add("ida@members.example", "viewer"))).toContain("ida@members.example is invited to")
      const invitations = runJson(Schema.Array(Accounts.Invitation), "account", "members", "invitations", accountId)
      expect((yield* invitations).map(({ email, role }) => `${email} ${role}`)).toEqual([
        "eve@members.example owner",
        "ida@members.example viewer"
      ])
      expect((yield* members).map(({ email }) => email)).toEqual(["owner@members.example"])
      const withdrawing = (invitationId: string) => ["account", "members", "withdraw", accountId, invitationId] as const
      for (const { invitationId } of yield* invitations) {
        const withdrawn = yield* succeed(...withdrawing(invitationId))
        expect(withdrawn).toContain("can no longer accept the invitation")
        expect(yield* succeed(...withdrawing(invitationId))).toBe(withdrawn)
      }
      expect(yield* refusal(...withdrawing("ivt_none"))).toContain("no open invitation")
      expect((yield* succeed("audit")).match(/invitation\.withdraw.*/g)).toHaveLength(2)
      expect(yield* invitations).toEqual([])
      yield* joinAs({ accountId: AccountId.make(accountId), email: "eve@members.example", role: "owner" })
      expect(yield* refusal(...add("Eve@members.example", "viewer"))).toContain("nothing was done")
      expect((yield* members).map(({ email, role }) => `${email} ${role}`)).toEqual([
        "owner@members.example owner",
        "eve@members.example owner"
      ])
      const role = (memberId: string, to: string) =>
        ["account", "members", "role", accountId, memberId, "--role", to] as const
      expect(yield* succeed(...role(owner?.memberId ?? MemberId.make(""), "viewer"))).toContain(
        "owner@members.example is viewer"
      )
      const [, eve] = yield* members
      expect(yield* refusal(...role(eve?.memberId ?? MemberId.make(""), "viewer"))).toContain(
        "the account's last owner"
      )
      expect((yield* members).map((member) => member.role)).toEqual(["viewer", "owner"])
      const remove = (memberId: string) => ["account", "members", "remove", accountId, memberId] as const
      expect(yield* succeed(...remove(owner?.memberId ?? MemberId.make("")))).toContain("signed out everywhere")
      const [last] = yield* members
      expect(yield* refusal(...remove(last?.memberId ?? MemberId.make("")))).toContain("the account's last owner")
      expect(yield* refusal(...remove("mem_none"))).toContain("no member")
      expect(yield* refusal("account", "members", "list", "acc_none")).toContain("acc_none")
    })
  )

  it.effect("have their agents stopped and let order again, and their orders of every key listed", () =>
    Effect.gen(function* () {
      const who = yield* buyer({ creditCents: 10_000 })
      const { accountId } = who
      const sibling = yield* issueKey(accountId)
      const { siteId } = yield* listSite()
      const stranger = yield* buyer({ creditCents: 10_000 })
      const placed = []
      for (const { key } of [who, sibling, stranger]) placed.push(placedBy(yield* postOrder(key, cart([item(siteId)]))))
      const ids = placed.slice(0, 2).map(({ order_id }) => order_id)
      const listed = yield* succeed("order", "list", accountId)
      expect(listed.match(/ord_\w+/g)).toEqual(ids.toReversed())
      expect((yield* succeed("order", "list", accountId, "--limit", "1")).match(/ord_\w+/g)).toEqual([ids[1]])
      expect(yield* refusal("order", "list", "acc_none")).toContain("acc_none")

      expect(yield* succeed("account", "stop-agents", accountId)).toContain("orders any more")
      expect(yield* succeed("account", "show", accountId)).toMatch(/agents stopped/)
      for (const { key } of [who, sibling]) {
        const refused = refusalIn(yield* postOrder(key, cart([item(siteId)])))
        expect(refused).toMatchObject({ code: "spend_policy_refused", details: { rule: "agents_stopped" } })
      }
      yield* succeed("account", "resume-agents", accountId)
      expect(placedBy(yield* postOrder(who.key, cart([item(siteId)]))).status).toBe("paid")
      expect(yield* succeed("audit")).toMatch(/agents\.resume +acc_[\s\S]*agents\.stop +acc_/)
    })
  )
})
