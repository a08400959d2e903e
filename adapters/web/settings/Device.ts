// Which browser and system a session was begun in, as far as the browser's own text tells. The rules are few on purpose: browsers shorten that
// text more and more, and a library for all of them is a hundred times as long and guesses as well.

export interface Device {
  /** `null`: a browser that is not known. */
  readonly browser: string | null
  readonly system: string | null
}

type Rules = ReadonlyArray<readonly [mark: RegExp, name: string]>

/** The first that fits counts: browsers name those that they stem from as well, and say that of themselves last. */
const BROWSERS: Rules = [
  [/\bEdg(?:A|iOS|e)?\//, "Edge"],
  [/\bOPR\/|\bOPiOS\/|\bOPX\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bDuckDuckGo\/|\bDdg\//, "DuckDuckGo"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"]
]

const SYSTEMS: Rules = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b|\biPod\b/, "an iPhone"],
  [/\biPad\b/, "an iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  // Safari on an iPad says that it is on a Mac; others do not hide it.
  [/\bMacintosh\b(?=.*\bVersion\/[\d.]+ Safari\/)/, "a Mac or an iPad"],
  [/\bMacintosh\b/, "a Mac"],
  [/\bLinux\b|\bX11\b/, "Linux"]
]

const firstOf = (rules: Rules, userAgent: string): string | null =>
  rules.find(([mark]) => mark.test(userAgent))?.[1] ?? null

/** A text that is no browser's names none, whatever system it tells. */
export const deviceOf = (userAgent: string): Device =>
  userAgent.startsWith("Mozilla/5.0 ")
    ? { browser: firstOf(BROWSERS, userAgent), system: firstOf(SYSTEMS, userAgent) }
    : { browser: null, system: null }

/** Such as "Firefox on Android", as a person would call it. */
export const deviceName = (userAgent: string): string => {
  const { browser, system } = deviceOf(userAgent)
  const name = browser ?? "A browser we do not know"
  return system === null ? name : `${name} on ${system}`
}
