// Sheets of links in the Shop as they are uploaded and looked at: read from a file or from pasted rows, priced with the faults of each row.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { MAX_UPLOAD_BYTES, MAX_UPLOADED_TEXT_BYTES } from "#adapters/web/form/Uploads.ts"
import { MAX_SHEET_ROWS } from "#core/domain/pricing/Sheet.ts"
import { times } from "#test/core/ports/StoreSuite.ts"
import { definePromo, listArticle, listSite } from "#test/scenarios/CatalogueSetup.ts"
import * as RunningService from "#test/scenarios/RunningService.ts"
import { addApp, nextCode } from "./AuthenticatorApps.ts"
import { customer, hiddenIn, stateOf } from "./CartSteps.ts"
import { buy, buyForm, csv, HEAD, newSheet, rowsFor, SHEETS, uploadText } from "./SheetSteps.ts"
import { signIn, visit, withoutBreaks } from "./Visitors.ts"

/** A file as a browser sends it. */
const uploadFile = Effect.fnUntraced(function* (
  token: string,
  content: string | Uint8Array<ArrayBuffer>,
  name = "my links.csv"
) {
  const { url } = yield* RunningService.RunningService
  const fetch = yield* FetchHttpClient.Fetch
  const { text } = yield* visit({ path: SHEETS, token })
  const body = new FormData()
  body.set("sheet", hiddenIn(text, "sheet"))
  body.set("file", new Blob([content], { type: "text/csv" }), name)
  body.set("rows", "")
  const headers = { "sec-fetch-site": "same-origin", cookie: `session=${token}` }
  const response = yield* Effect.promise(() =>
    fetch(new URL(SHEETS, url), { method: "POST", redirect: "manual", headers, body })
  )
  return {
    status: response.status,
    location: response.headers.get("location") ?? "",
    text: withoutBreaks(yield* Effect.promise(() => response.text()))
  }
})

const utf16 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le"))

const PAGE = "https://shop.example/spring"

layer(RunningService.layer({ WELCOME_OFFER_PERCENT: "50" }))("a sheet of links", (it) => {
  it.effect("is read from a file by the names of its columns, whatever wrote it; others are named and left out", () =>
    Effect.gen(function* () {
      const { owner } = yield* customer(1_000)
      const { siteId, domain } = yield* listSite()
      const rows = [
        ["Anchor", "Links to", "Budget", "Website", "Your reference"],
        ["Grüße & <b>mehr</b>", PAGE, "12", domain.toUpperCase(), "PO 1"],
        ["two words", PAGE, "12", `https://${domain}/`, ""],
        ["three", PAGE, "12", siteId, ""]
      ]
      const text = (delimiter: string) => rows.map((row) => row.join(delimiter)).join("\r\n")
      const latin = new Uint8Array(Buffer.from(text(";"), "latin1"))
      for (const content of [text(","), `\uFEFFsep=;\r\n${text(";")}`, utf16(text("\t")), latin]) {
        const { status, location } = yield* uploadFile(owner, content)
        assert.strictEqual(status, 303)
        const { text: page } = yield* visit({ path: location, token: owner })
        assert.include(page, "<h1>Sheet my links.csv</h1>")
        for (const shown of ["3 rows: 3 ticked", "“Grüße &amp; &lt;b&gt;mehr&lt;/b&gt;”", domain, "5.00 EUR"])
          assert.include(page, shown)
      }
      const { answer } = yield* uploadText(owner, text("\t"))
      assert.match(
        decodeURIComponent(answer.cookies.join()),
        /3 rows read\. Nothing was ordered yet\. Left out: Budget\./
      )
    })
  )

  it.effect("has an example that can be uploaded as it is", () =>
    Effect.gen(function* () {
      yield* listSite()
      const { owner } = yield* customer(0)
      const example = yield* visit({ path: `${SHEETS}/example.csv`, token: owner })
      assert.strictEqual(example.headers.get("content-disposition"), 'attachment; filename="links.csv"')
      const { location } = yield* uploadFile(owner, example.text)
      assert.match(
        (yield* visit({ path: location, token: owner })).text,
        /[12] rows?: [12] ticked to be bought, 0 bought/
      )
    })
  )

  it.effect("says what is wrong with each row, and buys the others", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(10_000)
      const [site, closed] = [yield* listSite(), yield* listSite({ open: false })]
      const article = yield* listArticle(site.siteId)
      const path = yield* newSheet(
        owner,
        csv(
          [...HEAD, "anchor_type", "article_id", "tier2_links", "opportunity_id"],
          [site.domain, PAGE, "fine", "", "", "", ""],
          ["nowhere.example", "javascript:alert(1)", "", "loud", "", "2", ""],
          [closed.siteId, PAGE, "closed", "exact", "", "", ""],
          [site.siteId, PAGE, "in an article", "Naked URL", article.articleId, "1", ""],
          [site.siteId, PAGE, "in it again", "", article.articleId, "", ""],
          [site.siteId, PAGE, "no project", "", "", "", "opp_1"],
          [site.siteId, `${PAGE}#part`, " fine ", "", "", "", ""]
        )
      )
      const { text, form } = yield* buyForm(owner, path)
      assert.include(text, "7 rows: 2 ticked to be bought, 0 bought")
      for (const shown of [
        "No site of the Shop is called “nowhere.example”.",
        "Anchor text is required.",
        "Anchor type: “loud” is not one of exact, partial, branded, generic, naked url.",
        "Target URL: “javascript:alert(1)” is not a web address.",
        "Tier-2 links: “2” is not one of 0, 1, 3, 5.",
        "2 rows ticked in the whole sheet: ",
        "This site takes no orders at the moment.",
        "is chosen in row 4 already; an article takes one link.",
        "An opportunity needs the project that it belongs to.",
        "The same as row 1",
        "4 rows cannot be bought as they are:"
      ])
        assert.include(text, shown)
      assert.notInclude(text, 'value="7" checked')
      assert.strictEqual((yield* buy(owner, path, form)).status, 303)
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 1, quotes: 0 })
      assert.include((yield* buyForm(owner, path)).text, "0 ticked to be bought, 2 bought")
    })
  )

  it.effect("gives a code or the welcome offer to the first order, and says so", () =>
    Effect.gen(function* () {
      const { owner, account } = yield* customer(50_000)
      const { code } = yield* definePromo({ reduction: { kind: "percent", basisPoints: 9_000 } })
      const { siteId } = yield* listSite()
      const path = yield* newSheet(owner, rowsFor(times(25, () => siteId)))
      const welcomed = yield* buyForm(owner, path)
      for (const shown of ["−50.00 EUR: Welcome offer", "Order 25 links for 75.00 EUR from your credit"])
        assert.include(welcomed.text, shown)
      const apply = (promo_code: string, revision: string) =>
        visit({ method: "POST", path: `${path}/promo-code`, token: owner, form: { revision, promo_code } })
      assert.strictEqual((yield* apply("NONE", "1")).status, 303)
      const refused = yield* buyForm(owner, path)
      assert.include(refused.text, "The code NONE does not exist")
      assert.strictEqual((yield* buy(owner, path, { ...welcomed.form, revision: "2" })).status, 409)
      assert.strictEqual((yield* apply(` ${code.toLowerCase()} `, "2")).status, 303)
      const coded = yield* buyForm(owner, path)
      // The code takes more off the first order; the welcome offer is left for the next.
      assert.include(coded.text, "−90.00 EUR")
      assert.include(coded.text, "−12.50 EUR: Welcome offer")
      assert.strictEqual((yield* buy(owner, path, welcomed.form)).status, 409)
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 0, availableCents: 50_000 })
      assert.strictEqual((yield* buy(owner, path, coded.form)).status, 303)
      assert.deepInclude(yield* stateOf(account.accountId), { orders: 2, availableCents: 50_000 - 2_250 })
      assert.notInclude((yield* buyForm(owner, path)).text, "Promo code")
    })
  )

  it.effect("goes on after the one confirmation of a session that a mail began, however large it is", () =>
    Effect.gen(function* () {
      const { owner, ownerEmail } = yield* customer(0)
      const { siteId } = yield* listSite()
      const app = yield* addApp(owner)
      const token = yield* signIn(ownerEmail)
      const rows = times(400, (index) => [siteId, PAGE, `anchor ${index}`, `"${"Be kind.\n".repeat(30)}"`])
      const asked = yield* uploadFile(token, csv([...HEAD, "brief"], ...rows))
      assert.strictEqual(asked.status, 403)
      const form = Object.fromEntries(
        ["sheet", "file", "file_name"].map((name) => [name, hiddenIn(asked.text, name).replaceAll("&quot;", '"')])
      )
      const challenge = { ...form, confirm_path: SHEETS }
      const { status: told } = yield* visit({ method: "POST", path: "/account/confirm", token, form: challenge })
      assert.notStrictEqual(told, 413)
      const code = yield* nextCode(app)
      const { status, location } = yield* visit({ method: "POST", path: SHEETS, token, form: { ...form, code } })
      assert.strictEqual(status, 303)
      assert.include((yield* visit({ path: location ?? "", token })).text, "400 rows: 400 ticked")
    })
  )

  it.effect("that is too large is refused beside its field after that confirmation, whatever its letters", () =>
    Effect.gen(function* () {
      const { owner, ownerEmail } = yield* customer(0)
      const app = yield* addApp(owner)
      const token = yield* signIn(ownerEmail)
      const asked = yield* uploadFile(token, "ж".repeat(MAX_UPLOADED_TEXT_BYTES))
      assert.strictEqual(asked.status, 403)
      const form = Object.fromEntries(["sheet", "file", "file_name"].map((name) => [name, hiddenIn(asked.text, name)]))
      const sent = { ...form, code: yield* nextCode(app) }
      const { status, text } = yield* visit({ method: "POST", path: SHEETS, token, form: sent })
      assert.strictEqual(status, 422)
      assert.match(text, /id="file-error"[^>]*>This is larger than 1 MB/)
    })
  )

  it.effect("needs a sheet that can be read, in one of two ways; the page says why it cannot", () =>
    Effect.gen(function* () {
      const { owner } = yield* customer(0)
      const { siteId } = yield* listSite()
      const tooMany = rowsFor(times(MAX_SHEET_ROWS + 1, () => siteId))
      for (const [rows, said] of [
        ["", "There is nothing in it"],
        ["site,anchor_text\n1,a", "“Target URL” is missing from it"],
        ["Colour\nred", "“Site”, “Target URL” and “Anchor text” are missing from it"],
        ["site,site_id,target_url,anchor_text\n1,1,a,b", "Two columns are for “Site”"],
        [HEAD.join(), "and no row"],
        [`${HEAD.join()}\n"1,2`, "A cell begins with &quot; and does not end"],
        [tooMany, "more than 500 rows"]
      ] as const) {
        const { answer } = yield* uploadText(owner, rows)
        assert.deepStrictEqual([answer.status, answer.text.includes(said)], [422, true], `${said}: ${answer.text}`)
      }
      const inFile = yield* uploadFile(owner, "nothing")
      assert.strictEqual(inFile.status, 422)
      assert.include(inFile.text, 'id="file-error"')
      const { text } = yield* visit({ path: SHEETS, token: owner })
      const both = { sheet: hiddenIn(text, "sheet"), rows: rowsFor([siteId]), file: rowsFor([siteId]) }
      assert.include((yield* visit({ method: "POST", path: SHEETS, token: owner, form: both })).text, "not both")
      const large = yield* uploadFile(owner, "x".repeat(MAX_UPLOAD_BYTES))
      assert.strictEqual(large.status, 413)
      const long = yield* uploadFile(owner, "x".repeat(MAX_UPLOADED_TEXT_BYTES + 1))
      assert.strictEqual(long.status, 422)
      assert.match(long.text, /id="file-error"[^>]*>This is larger than 1 MB/)
      const headers = { "content-type": "multipart/form-data; boundary=b" }
      const broken = yield* visit({ method: "POST", path: SHEETS, token: owner, headers, form: { a: "b" } })
      assert.strictEqual(broken.status, 415)
      const elsewhere = yield* visit({ method: "POST", path: "/account/keys", token: owner, headers, form: { a: "b" } })
      assert.strictEqual(elsewhere.status, 415)
    })
  )
})
