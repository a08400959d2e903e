// What mails say where it depends on the news: of one thing or several, of one agent or all.
import { describe, expect, it } from "vitest"
import { mailText } from "#adapters/mail/MailTexts.ts"
import { oldWordsIn } from "#test/architecture/WordRule.ts"
import { notice, sampleMails } from "./SampleMails.ts"

describe("the words of a mail", () => {
  it.each(Object.entries(sampleMails))("are the glossary's in %s", (_name, mail) => {
    const { subject, text, html } = mailText(mail, "Links")
    expect(oldWordsIn(`${subject} ${text} ${html.replaceAll(/<[^>]*>/g, " ")}`)).toEqual([])
  })

  const noticed = (...actions: ReadonlyArray<"account.close" | "agents.stop" | "key.issue">) => {
    const notices = actions.map((action) => notice(action, { label: "Writer", by: "ada@brand.example" }))
    const url = "https://shop.example/account"
    return mailText({ _tag: "AccountNews", accountName: "Ada", notices, count: notices.length, url }, "Links").text
  }

  it("on stopped agents says how they order again, and not how to stop them", () => {
    expect(noticed("agents.stop")).toContain("until an owner lets them order again")
    expect(noticed("agents.stop")).toContain("let your agents order again on the page that stops them")
    expect(noticed("agents.stop")).not.toContain("pause or revoke")
    expect(noticed("agents.stop", "key.issue")).toContain("pause or revoke")
    expect(noticed("key.issue")).not.toContain("on the page that stops them")
  })

  it("on a closed account says what stays and whom to write to, and sends owners to no page that has ended", () => {
    const text = noticed("key.issue", "account.close")
    expect(text).toContain("ada@brand.example closed the account.")
    expect(text).toContain("credit stay on record")
    expect(text).toContain("write to the operator of the service at once")
    expect(text).toContain("Was this a mistake?")
    expect(text).not.toContain("pause or revoke")
  })

  it("on purchases names one agent only where it shows all of them", () => {
    const { purchase } = sampleMails
    if (purchase?._tag !== "CreditPurchases") throw new Error("There is no such sample.")
    expect(mailText(purchase, "Links").subject).toBe("Claude for Willow spent 35.00 EUR of your credit")
    expect(mailText({ ...purchase, count: 21 }, "Links").subject).toBe("Your agents spent 35.00 EUR of your credit")
  })

  it("on orders that wait names the deadline by the clocks of its reader, in UTC unless they chose a zone", () => {
    const { approval } = sampleMails
    if (approval?._tag !== "OrdersWaiting") throw new Error("There is no such sample.")
    const asks = "Gardener Desktop asks to spend 55.00 EUR: decide by"
    expect(mailText(approval, "Links").subject).toBe(`${asks} 28 November 2027, 12:00 UTC`)
    const inTokyo = mailText({ ...approval, timeZone: "Asia/Tokyo" }, "Links")
    expect(inTokyo.subject).toBe(`${asks} 28 November 2027, 21:00 Asia/Tokyo`)
    expect(inTokyo.text).toContain("by 28 November 2027, 21:00 Asia/Tokyo")
    expect(inTokyo.text).not.toContain("UTC")
  })

  it("on a receipt says what was ordered and when, and the VAT as the invoice does", () => {
    const { receipt } = sampleMails
    if (receipt?._tag !== "OrdersPaid") throw new Error("There is no such sample.")
    const { text } = mailText(receipt, "Links")
    expect(text).toContain("for the order of 28 November 2027.")
    expect(text).toContain("- copperleaf-review.example: 30.00 EUR\n  “garden tools that last” to https://")
    expect(text).toContain(
      "- Total: 55.00 EUR\n  ord_sample\n- Includes 19 % VAT: 8.78 EUR\n- Paid from credit: 20.00 EUR\n- Paid by card: 35.00 EUR\n"
    )
    const told = (vat: (typeof receipt.receipts)[number]["vat"], count: number) =>
      mailText({ ...receipt, receipts: receipt.receipts.map((one) => ({ ...one, vat })), count }, "Links").text
    for (const count of [1, 2]) {
      expect(told({ cents: 0, basisPoints: 0, sentence: "Reverse charge." }, count)).toContain("- Reverse charge.\n")
      expect(told(null, count)).not.toMatch(/VAT|Reverse/)
    }
  })

  it("on a purchase leads to the order first, and stops agents by a button outlined in red", () => {
    const { purchase } = sampleMails
    if (purchase === undefined) throw new Error("There is no such sample.")
    const { text, html } = mailText(purchase, "Links")
    expect(html).toMatch(/<td class="main"[^>]*><a href="[^"]+\/orders\/ord_sample"[^>]*>See the order</)
    expect(html).toMatch(/<td class="grave"[^>]*><a href="[^"]+\/stop"[^>]*>This was not meant: stop all agents</)
    expect(text.indexOf("See the order")).toBeLessThan(text.indexOf("stop all agents:"))
    expect(text).toContain("until a writer begins, you can cancel a link on its order's page")
  })

  it("on a receipt names who ordered, an agent or a member, and the account where neither is known", () => {
    const { receipt } = sampleMails
    if (receipt?._tag !== "OrdersPaid") throw new Error("There is no such sample.")
    const [first] = receipt.receipts
    if (first === undefined) throw new Error("The sample has an order.")
    const partsOf = (placedBy: string | null, count: number) => {
      const { text, html } = mailText({ ...receipt, receipts: [{ ...first, placedBy }], count }, "Links")
      expect(`${text}${html}`).not.toMatch(/\bYou (ordered|placed)\b|You get a mail/)
      return [text, html]
    }
    for (const count of [1, 2]) {
      for (const part of partsOf("Gardener Desktop", count)) expect(part).toContain("Gardener Desktop ordered 4 links")
      for (const part of partsOf("ada@brand.example", count))
        expect(part).toContain("ada@brand.example ordered 4 links")
      for (const part of partsOf(null, count))
        expect(part).toMatch(/The account Willow (&|&amp;) Spade ordered 4 links/)
    }
  })

  it("on a change of address names the deadline by the clocks of the member, and on an invitation in UTC", () => {
    const textOf = (name: string) => {
      const mail = sampleMails[name]
      return mail === undefined ? "" : mailText(mail, "Links").text
    }
    expect(textOf("address-old")).toContain("by 28 November 2027, 12:00 UTC")
    expect(textOf("address-new")).toContain("by 28 November 2027, 21:00 Asia/Tokyo")
    expect(textOf("invitation")).toContain("until 28 November 2027, 12:00 UTC")
  })

  it("on orders that wait says what happens without a decision, of one and of several", () => {
    const textOf = (name: string) => {
      const mail = sampleMails[name]
      return mail === undefined ? "" : mailText(mail, "Links").text
    }
    expect(textOf("approval")).toContain("If you do nothing, it expires and nothing is bought.")
    expect(textOf("approvals")).toContain("If you do nothing, they expire and nothing is bought.")
  })

  it("on several orders that wait lists the largest first, each with its agent and deadline, and the total last", () => {
    const { approvals } = sampleMails
    if (approvals?._tag !== "OrdersWaiting") throw new Error("There is no such sample.")
    const { subject, text, html } = mailText(approvals, "Links")
    expect(subject).toBe("Your agents ask to spend 215.00 EUR: decide by 28 November 2027, 12:00 UTC")
    expect(text.match(/^- .*$/gm)).toEqual([
      "- Price watcher: 8 links to https://willow-and-spade.example/spring: 110.00 EUR",
      "- Gardener Desktop: 4 links to https://willow-and-spade.example/spring: 55.00 EUR",
      "- And 2 more orders: 50.00 EUR",
      "- Total of 4 orders: 215.00 EUR"
    ])
    expect(text.match(/by 28 November 2027, 12:00 UTC/g)).toHaveLength(3)
    expect(text).toContain("  “garden tools that last” on copperleaf-review.example, ")
    expect(text).toContain(" and 5 more links · decide by ")
    expect(text).toContain("Stop all agents:\nhttps://")
    expect(html).toMatch(
      /<strong>Total of 4 orders<\/strong>[\s\S]*?text-align:right[^>]*><strong>215.00\sEUR<\/strong>/
    )
  })

  it("on an order that waits tells the deadline apart where the clocks show its time twice", () => {
    const { approval } = sampleMails
    if (approval?._tag !== "OrdersWaiting") throw new Error("There is no such sample.")
    const until = (time: string) =>
      mailText({ ...approval, timeZone: "Europe/Paris", firstExpiresAtMs: Date.parse(time) }, "Links").subject
    expect(until("2026-10-25T00:30:00Z")).toContain("by 25 October 2026, 02:30 Europe/Paris (GMT+2)")
    expect(until("2026-10-25T01:30:00Z")).toContain("by 25 October 2026, 02:30 Europe/Paris (GMT+1)")
    expect(until("2026-10-25T02:30:00Z")).toMatch(/by 25 October 2026, 03:30 Europe\/Paris$/)
  })

  it.each(Object.entries(sampleMails))("of each mail say why one gets it, and where to turn it off: %s", (_, mail) => {
    const { text, html, choicesUrl } = mailText(mail, "Links")
    for (const part of [text, html]) {
      expect(part).toMatch(/You get this mail (because|as an owner)|All owners of the account .* get this mail/)
      expect(part.includes("Choose which mails you get under Settings, Mails")).toBe(choicesUrl !== null)
    }
    expect(choicesUrl !== null || /cannot be turned off|typed/.test(text)).toBe(true)
  })

  it("end with who writes: the service, its seller and where questions go, as far as each is configured", () => {
    const { receipt } = sampleMails
    if (receipt === undefined) throw new Error("There is no such sample.")
    const sender = {
      seller: "Willow Ltd",
      address: "1 Lane\nParis <b>",
      taxId: "VAT id FR1",
      contact: "help@shop.example"
    }
    const { text, html } = mailText(receipt, "Links", sender)
    expect(text).toMatch(/\n-- \nLinks\nWillow Ltd, 1 Lane, Paris <b>\nVAT id FR1\nQuestions\? help@shop\.example\n$/)
    expect(html).toContain("Willow Ltd, 1 Lane, Paris &lt;b&gt;")
    expect(mailText(receipt, "Links").text).toMatch(/\n-- \nLinks\n$/)
  })
})
