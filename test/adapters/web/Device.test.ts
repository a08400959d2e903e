// Browsers in words: as they name themselves, and nothing made up of other texts.
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { deviceName, deviceOf } from "#adapters/web/settings/Device.ts"
import { property } from "#test/Property.ts"

const KIT = "AppleWebKit/537.36 (KHTML, like Gecko)"
const APPLE_KIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)"
const CHROME = "Chrome/150.0.0.0"
const MAC = "(Macintosh; Intel Mac OS X 10_15_7)"
const PHONE = "(iPhone; CPU iPhone OS 20_1 like Mac OS X)"

/** What browsers send. */
const known: ReadonlyArray<readonly [name: string, userAgent: string]> = [
  ["Firefox on Android", "(Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0"],
  ["Firefox on Windows", "(Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0"],
  ["Firefox on Linux", "(X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0"],
  ["Firefox on an iPhone", `${PHONE} ${APPLE_KIT} FxiOS/150.0 Mobile/15E148 Safari/605.1.15`],
  ["Chrome on Android", `(Linux; Android 10; K) ${KIT} ${CHROME} Mobile Safari/537.36`],
  ["Chrome on a Mac", `${MAC} ${KIT} ${CHROME} Safari/537.36`],
  ["Chrome on an iPhone", `${PHONE} ${APPLE_KIT} CriOS/150.0.7 Mobile/15E148 Safari/604.1`],
  ["Chrome on ChromeOS", `(X11; CrOS x86_64 14541.0.0) ${KIT} ${CHROME} Safari/537.36`],
  ["Edge on Windows", `(Windows NT 10.0; Win64; x64) ${KIT} ${CHROME} Safari/537.36 Edg/150.0.0.0`],
  ["Opera on Windows", `(Windows NT 10.0; Win64; x64) ${KIT} ${CHROME} Safari/537.36 OPR/130.0.0.0`],
  ["Samsung Internet on Android", `(Linux; Android 10; K) ${KIT} SamsungBrowser/30.0 ${CHROME} Mobile Safari/537.36`],
  ["Safari on an iPhone", `${PHONE} ${APPLE_KIT} Version/20.1 Mobile/15E148 Safari/604.1`],
  ["Safari on a Mac or an iPad", `${MAC} ${APPLE_KIT} Version/20.1 Safari/605.1.15`],
  ["A browser we do not know on Linux", `(X11; Linux x86_64) ${KIT} Wanderer/3.0`]
]

describe("a browser in words", () => {
  it.each(known)("%s", (name, rest) => expect(deviceName(`Mozilla/5.0 ${rest}`)).toBe(name))

  it("is not known where the text is no browser's", () => {
    for (const text of ["", "curl/8.5.0", "A browser of a test", "Firefox/150.0", "python-requests/2.31 Windows"])
      expect(deviceName(text)).toBe("A browser we do not know")
  })

  property("is one of few names, whatever a client sends", [fc.string({ unit: "binary", maxLength: 200 })], (text) => {
    const names = new Set(["A browser we do not know", ...known.flatMap(([name]) => name.split(" on "))])
    const { browser, system } = deviceOf(`Mozilla/5.0 ${text}`)
    for (const name of [browser, system]) if (name !== null) expect(names).toContain(name)
    expect(deviceName(text).length).toBeLessThan(60)
  })
})
