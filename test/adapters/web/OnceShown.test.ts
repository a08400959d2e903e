// Forms that make a secret, sent again after an answer that was lost or late: the same secret, until it is kept, and nothing new.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { SHOWN_ONCE_MS } from "#core/domain/members/Factor.ts"
import { AuditLog } from "#core/ports/members/AuditLog.ts"
import { Credentials } from "#core/usecases/access/Credentials.ts"
import { ResetCodes } from "#core/usecases/members/ResetCodes.ts"
import { receiver } from "#test/adapters/outbound/Receiver.ts"
import { concurrently, times } from "#test/core/ports/StoreSuite.ts"
import { issueKey } from "#test/scenarios/Buyers.ts"
import { MovableClock } from "#test/scenarios/MovableClock.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp, nextCode } from "./AuthenticatorApps.ts"
import { openAccount, visit } from "./Visitors.ts"

const NEW_KEY = { label: "Assistant", mode: "live", may_read: "on", may_order: "on" }

const formIdIn = (text: string, before = ""): string =>
  /name="form_id" value="([^"]+)"/.exec(text.slice(text.indexOf(before)))?.[1] ?? ""

const keyIn = (text: string): string | undefined => /sn_live_\w{38}/.exec(text)?.[0]

const auditsOf = (action: string) =>
  Effect.flatMap(AuditLog, ({ page }) =>
    Effect.map(page({ limit: 100, beforeId: null }), ({ records }) =>
      records.filter((record) => record.action === action)
    )
  )

layer(RunningService.layer({ WEBHOOK_INSECURE_TARGETS: "true" }), { excludeTestServices: true })(
  "a secret that a form makes",
  (it) => {
    it.effect("is one key, however often and however much at once the form is sent", () =>
      Effect.gen(function* () {
        const { account, owner: token, viewer } = yield* openAccount
        const path = "/account/keys"
        const form = { ...NEW_KEY, form_id: formIdIn((yield* visit({ path, token })).text) }
        expect(form.form_id).toMatch(/^[\w-]{22}$/)
        const send = visit({ method: "POST", path, token, form })
        const answers = yield* concurrently(times(10, () => send))
        const [at = ""] = [...new Set([...answers, yield* send].map(({ location }) => location ?? ""))]
        expect(answers.map(({ status, location }) => [status, location])).toEqual(answers.map(() => [303, at]))
        expect(yield* (yield* Credentials).list(account.accountId)).toHaveLength(1)
        // A reload shows it again, to this session alone, until it is kept.
        const shown = [yield* visit({ path: at, token }), yield* visit({ path: at, token })]
        const [text = "", again] = shown.map((one) => keyIn(one.text))
        expect(again).toBe(text)
        expect((yield* (yield* Credentials).list(account.accountId))[0]?.key.lastFour).toBe(text.slice(-4))
        const other = yield* openAccount
        expect((yield* visit({ path: at, token: other.owner })).status).toBe(404)
        expect((yield* visit({ path: at, token: viewer })).status).toBe(403)
        expect((yield* visit({ method: "POST", path: `${at}/kept`, token: other.owner })).status).toBe(303)
        expect((yield* visit({ path: at, token })).status).toBe(200)
        const kept = yield* visit({ method: "POST", path: `${at}/kept`, token })
        expect([kept.status, kept.location]).toEqual([303, path])
        const gone = yield* visit({ path: at, token })
        expect([gone.status, keyIn(gone.text)]).toEqual([404, undefined])
        // The form sent once more, as by a button of the browser, makes nothing and leads there.
        expect((yield* send).location).toBe(at)
        expect((yield* visit({ path: at, token })).status).toBe(404)
        expect(yield* (yield* Credentials).list(account.accountId)).toHaveLength(1)
        // A form that has no id, as from a page of a version before, makes one each time.
        for (let sent = 0; sent < 2; sent++) yield* visit({ method: "POST", path, token, form: NEW_KEY })
        expect(yield* (yield* Credentials).list(account.accountId)).toHaveLength(3)
      })
    )

    it.effect("wants one confirmation, and is made by the form that is corrected", () =>
      Effect.gen(function* () {
        const { account, owner: token } = yield* openAccount
        const app = yield* addApp(token)
        const path = "/account/keys"
        const form = { ...NEW_KEY, form_id: formIdIn((yield* visit({ path, token })).text) }
        const refused = yield* visit({ method: "POST", path, token, form: { ...form, code: "000000" } })
        expect([refused.status, formIdIn(refused.text)]).toEqual([403, form.form_id])
        const code = yield* nextCode(app)
        const corrected = { ...form, label: "Another", code }
        const made = yield* visit({ method: "POST", path, token, form: corrected })
        // The code counted, and its form may come again.
        const again = yield* visit({ method: "POST", path, token, form: corrected })
        expect([made.status, again.status, again.location]).toEqual([303, 303, made.location])
        const [key, ...others] = yield* (yield* Credentials).list(account.accountId)
        expect([key?.key.label, others]).toEqual(["Another", []])
        expect((yield* visit({ path: made.location ?? "", token })).text).toContain("Another")
      })
    )

    it.effect("is shown for ten minutes at most", () =>
      Effect.gen(function* () {
        const { owner: token } = yield* openAccount
        const { location } = yield* visit({ method: "POST", path: "/account/keys", token, form: NEW_KEY })
        yield* (yield* MovableClock).advance(SHOWN_ONCE_MS - 10_000)
        expect((yield* visit({ path: location ?? "", token })).status).toBe(200)
        yield* (yield* MovableClock).advance(10_000)
        expect((yield* visit({ path: location ?? "", token })).status).toBe(404)
      })
    )

    it.effect("is one signing secret of a webhook, and the one before stays good", () =>
      Effect.gen(function* () {
        const { account, owner: token } = yield* openAccount
        const { api } = yield* issueKey(account.accountId)
        const events = ["order.accepted"] as const
        const { url } = yield* receiver()
        const hook = yield* api.webhooks.createWebhook({ payload: { url, events } })
        const page = `/account/webhooks/${hook.id}`
        const form_id = formIdIn((yield* visit({ path: page, token })).text)
        const send = visit({ method: "POST", path: `${page}/rotate`, token, form: { form_id } })
        const [first, second] = [yield* send, yield* send]
        expect([first.status, second.status, second.location]).toEqual([303, 303, first.location])
        const secret = /whsec_[\w-]+/.exec((yield* visit({ path: first.location ?? "", token })).text)?.[0]
        expect(secret).toBe(/whsec_[\w-]+/.exec((yield* visit({ path: first.location ?? "", token })).text)?.[0])
        const { books } = yield* RunningService.RunningService
        const subscriptions = JSON.stringify([...(yield* books).subscriptions].map(([, one]) => one))
        expect(subscriptions.match(/untilMs/g)).toHaveLength(1)
      })
    )

    it.effect("is one code for a member, which is told of once", () =>
      Effect.gen(function* () {
        const { owner: token, viewerEmail, viewerMember } = yield* openAccount
        const settings = "/account/settings"
        const path = `${settings}/members/${viewerMember.memberId}/code`
        const form_id = formIdIn((yield* visit({ path: settings, token })).text, `action="${path}"`)
        const before = (yield* auditsOf("factor.code_issued")).length
        const send = visit({ method: "POST", path, token, form: { form_id } })
        const [first, second] = [yield* send, yield* send]
        expect([first.status, second.location]).toEqual([303, first.location])
        expect((yield* auditsOf("factor.code_issued")).length - before).toBe(1)
        const { text } = yield* visit({ path: first.location ?? "", token })
        expect(text).toContain(viewerEmail)
        const code = /[0-9A-F]{4}(?:-[0-9A-F]{4}){4}/.exec(text)?.[0] ?? ""
        expect(yield* (yield* ResetCodes).use(viewerMember.memberId, code)).toBe(true)
      })
    )
  }
)
