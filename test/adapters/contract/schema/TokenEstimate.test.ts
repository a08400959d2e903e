// The token estimate against the counts of two tokenisers, for the kinds of text in results: never too low, and not so high that
// pages are shortened without need.
import { describe, expect, it } from "vitest"
import { fitsTokens } from "#adapters/contract/schema/TokenEstimate.ts"

const TIMES = 200

const article = (title: string, query: string): string =>
  JSON.stringify({
    article_id: 70_123,
    title,
    url: "https://articles.example/2023/11/garden-tools",
    published_at: "2023-11-14T22:13:20.000Z",
    keywords: [
      { query, position: 3.5, impressions: 12_345 },
      { query, position: 12, impressions: 678 }
    ],
    price_eur: 12.5
  })

const GARDEN = "庭園の手入れと園芸用品の選び方についての詳しい解説記事です。季節ごとの作業手順まで紹介しています"

/** Texts with the greater count of o200k and cl100k, for the text repeated two hundred times. */
const MEASURED: Readonly<Record<string, readonly [text: string, tokens: number]>> = {
  "an English article": [article("How to find good tools for a small garden", "garden tools for beginners"), 20_200],
  "a German article": [article("Gartengeräte: was man wirklich braucht", "welche Gartengeräte braucht man"), 22_600],
  "a Japanese article": [article(GARDEN, GARDEN.slice(0, 30)), 42_000],
  "a percent-encoded URL": [`{"target_url":"https://brand.example/${encodeURIComponent(GARDEN)}"},`, 61_201],
  "an order": [
    '{"order_id":"ord_7Hq2ZkV9aXc4RtY1LmNp8s","quote_id":"q_Bv6Jw3ExU0oGd5TfKi2QaZ","order_status":"in_progress","total_eur":12.5,"items_count":1,"published_count":0,"created_at":"2026-11-22T23:12:16.123Z","sandbox":false},',
    20_001
  ],
  "a project": [
    '{"project_id":"prj_4kTz9QmW2xLs7Rv1","name":"Spring campaign 12","domain":"shop-number-12.example","language":"en","opportunities_total":0,"opportunities_open":0,"updated_at":"2026-11-22T23:12:16.123Z"},',
    15_001
  ]
}

describe("the token estimate", () => {
  for (const [says, [text, tokens]] of Object.entries(MEASURED)) {
    it(`is not too low for ${says}, and not twice too high`, () => {
      const whole = text.repeat(TIMES)
      expect(fitsTokens(whole, tokens)).toBe(false)
      expect(fitsTokens(whole, tokens * 1.75)).toBe(true)
    })
  }

  it("accepts a text that is short enough in any alphabet", () => {
    expect(fitsTokens("ሀ".repeat(50), 100)).toBe(true)
    expect(fitsTokens("ሀ".repeat(51), 100)).toBe(false)
    expect(fitsTokens("", 0)).toBe(true)
  })
})
