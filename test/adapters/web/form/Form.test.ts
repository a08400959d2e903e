// The one way in which forms are shown, refused and done, on a page of two forms and on a page that asks.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { line } from "#adapters/contract/schema/Text.ts"
import { html } from "#adapters/html/Html.ts"
import { errorSummary } from "#adapters/web/form/ErrorSummary.ts"
import { anyText, eurField, wholeField } from "#adapters/web/form/FieldSchemas.ts"
import { choice, hidden, lines, seen, text, tick, under, wasSeen } from "#adapters/web/form/Fields.ts"
import { askPage, form, refuse, showForm, submit } from "#adapters/web/form/Form.ts"
import { ticks } from "#adapters/web/form/Groups.ts"
import { type Page, page, type Reply, seeOther, type Visit } from "#adapters/web/Page.ts"
import { KeyLimitReached, KeyNotFound } from "#core/domain/access/AccessRefusal.ts"
import type { Confirmed } from "#core/domain/members/Confirmation.ts"
import { NotConfirmed } from "#core/domain/members/MemberRefusal.ts"
import type { SignedIn } from "#core/domain/members/Session.ts"
import { KeyId } from "#core/domain/shared/Ids.ts"
import { ConfirmAction } from "#core/usecases/members/ConfirmAction.ts"

const SEEN = { total: "500" }

const wish = form({
  path: "/things/:id/wish",
  fields: {
    key: hidden(anyText),
    ...seen(SEEN),
    name: text(line(1, 10), "Name", { hint: "As on the door.", required: true, maxLength: 10 }),
    secret: text(anyText, "Secret", { type: "password", once: true }),
    ...under("Limits", {
      most: text(Schema.optionalKey(eurField), "Most", { inputMode: "decimal" }),
      sure: tick("Sure")
    }),
    kind: choice(Schema.Literals(["a", "b"]), "Kind", [
      { value: "a", label: "one" },
      { value: "b", label: "two" }
    ]),
    brief: lines(anyText, "Brief")
  },
  confirms: "action",
  kind: "pay",
  button: "Wish"
})

const other = form({ path: "/things/:id/other", fields: { word: text(line(1, 3), "Word") }, button: "Say" })

const thing = page("owner", "/things/:id", { section: "Keys", title: "Thing" }, function* (visit) {
  const values = { key: "k1", name: "first", kind: "b", sure: "on" }
  return html`${yield* showForm(wish, visit, { values })}${yield* showForm(other, visit)}`
})

const TYPED = { key: "k2", total: "1", name: "<b>", secret: "hush", most: "12,50", kind: "a", brief: "\nlong" }

const wished = submit("owner", wish, thing, function* ({ name, most, sure, kind }, { form: typed, confirm }) {
  if (name === "taken") return yield* refuse({ name: "It is taken." })
  if (name === "full") return yield* new KeyLimitReached({ limit: 5 })
  if (name === "gone") return yield* new KeyNotFound({ keyId: KeyId.make("none") })
  if (name === "stale") return yield* refuse("It has changed.", 409)
  yield* confirm
  return seeOther("/things", `${name} ${most ?? "–"} ${sure ?? "–"} ${kind} ${wasSeen(SEEN, typed)}`)
})

const said = submit("owner", other, thing, function* ({ word }) {
  return seeOther("/things", word)
})

const count = form({
  path: "/things/:id/count",
  fields: { nth: hidden(wholeField(1, 9)), word: text(anyText, "Word") }
})

const counting = page("owner", "/things/:id/counting", { section: "Keys" }, function* (visit) {
  return yield* showForm(count, visit, { values: { nth: "7" } })
})

const numbered = submit("owner", count, counting, function* () {
  return seeOther("/things")
})

const pressed = form({
  path: "/things/:id/press",
  fields: { role: hidden(anyText) },
  button: "Press",
  confirms: "action"
})

const asks = askPage("owner", pressed, "Keys", function* () {
  return { title: "Press it", says: html`<p>It is pressed.</p>`, back: "/things" }
})

const press = submit("owner", pressed, asks, function* (_, { confirm }) {
  yield* confirm
  return seeOther("/things", "Pressed.")
})

/** The code 123456 confirms. */
const confirming = ConfirmAction.of({
  need: () => Effect.succeed({ isNeeded: true, passkey: false, totp: true }),
  challenge: () => Effect.succeed("{}"),
  confirm: (_who, _action, { code }) =>
    code === "123456"
      ? // Only the use case makes one.
        Effect.succeed({} as Confirmed)
      : Effect.fail(new NotConfirmed({ reason: code === "" ? "missing" : "refused" })),
  confirmFactorChange: () => Effect.die("no factor is changed"),
  confirmSession: () => Effect.die("the router asks for it")
})

const answer = (to: Page<ConfirmAction>, path: string, typed: Readonly<Record<string, string>> = {}) => {
  const visit: Visit<SignedIn> = {
    // Nothing of the member is looked at.
    who: {} as SignedIn,
    ...{ path, params: { id: "t1" }, query: new URLSearchParams(), form: new URLSearchParams(typed) },
    ...{ network: "", userAgent: "", devices: "", asked: "", consentId: "", refused: null, next: null }
  }
  return Effect.provideService(to.answer(visit), ConfirmAction, confirming)
}

const send = (typed: Readonly<Record<string, string>>) => answer(wished, "/things/t1/wish", typed)

/** The page with what it says first. */
const shown = (reply: Reply) =>
  reply._tag === "Page"
    ? { status: reply.status, text: `${errorSummary(reply.refused, reply.body).text}${reply.body.text}` }
    : { status: 0, text: JSON.stringify(reply) }

const includes = ({ text: found }: { readonly text: string }, ...parts: ReadonlyArray<string>) => {
  for (const part of parts) assert.include(found, part)
}

describe("a form", () => {
  it.effect("is shown with its first values, its hints and its groups, at the address of its page", () =>
    Effect.gen(function* () {
      const first = shown(yield* answer(thing, "/things/t1"))
      includes(
        first,
        '<form class="wide" method="post" action="/things/t1/wish">',
        '<input type="hidden" name="key" value="k1">',
        '<input type="hidden" name="total" value="500">',
        '<input id="name" name="name" type="text" dir="auto" value="first" required maxlength="10" aria-describedby="name-hint">',
        '<span class="hint" id="name-hint">As on the door.</span>',
        '<fieldset><legend>Limits</legend>\n<div class="field">\n<label for="most">',
        '<input id="sure" name="sure" type="checkbox" value="on" checked>',
        '<option value="b" selected>two</option>',
        '<button class="btn main" type="submit">Wish</button>',
        'action="/things/t1/other"'
      )
      assert.notInclude(first.text, "problem")
    })
  )

  it.effect("is refused beside its fields, with what was typed, what is seen now, and no secret", () =>
    Effect.gen(function* () {
      const again = shown(yield* send({ ...TYPED, name: " ", kind: "c" }))
      assert.strictEqual(again.status, 422)
      includes(
        again,
        'role="alert" tabindex="-1" autofocus>\n<p><strong>Please correct 2 fields. Nothing was changed.</strong></p>',
        '<li><a href="#name">Name</a> is required.</li><li><a href="#kind">Kind</a>: Choose one of the options.</li>',
        'id="name-error"',
        'id="kind-error"',
        'value="12,50"',
        '<input type="hidden" name="key" value="k2">',
        '<input type="hidden" name="total" value="500">',
        "\n\nlong</textarea>"
      )
      assert.notInclude(again.text, "hush")
      assert.notInclude(again.text, "checked")
      assert.strictEqual(again.text.split('class="problem"').length, 2)
    })
  )

  it.effect("is refused by what it does beside a field, or as a whole and with its own status", () =>
    Effect.gen(function* () {
      includes(
        shown(yield* send({ ...TYPED, name: "taken" })),
        '<span class="error" id="name-error">It is taken.</span>'
      )
      const stale = shown(yield* send({ ...TYPED, name: "stale" }))
      assert.strictEqual(stale.status, 409)
      includes(stale, "<p><strong>It has changed.</strong></p>\n</div>", 'value="stale"')
    })
  )

  it.effect("keeps what was typed where what it does fails, unless nothing is left to send it to", () =>
    Effect.gen(function* () {
      const full = shown(yield* send({ ...TYPED, name: "full" }))
      assert.strictEqual(full.status, 409)
      includes(full, "autofocus>\n<p><strong>No key was created: your", 'value="full"', 'value="12,50"')
      assert.strictEqual((yield* Effect.flip(send({ ...TYPED, name: "gone" })))._tag, "KeyNotFound")
    })
  )

  it.effect("shows what no person typed as the page has it now", () =>
    Effect.gen(function* () {
      const again = shown(yield* answer(numbered, "/things/t1/count", { nth: "x", word: "kept" }))
      includes(again, "This page was out of date", 'name="nth" value="7"', 'value="kept"')
      assert.notInclude(again.text, "<li>")
    })
  )

  it.effect("shows its own refusal beside other forms of the page", () =>
    Effect.gen(function* () {
      const again = shown(yield* answer(said, "/things/t1/other", { word: "long <i>" }))
      includes(again, 'id="word-error"', 'value="long &lt;i&gt;"', 'value="first"')
      assert.strictEqual(again.text.split('class="problem"').length, 2)
    })
  )

  it.effect("wants its confirmation, and keeps what was typed but the code", () =>
    Effect.gen(function* () {
      for (const code of ["", "000000"]) {
        const again = shown(yield* send({ ...TYPED, code }))
        assert.strictEqual(again.status, 403)
        includes(again, 'id="code-error"', 'value="&lt;b&gt;"')
        assert.notInclude(again.text, "000000")
      }
    })
  )

  it.effect("is done once, with a sentence on the next page", () =>
    Effect.gen(function* () {
      const typed = { ...TYPED, total: "500", sure: "on", code: "123456", more: "ignored" }
      assert.deepStrictEqual(yield* send(typed), seeOther("/things", "<b> 1250 on a true"))
      const none = { name: "n", kind: "b", most: "", code: "123456" }
      assert.deepStrictEqual(yield* send(none), seeOther("/things", "n – – b false"))
    })
  )

  it.effect("without room for a confirmation asks for it on a page that keeps what was asked", () =>
    Effect.gen(function* () {
      const asked = shown(yield* answer(press, "/things/t1/press", { role: "owner" }))
      assert.strictEqual(asked.status, 403)
      includes(asked, "<p>It is pressed.</p>", 'name="role" value="owner"', 'name="code"', '<a href="/things">Leave it')
      assert.notInclude(asked.text, "alert")
      const empty = shown(yield* answer(press, "/things/t1/press", { role: "owner", code: "" }))
      includes(empty, 'id="code-error"', 'name="role" value="owner"')
      const pressing = { role: "owner", code: "123456" }
      assert.deepStrictEqual(yield* answer(press, "/things/t1/press", pressing), seeOther("/things", "Pressed."))
    })
  )

  it("offers several values of a list", () => {
    const values = new URLSearchParams("size=s&size=l")
    const choices = ["s", "m", "l"].map((value) => ({ value, label: value }))
    for (const field of [ticks(anyText, "Sizes", choices), choice(anyText, "Sizes", choices, { rows: 3 })]) {
      const { text: found } = field.control("size", { values, messages: new Map([["size", "Too many."]]) })
      assert.strictEqual(found.match(/ (?:checked|selected)/g)?.length, 2)
      assert.include(found, 'id="size-error">Too many.')
    }
  })
})
