// Webhooks for all that an account's credentials place, in the mode of the key that made them.
import { Effect } from "effect"
import { expect } from "vitest"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { OwnCredentials } from "#core/usecases/access/OwnCredentials.ts"
import { inOrder } from "../core/BookReads.ts"
import { type Buyer, buyer, by, cart, issueKey, item } from "./Buyers.ts"
import { listSite } from "./CatalogueSetup.ts"
import { connectTo, ownerOf } from "./ConnectionSteps.ts"
import { expectConsistentBooks } from "./ConsistentBooks.ts"
import { call, placedBy, postOrder, refusalIn, WEBHOOKS } from "./HttpCalls.ts"
import { RunningService } from "./RunningService.ts"
import { scenarios } from "./ScenarioSuite.ts"
import { buyInShop } from "./ShopSteps.ts"

const free = { approveAboveCents: null, holdLookAlikes: false }

export const accountWebhooksSuite = scenarios("webhooks of an account", { WEBHOOK_INSECURE_TARGETS: "true" }, (it) => {
  it.effect("an account webhook hears every credential of its mode, and is its maker's alone", () =>
    Effect.gen(function* () {
      const { port, books } = yield* RunningService
      const url = `http://127.0.0.1:${port}/healthz`
      const first = yield* buyer({ creditCents: 50_000 })
      const second = yield* issueKey(first.accountId)
      const sandbox = yield* issueKey(first.accountId, { mode: "sandbox" })
      const chat = yield* connectTo(first.accountId, { limits: free })
      const add = (who: Pick<Buyer, "key">, scope: string) =>
        call("POST", WEBHOOKS, { key: who.key, body: { url, events: ["order.accepted"], scope } })
      const made = JSON.parse((yield* add(first, "account")).text)
      expect(made).toMatchObject({ scope: "account", active: true })
      const own = JSON.parse((yield* add(second, "key")).text)
      expect(own.scope).toBe("key")
      const { siteId } = yield* listSite()
      for (const { key } of [first, second, chat, sandbox]) placedBy(yield* postOrder(key, cart([item(siteId)])))
      const owner = yield* ownerOf(first.accountId)
      yield* buyInShop(owner)
      const heard = Effect.fnUntraced(function* (who: Pick<Buyer, "key">, id: string) {
        const { text } = yield* call("GET", `${WEBHOOKS}/${id}/deliveries`, { key: who.key })
        return JSON.parse(text).deliveries.length
      })
      expect(yield* heard(first, made.id)).toBe(4)
      expect(yield* heard(second, own.id)).toBe(1)
      const events = inOrder(
        (yield* books).events,
        ({ accountId, mode }) => accountId === first.accountId && mode === "live"
      )
      const member = { id: owner.member.memberId, kind: "member", label: "a member of the account" }
      expect(events.map(({ body }) => JSON.parse(body ?? "").data.order.placed_by)).toEqual([
        { id: first.keyId, kind: "key", label: "scenario" },
        { id: second.keyId, kind: "key", label: "scenario" },
        { id: chat.keyId, kind: "connection", label: "Chat" },
        member
      ])
      expect(JSON.parse(events.at(-1)?.body ?? "").data.order.items).toMatchObject([{ placed_by: member }])
      expect(events.map(({ body }) => body).join()).not.toContain(owner.member.email)
      const missing = yield* call("DELETE", `${WEBHOOKS}/${made.id}`, { key: second.key })
      expect(refusalIn(missing).code).toBe("webhook_not_found")
      const listed = JSON.parse((yield* call("GET", WEBHOOKS, { key: second.key })).text)
      expect(listed.webhooks.map(({ id }: { readonly id: string }) => id)).toEqual([own.id])

      const { setAccountView } = yield* OwnCredentials
      const chatty = JSON.parse((yield* add(chat, "account")).text)
      yield* setAccountView(chat.owner, chat.keyId, false, Effect.never)
      const ended = yield* call("POST", `${WEBHOOKS}/${chatty.id}/test`, { key: chat.key })
      expect(refusalIn(ended).code).toBe("webhook_not_found")
      const refused = refusalIn(yield* add(chat, "account"))
      expect([refused.status, refused.code, refused.recovery]).toEqual([403, "insufficient_scope", "human"])

      yield* add(second, "account")
      yield* add(sandbox, "account")
      yield* add(second, "account")
      const full = refusalIn(yield* add(first, "account"))
      expect([full.status, full.code]).toEqual([409, "webhook_limit_reached"])
      yield* (yield* Credentials).revoke(first.keyId, by)
      expect((yield* add(second, "account")).status).toBe(201)
      yield* expectConsistentBooks
    })
  )
})
