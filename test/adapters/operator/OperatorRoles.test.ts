// Operator tokens with names and roles: every call with every role, the names in the audit log, wrong tokens.
import { layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { expect } from "vitest"
import { OPERATOR_PATH } from "#adapters/operator/OperatorRpcs.ts"
import { OperatorRole } from "#core/domain/members/Actor.ts"
import { call, refusalIn } from "#test/scenarios/HttpCalls.ts"
import { RunningService } from "#test/scenarios/RunningService.ts"
import { operatorClient, operatorClientWith, operatorService } from "./OperatorService.ts"
import { message, type Tag, validPayloads } from "./Payloads.ts"

/** Each role, in the test, is also the name of its operator. */
const tokenOf = (role: OperatorRole) => `token-of-${role}-0123456789`

const OPERATOR_TOKENS = OperatorRole.literals.map((role) => `${role}-1:${role}:${tokenOf(role)}`).join(",")

/** The role besides `admin` that a call takes; a new call without an entry does not compile. */
const expected: { readonly [T in Tag]: OperatorRole } = {
  openAccount: "admin",
  listMembers: "reader",
  inviteMember: "admin",
  listInvitations: "reader",
  withdrawInvitation: "admin",
  removeMember: "admin",
  changeMemberRole: "admin",
  stopAgents: "admin",
  listOrders: "reader",
  changeEmail: "admin",
  editAccount: "admin",
  showBilling: "reader",
  saveBilling: "finance",
  confirmVatId: "finance",
  listInvoices: "reader",
  showInvoice: "reader",
  renderInvoice: "reader",
  showSeller: "reader",
  issueFactorCode: "admin",
  createReviewer: "admin",
  listReviewers: "admin",
  endReviewer: "admin",
  closeAccount: "admin",
  listAccounts: "reader",
  showAccount: "reader",
  topUp: "finance",
  debit: "finance",
  listApprovals: "reader",
  listSetAside: "reader",
  showRetention: "reader",
  resolvePayment: "finance",
  readLedger: "reader",
  issueKey: "admin",
  listKeys: "reader",
  limitKey: "admin",
  rotateKey: "admin",
  revokeKey: "admin",
  pauseKey: "admin",
  pauseConnection: "admin",
  listConnections: "reader",
  limitConnection: "admin",
  revokeConnection: "admin",
  listGoods: "admin",
  importRows: "admin",
  findMissing: "reader",
  listSites: "reader",
  listPromos: "reader",
  showSite: "reader",
  listProjects: "reader",
  planProject: "reader",
  queue: "reader",
  assign: "fulfilment",
  advance: "fulfilment",
  publish: "fulfilment",
  verify: "fulfilment",
  correct: "fulfilment",
  cancelLink: "finance",
  cancelOrder: "finance",
  switchFulfilment: "fulfilment",
  showFulfilment: "reader",
  showOrder: "reader",
  showQuote: "reader",
  payQuote: "finance",
  approveQuote: "finance",
  declineQuote: "finance",
  abandonQuote: "finance",
  readAudit: "reader",
  listWebhooks: "reader",
  listDeliveries: "reader",
  countSigningKeys: "reader",
  reconcile: "reader",
  watch: "reader"
}

// `Object.keys` loses the names, which are those of the type.
const tags = Object.keys(expected) as ReadonlyArray<Tag>

const send = (tag: Tag, token: string) =>
  call("POST", OPERATOR_PATH, { body: message(tag, validPayloads[tag]), key: token })

const isOpenTo = (role: OperatorRole, tag: Tag) =>
  role === "admin" || expected[tag] === "reader" || expected[tag] === role

const refused = OperatorRole.literals.flatMap((role) =>
  tags.filter((tag) => !isOpenTo(role, tag)).map((tag) => ({ role, tag }))
)
const admitted = OperatorRole.literals.flatMap((role) =>
  tags.filter((tag) => tag !== "watch" && isOpenTo(role, tag)).map((tag) => ({ role, tag }))
)

layer(operatorService({ OPERATOR_TOKENS }), { excludeTestServices: true })("operator roles", (it) => {
  it.effect.each(refused)("$role may not call $tag, and nothing is written", ({ role, tag }) =>
    Effect.gen(function* () {
      const { books } = yield* RunningService
      const before = yield* books
      const answer = yield* send(tag, tokenOf(role))
      expect(answer.status).toBe(403)
      expect(refusalIn(answer).code).toBe("insufficient_role")
      expect(refusalIn(answer).message).toContain(`the role ${expected[tag]}`)
      expect(yield* books).toBe(before)
    })
  )

  it.effect.each(admitted)("$role may call $tag", ({ role, tag }) =>
    Effect.gen(function* () {
      const answer = yield* send(tag, tokenOf(role))
      // Handled: a message of the RPC protocol, be it a result or the refusal of an unknown record.
      expect(answer.status).toBe(200)
      expect(answer.text).toContain('"Exit"')
      expect(answer.text).not.toContain("insufficient_role")
    })
  )

  it.effect("lets only an admin override the site of a published URL", () =>
    Effect.gen(function* () {
      for (const tag of ["publish", "correct"] as const) {
        const body = message(tag, { ...validPayloads[tag], anyway: true })
        const codes = yield* Effect.forEach(["fulfilment", "admin"] as const, (role) =>
          Effect.map(call("POST", OPERATOR_PATH, { body, key: tokenOf(role) }), ({ status }) => status)
        )
        expect(codes).toEqual([403, 200])
      }
    })
  )

  it.effect("records each change under the name of its token, whatever the client calls itself", () =>
    Effect.gen(function* () {
      const admin = yield* operatorClientWith(tokenOf("admin"), "Eve")
      const finance = yield* operatorClientWith(tokenOf("finance"))
      const shared = yield* operatorClient("Grace")
      const { accountId } = yield* admin.openAccount({ name: "Ada", email: "roles@brand.example" })
      yield* finance.topUp({ accountId, cents: 100, reference: "transfer of roles" })
      yield* shared.topUp({ accountId, cents: 100, reference: "another transfer of roles" })
      const { records } = yield* finance.readAudit({ limit: 3 })
      expect(records.map(({ actor }) => actor)).toEqual(["Grace", "finance-1", "admin-1"])
    })
  )

  it.effect("refuses the shared token under the name of another token", () =>
    Effect.gen(function* () {
      const disguised = yield* operatorClientWith(tokenOf("reader").replace(/.$/, "x"), "finance-1")
      expect((yield* Effect.flip(disguised.listAccounts({ limit: 1 }))).code).toBe("invalid_operator_token")
      const shared = yield* operatorClient("Finance-1")
      const error = yield* Effect.flip(shared.listAccounts({ limit: 1 }))
      expect(error.code).toBe("validation_failed")
      expect(error.message).toContain("OPERATOR_TOKENS")
    })
  )

  it.effect("answers a right token while an address's wrong ones wait", () =>
    Effect.gen(function* () {
      const wrong = Effect.forEach(Array.from({ length: 100 }), () => send("queue", "not-the-token-0123"), {
        concurrency: "unbounded"
      })
      const attack = yield* Effect.forkChild(wrong)
      const reader = yield* operatorClientWith(tokenOf("reader"))
      expect(yield* reader.listAccounts({ limit: 1 })).toHaveProperty("accounts")
      const answers = yield* Fiber.join(attack)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    })
  )
})
