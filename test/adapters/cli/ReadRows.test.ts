// Import files: accepted forms of CSV and JSON, and all errors at once by line and column.
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { type FileFormat, readRows, rowErrorText } from "#adapters/cli/files/ReadRows.ts"
import { importKinds } from "#adapters/operator/imports/ImportKinds.ts"
import { readCells } from "#adapters/operator/imports/ImportRows.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

type Kind = (typeof importKinds)[keyof typeof importKinds]

const rows = (kind: Kind, text: string, format: FileFormat = "csv") =>
  Result.match(readRows(kind, format, bytes(text)), {
    onFailure: (complaints) => complaints.map(rowErrorText),
    onSuccess: (file) => {
      const { rows, errors } = readCells<unknown>(kind, file.rows)
      return file.repeated.length + errors.length === 0 ? rows : [...file.repeated, ...errors].map(rowErrorText)
    }
  })

const HEADER = "id,domain,niche_label,language,shelf,tf,cf,rd,moz_da,ranked_keywords,traffic_monthly"
const ROW = "1,moss.example,Gardening,en,Plancton,12,10,90,14,300,4000"
const SITE = {
  siteId: 1,
  domain: "moss.example",
  nicheLabel: "Gardening",
  language: "en",
  shelf: "Plancton",
  tf: 12,
  cf: 10,
  rd: 90,
  mozDa: 14,
  rankedKeywords: 300,
  trafficMonthly: 4_000,
  linkRel: "dofollow",
  open: true
}

describe("CSV", () => {
  it("is read with defaults for the columns it leaves out", () => {
    expect(rows(importKinds.sites, `${HEADER}\n${ROW}\n`)).toStrictEqual([SITE])
  })

  it("may begin with a byte-order mark, end lines as Windows does, and have empty lines", () => {
    expect(rows(importKinds.sites, `\uFEFF${HEADER}\r\n\r\n${ROW}\r\n`)).toStrictEqual([SITE])
  })

  it("may be separated by semicolons", () => {
    expect(rows(importKinds.sites, `${HEADER}\n${ROW}`.replaceAll(",", ";"))).toStrictEqual([SITE])
  })

  it("keeps commas, quotes and line breaks that are quoted", () => {
    const text = `${HEADER}\n${ROW.replace("Gardening", '"Home, ""and"" garden"')}\n`
    expect(rows(importKinds.sites, text)).toStrictEqual([{ ...SITE, nicheLabel: 'Home, "and" garden' }])
  })

  it("takes columns in any order, and the optional ones", () => {
    expect(rows(importKinds.sites, `open,link_rel,${HEADER}\nno,sponsored,${ROW}\n`)).toStrictEqual([
      { ...SITE, open: false, linkRel: "sponsored" }
    ])
    expect(
      rows(importKinds.sites, `turnaround_days,${HEADER}\n0,${ROW}\n,${ROW.replace("1,moss", "2,fern")}\n`)
    ).toStrictEqual([
      { ...SITE, turnaroundDays: 0 },
      { ...SITE, siteId: 2, domain: "fern.example" }
    ])
    expect(rows(importKinds.sites, `turnaround_days,${HEADER}\n366,${ROW}\n`)).toStrictEqual([
      'line 2, column turnaround_days, "366": Must be a whole number from 0 to 365.'
    ])
  })
})

describe("a row error", () => {
  it("names line, column, the text found, and the expected form", () => {
    const bad = "2,moss.example/x,Gardening,english,Coral,101,-1,,4.5,1e3,"
    expect(rows(importKinds.sites, `${HEADER}\n${ROW}\n${bad}\n`)).toStrictEqual([
      'line 3, column domain, "moss.example/x": Must be a public host name alone, such as gardening-notes.example.',
      'line 3, column language, "english": Must be an ISO 639-1 code in small letters, such as en.',
      'line 3, column shelf, "Coral": Must be "Plancton" | "Corail" | "Nautilus"',
      'line 3, column tf, "101": Must be a whole number from 0 to 100.',
      'line 3, column cf, "-1": Must be a whole number from 0 to 100.',
      "line 3, column rd: Is required.",
      'line 3, column moz_da, "4.5": Must be a whole number from 0 to 100.',
      'line 3, column ranked_keywords, "1e3": Must be a whole number from 0 to 2147483647.',
      "line 3, column traffic_monthly: Is required."
    ])
  })

  it("counts lines inside quoted fields and empty lines", () => {
    const breaking = ROW.replace("Gardening", '"Gar\r\nden"')
    expect(
      rows(importKinds.sites, `${HEADER}\n\n${breaking}\n${ROW.replace("12", "x").replace("1,", "2,")}\n`)
    ).toStrictEqual([
      'line 3, column niche_label, "Gar\\nden": Must not contain control characters such as line breaks or tabs.',
      'line 5, column tf, "x": Must be a whole number from 0 to 100.'
    ])
  })

  it("names unknown, repeated and missing columns at once, and lists the valid ones", () => {
    expect(rows(importKinds.projects, "project_id,name,name,colour\nprj_a,A,A,red\n")).toStrictEqual([
      "line 1, column name: Is there twice.",
      "line 1, column colour: Is not a column. The columns of this file are: project_id, account_id, name, domain, language.",
      "line 1, column account_id: Is missing from the header.",
      "line 1, column domain: Is missing from the header.",
      "line 1, column language: Is missing from the header."
    ])
  })

  it.each([
    ["too many cells", `${HEADER}\n${ROW},x\n`, "line 2: Has 12 cells where the header has 11."],
    ["one cell", `${HEADER}\n1\n`, "line 2: Has 1 cell where the header has 11."],
    ["too few cells", `${HEADER}\n1,moss.example\n`, "line 2: Has 2 cells where the header has 11."],
    ["no rows", HEADER, "line 1: The file has no rows."],
    ["nothing", "", "line 1: The file is empty: it needs a header line."],
    [
      "an id twice",
      `${HEADER}\n${ROW}\n${ROW.replace("1,", "01,")}\n`,
      'line 3, column id, "01": Is on line 2 already.'
    ]
  ])("is made of %s", (_, text, complaint) => {
    expect(rows(importKinds.sites, text)).toStrictEqual([complaint])
  })

  it("names the line of an unclosed quote", () => {
    expect(rows(importKinds.sites, `${HEADER}\n${ROW}\n2,"moss\n`)[0]).toMatch(
      /^line \d: A cell begins with " and does not end/
    )
  })

  it("refuses bytes that are not UTF-8", () => {
    const latin = Uint8Array.from([...bytes(`${HEADER}\n`), 0xe9])
    expect(Result.isFailure(readRows(importKinds.sites, "csv", latin))).toBe(true)
  })
})

describe("JSON", () => {
  const { siteId: id, nicheLabel, mozDa, rankedKeywords, trafficMonthly, linkRel: link_rel, ...rest } = SITE
  const metrics = { moz_da: mozDa, ranked_keywords: rankedKeywords, traffic_monthly: trafficMonthly }
  const site = { id, niche_label: nicheLabel, link_rel, ...metrics, ...rest }

  it("is a list of objects under the same rules", () => {
    expect(rows(importKinds.sites, JSON.stringify([site]), "json")).toStrictEqual([SITE])
  })

  it("names the line on which an object begins", () => {
    const text = `[\n  ${JSON.stringify(site)},\n  ${JSON.stringify({ ...site, id: 2, tf: "[{]" }, null, 2)},\n7,\n${JSON.stringify({ ...site, id: 3, tf: 5.5 })}]`
    expect(rows(importKinds.sites, text.replace("7,\n", ""), "json")).toStrictEqual([
      'line 3, column tf, "[{]": Must be a whole number from 0 to 100.',
      'line 18, column tf, "5.5": Must be a whole number from 0 to 100.'
    ])
    expect(rows(importKinds.sites, text, "json")).toStrictEqual(["line 18: Must be an object."])
  })

  it.each([
    ["{}", "line 1: Must be a list of objects: [{ … }, { … }]."],
    ["[]", "line 1: The file has no rows."],
    ['[\n{"id":1}\n', "line 3: This is not JSON: Expected ',' or ']' after array element in JSON at position 11."],
    ['[\n{"id":}]', "line 1: This is not JSON: Unexpected token '}'."],
    ['[\n{"colour":1}]', /^line 2, column colour: Is not a field. The fields are: id, domain/]
  ])("refuses %j", (text, complaint) => {
    expect(rows(importKinds.sites, text, "json")).toStrictEqual([
      typeof complaint === "string" ? complaint : expect.stringMatching(complaint)
    ])
  })
})

describe("articles", () => {
  const header = "article_id,site_id,title,url,published_at,price_eur,keywords"
  const row = "7,1,Tea,https://moss.example/tea,2026-01-31,12.50,green tea:4.5:900|tea: how:8:120"
  const keywords = [
    { query: "green tea", position: 4.5, impressions: 900 },
    { query: "tea: how", position: 8, impressions: 120 }
  ]
  const article = {
    articleId: 7,
    siteId: 1,
    title: "Tea",
    url: "https://moss.example/tea",
    publishedAtMs: Date.UTC(2026, 0, 31),
    priceCents: 1_250,
    keywords
  }

  it("are read with their keywords and their price to the cent", () => {
    expect(rows(importKinds.articles, `${header}\n${row}\n`)).toStrictEqual([article])
    const { articleId: article_id, siteId: site_id, title, url } = article
    const json = { article_id, site_id, title, url, published_at: "2026-01-31T00:00:00Z", price_eur: 12.5, keywords }
    expect(rows(importKinds.articles, JSON.stringify([json]), "json")).toStrictEqual([article])
  })

  it("need neither keywords nor a price", () => {
    const text = `${header}\n7,1,Tea,https://moss.example/tea,2026-01-31,,\n`
    expect(rows(importKinds.articles, text)).toStrictEqual([{ ...article, priceCents: null, keywords: [] }])
  })

  it.each([
    ["2026-01-31", "2026-02-30", /column published_at, "2026-02-30": Must be a day such as/],
    ["2026-01-31", "31.1.2026", /column published_at, "31.1.2026": Must be a day such as/],
    ["12.50", "12.505", /column price_eur, "12.505": Must be an amount in euros/],
    ["12.50", "-1", /column price_eur, "-1": Must be an amount in euros/],
    ["https://moss.example/tea", "http://10.0.0.1/", /column url, .*an IP address cannot be linked to/],
    ["tea: how:8:120", "tea", /column keywords\[1\]\.position.*: Must be a finite number/],
    ["8:120", "8:many", /column keywords\[1\]\.impressions.*: Must be an integer/]
  ])("are refused with %s made %s", (good, bad, complaint) => {
    expect(rows(importKinds.articles, `${header}\n${row.replace(good, bad)}\n`)[0]).toMatch(complaint)
  })
})

describe("promos", () => {
  const header = "code,percent,fixed_eur,minimum_eur,starts_at,ends_at,max_redemptions,once_per_account"
  const always = { minimumCents: null, startsAtMs: null, endsAtMs: null, maxRedemptions: null, oncePerAccount: false }

  it("take off a percentage or an amount, within limits or without", () => {
    const text = `${header}\nten,10.25,,,,,,\nFIVER,,5.00,20,2026-01-01,2026-02-01T12:00:00Z,3,yes\n`
    expect(rows(importKinds.promos, text)).toStrictEqual([
      { code: "TEN", reduction: { kind: "percent", basisPoints: 1_025 }, ...always },
      {
        code: "FIVER",
        reduction: { kind: "fixed", cents: 500 },
        minimumCents: 2_000,
        startsAtMs: Date.UTC(2026, 0, 1),
        endsAtMs: Date.UTC(2026, 1, 1, 12),
        maxRedemptions: 3,
        oncePerAccount: true
      }
    ])
  })

  it.each([
    ["A,10,5,,,,,", 'line 2, column percent, "10": Give either percent or fixed_eur, and not both.'],
    ["A,,,,,,,", "line 2, column percent: Give either percent or fixed_eur, and not both."],
    ["A,0.00,,,,,,", 'line 2, column percent, "0.00": Must be above 0 and at most 100.'],
    ["A,100.01,,,,,,", 'line 2, column percent, "100.01": Must be above 0 and at most 100.'],
    ["A,5,,,2026-02-01,2026-01-01,,", 'line 2, column ends_at, "2026-01-01": Must be later than starts_at.'],
    ["A,5,,,,,0,", 'line 2, column max_redemptions, "0": Must be a whole number from 1 to 2147483647.'],
    ["A B,5,,,,,,", 'line 2, column code, "A B": Must be 1 to 64 letters, digits, hyphens or underscores.']
  ])("are refused: %s", (row, complaint) => {
    expect(rows(importKinds.promos, `${header}\n${row}\n`)).toStrictEqual([complaint])
  })

  it("are the same code in any case", () => {
    expect(rows(importKinds.promos, "code,percent\nten,10\nTEN,20\n")).toStrictEqual([
      'line 3, column code, "TEN": Is on line 2 already.'
    ])
  })
})
